/** Error reporting to logger and `onError`. Never throws. */
import type { Log, LogLevel } from '../../shared/foundation/log-entry'
import type { PlayerInteraction } from '../../shared/wire/interaction-request'
import { InteractionError } from './interaction-error'

/** Receives every refusal and failure. Its own exceptions are ignored. */
export type OnError = (error: InteractionError, interaction: PlayerInteraction | undefined) => unknown

/** Receivers of reports. */
export interface Listeners {
  /** Receives every report as a log entry. Default: none. */
  readonly logger?: Log | undefined
  /** Receives every error with its interaction, if known. Default: failures are printed to the console unless there is a logger. */
  readonly onError?: OnError | undefined
}

export type Report = (error: InteractionError, interaction?: PlayerInteraction) => void

/** Without logger and `onError`, handler failures are printed to the console, so that they do not go unnoticed. */
export function createReport({ logger, onError }: Listeners): Report {
  const listen = onError ?? (logger ? () => undefined : printFailure)
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

/** Refused requests are warnings: the service itself sends invalid ones regularly. */
const levelOf = ({ code }: InteractionError): LogLevel => (FAILURES.has(code) ? 'error' : 'warn')

const FAILURES: ReadonlySet<string> = new Set([
  'handler_failed',
  'no_answer',
  'too_slow',
  'service_missing',
  'key_unusable',
  'replay_unknown',
  'body_consumed',
])

function printFailure(error: InteractionError): void {
  if (FAILURES.has(error.code)) console.error(error)
  if (error.code === 'suggestions_dropped') console.warn(error.message)
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
  error instanceof InteractionError
    ? error
    : new InteractionError('handler_failed', subject, { cause: error })
