/** Tells what went wrong, to whoever listens, and never fails at that. */
import type { Log, LogLevel } from '../foundation/log'
import type { PlayerInteraction } from '../wire/interaction'
import { InteractionError } from './error'

/** Gets every refusal and failure. What it throws is dropped. */
export type OnError = (error: InteractionError, interaction: PlayerInteraction | undefined) => unknown

export interface Listeners {
  readonly logger?: Log | undefined
  readonly onError?: OnError | undefined
}

export type Report = (error: InteractionError, interaction?: PlayerInteraction) => void

/** With nobody listening, what is wrong with a handler goes to the console: a backend whose errors vanish cannot be mended. */
export function createReport({ logger, onError }: Listeners): Report {
  const listen = onError ?? (logger ? undefined : printFailure)
  return (error, interaction) => {
    attempt(() =>
      logger?.(levelOf(error), `interaction.${error.code}`, { message: error.message, ...(interaction && { id: interaction.id }) }),
    )
    attempt(() => listen?.(error, interaction))
  }
}

/** Requests that are not believed are daily business: the service sends some itself. */
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
}

/** Also when it fails later. */
function attempt(act: () => unknown): void {
  try {
    Promise.resolve(act()).catch(() => undefined)
  } catch {
    // Whoever listens must not change what the player gets.
  }
}

/** The error itself, or that the handler threw it. */
export const asInteractionError = (error: unknown, subject: string): InteractionError =>
  error instanceof InteractionError ? error : new InteractionError('handler_failed', subject, { cause: error })
