/** Starts an emulator with the options of the command line. */
import { createEmulator, type EmulatorOptions } from '../emulator/create-emulator.js'
import type { Emulator } from '../emulator/emulator.js'
import type { ServeOptions } from './read-arguments.js'

type Listeners = Pick<EmulatorOptions, 'onRequest' | 'onNotice'>

export function serve(
  { seed, state, host, envFile, interactionsUrl, eventsUrl, activityUrl, ...options }: ServeOptions,
  listeners: Listeners,
): Promise<Emulator> {
  return createEmulator({
    ...options,
    ...listeners,
    ...(host === undefined ? {} : { host }),
    ...(envFile === undefined ? {} : { envFile }),
    ...(seed === undefined ? {} : { seed }),
    ...(state === undefined ? {} : { state }),
    ...(interactionsUrl === undefined ? {} : { interactionsUrl }),
    ...(eventsUrl === undefined ? {} : { eventsUrl }),
    ...(activityUrl === undefined ? {} : { activityUrl }),
  })
}
