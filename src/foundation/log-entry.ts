/** The SDK's log: named steps, with data that is safe to store. */

import type { Check } from './logged-response-check'

/** Severity of a log entry. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

/** An entry of the log. `data` never holds a secret. */
export interface LogEntry {
  /** Severity. */
  level: LogLevel
  /** A stable name, for example `id_token.verified`. */
  step: string
  /** Details of the step. Never secret. */
  data: Readonly<Record<string, string | number | boolean | readonly Check[]>>
}

/** Receives log entries. */
export type Log = (level: LogLevel, step: string, data?: LogEntry['data']) => void
