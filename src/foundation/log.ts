/** What the SDK tells a game about its own doing: steps by name, with facts that are safe to keep. */

import type { Check } from './check'

export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

/** One step. `data` never holds a secret. */
export interface LogEntry {
  level: LogLevel
  /** A stable name, for example `id_token.verified`. */
  step: string
  data: Readonly<Record<string, string | number | boolean | readonly Check[]>>
}

export type Log = (level: LogLevel, step: string, data?: LogEntry['data']) => void
