/** Behavior of commands that tests can change: strictness, and propagation of global commands. */
import { didYouMean } from '../foundation/closest-name.js'
import { EmulatorError } from '../foundation/emulator-error.js'

export interface CommandBehavior {
  /** Milliseconds until guilds see a change of a global command, at most an hour. Default: 1000. */
  globalDelay: number
  /** Creates in 24 hours, per guild and for global commands; null removes the limit. Default: 200. */
  dailyCreates: number | null
  /** Result of a bulk overwrite without the entry point: an error, or the entry point stays. Default: `refuse`. */
  missingEntryPoint: 'refuse' | 'keep'
  /** Requires the scope of a client-credentials token for reading too. Default: false. */
  readsNeedScope: boolean
  /** Translations under a key that is no locale of the service: an error, or kept. Default: `refuse`. */
  otherLocales: 'refuse' | 'accept'
}

export const HOUR = 3_600_000

const DEFAULT_COMMAND_BEHAVIOR: CommandBehavior = {
  globalDelay: 1000,
  dailyCreates: 200,
  missingEntryPoint: 'refuse',
  readsNeedScope: false,
  otherLocales: 'refuse',
}

/** @throws EmulatorError `invalid_setting` */
export function resolveCommandBehavior(given: object = {}): CommandBehavior {
  const settings = readCommandBehavior({ ...given })
  if (typeof settings === 'string') throw new EmulatorError('invalid_setting', settings)
  return { ...DEFAULT_COMMAND_BEHAVIOR, ...settings }
}

/** Returns the settings in the input, or an error message. */
export function readCommandBehavior(given: Record<string, unknown>): Partial<CommandBehavior> | string {
  const { globalDelay, dailyCreates, missingEntryPoint, readsNeedScope, otherLocales, ...others } = given
  const [unknown] = Object.keys(others)
  if (unknown !== undefined)
    return `there is no ${unknown}${didYouMean(unknown, Object.keys(DEFAULT_COMMAND_BEHAVIOR))}: there are ${Object.keys(DEFAULT_COMMAND_BEHAVIOR).join(', ')}`
  if (globalDelay !== undefined && !isWhole(globalDelay, HOUR))
    return `globalDelay must be a whole number of milliseconds up to ${HOUR}`
  if (dailyCreates !== undefined && dailyCreates !== null && !isWhole(dailyCreates, Number.MAX_SAFE_INTEGER))
    return 'dailyCreates must be a whole number, or null for no limit'
  if (missingEntryPoint !== undefined && missingEntryPoint !== 'refuse' && missingEntryPoint !== 'keep')
    return 'missingEntryPoint must be "refuse" or "keep"'
  if (readsNeedScope !== undefined && typeof readsNeedScope !== 'boolean')
    return 'readsNeedScope must be true or false'
  if (otherLocales !== undefined && otherLocales !== 'refuse' && otherLocales !== 'accept')
    return 'otherLocales must be "refuse" or "accept"'
  return {
    ...(globalDelay === undefined ? {} : { globalDelay }),
    ...(dailyCreates === undefined ? {} : { dailyCreates }),
    ...(missingEntryPoint === undefined ? {} : { missingEntryPoint }),
    ...(readsNeedScope === undefined ? {} : { readsNeedScope }),
    ...(otherLocales === undefined ? {} : { otherLocales }),
  }
}

function isWhole(value: unknown, largest: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= largest
}
