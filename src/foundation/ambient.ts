/** What a log entry says of an error. */
import { isRecord } from './encoding'
import type { LogEntry } from './log'

/** Its code, and the emulator's reason where there is one. */
export function factsOf(error: unknown): LogEntry['data'] {
  const { code, emulatorRule: rule } = isRecord(error) ? error : {}
  return { code: typeof code === 'string' ? code : 'unknown', ...(typeof rule === 'string' && { rule }) }
}
