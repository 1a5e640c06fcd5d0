/** What a test may want otherwise: how strict the commands are, and how slowly a change of a global one gets around. */
import { EmulatorError } from '../foundation/error.js'

export interface CommandBehavior {
  /** Milliseconds until guilds see a change of a global command; at most an hour. */
  globalDelay: number
  /** Creates in 24 hours, for each guild and for global commands; null lifts the limit. */
  dailyCreates: number | null
  /** A list that leaves the entry point out is refused, or keeps it silently. */
  missingEntryPoint: 'refuse' | 'keep'
  /** Whether a client-credentials token must have its scope for reading too. */
  readsNeedScope: boolean
}

export const hour = 3_600_000

const defaultCommandBehavior: CommandBehavior = { globalDelay: 1000, dailyCreates: 200, missingEntryPoint: 'refuse', readsNeedScope: false }

/** @throws EmulatorError `invalid_knob` */
export function resolveCommandBehavior(given: object = {}): CommandBehavior {
  const knobs = readCommandBehavior({ ...given })
  if (typeof knobs === 'string') throw new EmulatorError('invalid_knob', knobs)
  return { ...defaultCommandBehavior, ...knobs }
}

/** The known knobs among the fields of a value, or what is wrong with it. */
export function readCommandBehavior(given: Record<string, unknown>): Partial<CommandBehavior> | string {
  const { globalDelay, dailyCreates, missingEntryPoint, readsNeedScope, ...others } = given
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) return `there is no ${unknown}: there are ${Object.keys(defaultCommandBehavior).join(', ')}`
  if (globalDelay !== undefined && !isWhole(globalDelay, hour)) return `globalDelay must be a whole number of milliseconds up to ${hour}`
  if (dailyCreates !== undefined && dailyCreates !== null && !isWhole(dailyCreates, Number.MAX_SAFE_INTEGER))
    return 'dailyCreates must be a whole number, or null for no limit'
  if (missingEntryPoint !== undefined && missingEntryPoint !== 'refuse' && missingEntryPoint !== 'keep')
    return 'missingEntryPoint must be "refuse" or "keep"'
  if (readsNeedScope !== undefined && typeof readsNeedScope !== 'boolean') return 'readsNeedScope must be true or false'
  return {
    ...(globalDelay === undefined ? {} : { globalDelay }),
    ...(dailyCreates === undefined ? {} : { dailyCreates }),
    ...(missingEntryPoint === undefined ? {} : { missingEntryPoint }),
    ...(readsNeedScope === undefined ? {} : { readsNeedScope }),
  }
}

function isWhole(value: unknown, largest: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= largest
}
