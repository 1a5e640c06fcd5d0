/** Emulator of a test for games that `foyer-sdk/vite` serves. */
import { createEmulator, type Emulator } from 'foyer-emulator'
import { onTestFinished } from 'vitest'

/** Lets the plugin use a running emulator until the test ends, as inside of `foyer-emulator exec`. */
export function setEmulatorVariables({ url, application }: Emulator): void {
  process.env['FOYER_HOST'] = url
  process.env['FOYER_APPLICATION_ID'] = application.id
  onTestFinished(() => {
    delete process.env['FOYER_HOST']
    delete process.env['FOYER_APPLICATION_ID']
  })
}

/** Starts an emulator for the plugin, without rate limits. */
export async function useEmulator(): Promise<Emulator> {
  const emulator = await createEmulator({ limits: 'off' })
  onTestFinished(() => emulator.close())
  setEmulatorVariables(emulator)
  return emulator
}
