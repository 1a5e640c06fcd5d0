/** The SDK's log: named steps, with data that is safe to store. */
import { isRecord } from './untrusted-values'

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

/** A log whose exceptions and rejections are ignored: it must not change the outcome of what it reports. */
export function withoutExceptions(log: Log): Log {
  return (...entry) => {
    try {
      Promise.resolve<unknown>(log(...entry)).catch(() => undefined)
    } catch {
      // Nobody is left to tell.
    }
  }
}

/** For what an operator has to know, if there is no logger. */
export const warnInConsole: Log = (_level, step, data = {}) => console.warn(`foyer-sdk: ${step}`, data)

/** Causes that are printed at most: strangers may cause some. */
const MAX_CAUSES = 50

/** Warnings and errors in the console, each cause once, and not with each request. */
export function onceInConsole(): Log {
  const told = new Set<string>()
  return (level, step, data = {}) => {
    const { code, cause, message } = data
    const key = JSON.stringify([step, code, cause, message])
    if ((level !== 'warn' && level !== 'error') || told.has(key) || told.size >= MAX_CAUSES) return
    told.add(key)
    warnInConsole(level, step, data)
  }
}

/** The outcome of one check of a response, as the log steps `authorization.checked` and `id_token.checked` report it. */
export interface Check {
  /** The checked item: a parameter of the callback, a claim, or `signature`. */
  check: string
  /** `absent`: the item is optional and was left out, so there was nothing to check. */
  result: 'passed' | 'absent' | 'failed'
  /** The required value or a description of it. */
  expected?: string
  /** The actual value. Secrets are replaced by `[secret]`. */
  got?: string
}

/** Formats an untrusted value for a log: visible ASCII, 128 characters at most. */
export const shown = (value: unknown): string =>
  (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).replace(/[^ -~]/g, '?').slice(0, 128)

/** The error's code, and the emulator's reason if there is one. */
export function factsOf(error: unknown): LogEntry['data'] {
  const { code, emulatorRule: rule } = isRecord(error) ? error : {}
  return { code: typeof code === 'string' ? code : 'unknown', ...(typeof rule === 'string' && { rule }) }
}
