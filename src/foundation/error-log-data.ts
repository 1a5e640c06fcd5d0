/** Facts about an error for a log entry. */
import { isRecord } from './values/guard-untrusted-values'
import type { LogEntry } from './log-entry'

/** The error's code, and the emulator's reason if there is one. */
export function factsOf(error: unknown): LogEntry['data'] {
  const { code, emulatorRule: rule } = isRecord(error) ? error : {}
  return { code: typeof code === 'string' ? code : 'unknown', ...(typeof rule === 'string' && { rule }) }
}
