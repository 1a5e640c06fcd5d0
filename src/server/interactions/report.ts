/** Error reporting to logger and `onError`. Never throws. */
import { FoyerError } from '../../shared/foundation/errors'
import type { Log, LogLevel } from '../../shared/foundation/log-entry'
import type { PlayerInteraction } from '../../shared/wire/interaction-request'
import { habitRemedy } from './habit-remedy'
import { InteractionError, type InteractionErrorCode } from './interaction-error'

/** Receives every refusal and failure. Its own exceptions are ignored. */
export type OnError = (error: InteractionError, interaction: PlayerInteraction | undefined) => unknown

/** Receivers of reports. */
export interface Listeners {
  /** Receives every report as a log entry. Default: none. */
  readonly logger?: Log | undefined
  /** Receives every error with its interaction, if known. Default: all but refused requests are printed to the console, unless there is a logger. */
  readonly onError?: OnError | undefined
}

export type Report = (error: InteractionError, interaction?: PlayerInteraction) => void

/** Without logger and `onError`, everything that a developer must know is printed to the console, so that it does not go unnoticed. */
export function createReport({ logger, onError }: Listeners): Report {
  const listen = onError ?? (logger ? () => undefined : createPrint())
  return (error, interaction) => {
    attempt(() =>
      logger?.(levelOf(error), `interaction.${error.code}`, {
        message: error.message,
        ...(interaction && { id: interaction.id }),
      }),
    )
    attempt(() => listen(error, interaction))
  }
}

const levelOf = ({ code }: InteractionError): LogLevel => (FAILURES.has(code) ? 'error' : 'warn')

const FAILURES: ReadonlySet<InteractionErrorCode> = new Set<InteractionErrorCode>([
  'handler_failed',
  'no_answer',
  'too_slow',
  'service_missing',
  'key_unusable',
  'replay_unknown',
  'body_consumed',
])

/** Refused requests are not printed: strangers send them, and the service itself sends invalid ones regularly. */
const REFUSALS: ReadonlySet<InteractionErrorCode> = new Set<InteractionErrorCode>([
  'missing_header',
  'malformed_signature',
  'malformed_timestamp',
  'malformed_body',
  'old_timestamp',
  'future_timestamp',
  'body_too_large',
  'body_unreadable',
  'bad_signature',
  'body_altered',
  'replayed',
  'malformed_interaction',
  'unknown_type',
])

/** Lines that each request would repeat are printed once. */
const ONCE: ReadonlySet<InteractionErrorCode> = new Set<InteractionErrorCode>(['body_consumed'])

function createPrint(): (error: InteractionError) => void {
  const told = new Set<string>()
  return (error) => {
    const { code } = error
    if (REFUSALS.has(code) || told.has(code)) return
    if (ONCE.has(code)) told.add(code)
    const line = `foyer-sdk: ${error.message}`
    // Only a cause has a stack that leads into the game's code.
    if (FAILURES.has(code)) console.error(error.cause === undefined ? line : error)
    else console.warn(line)
  }
}

/** Ignores exceptions and rejections. */
function attempt(act: () => unknown): void {
  try {
    Promise.resolve(act()).catch(() => undefined)
  } catch {
    // A failing listener must not affect the response.
  }
}

/** Returns the error if it is an InteractionError, otherwise wraps it as `handler_failed`. */
export const asInteractionError = (error: unknown, subject: string): InteractionError =>
  error instanceof InteractionError ? error : handlerFailed(error, subject)

/** Says in its first line what to do, if the SDK itself has refused something. */
export const handlerFailed = (error: unknown, subject: string): InteractionError =>
  new InteractionError('handler_failed', subject, {
    cause: error,
    remedy: error instanceof FoyerError ? error.message : habitRemedy(error),
  })
