/** The endpoint that the service delivers interactions to: a function from request to response that never fails. */
import { type Clock, systemClock } from '../foundation/clock'
import { ConfigurationError } from '../foundation/errors'
import type { FirstAnswer } from './response'
import type { InteractionCalls } from './calls'
import type { DefinedCommand } from './command'
import type { ComponentInteraction, ModalInteraction } from './interaction-types'
import { InteractionError } from './error'
import type { Handler } from './handler-types'
import type { PublicKey } from './key'
import { createReplayMemory, type ReplayStore } from './replay'
import { createReport, type Listeners, type Report } from './report'
import { Router } from './router'
import { type ErrorMessage, defaultErrorMessage } from './run-handler'
import { createVerifier, refusalError, type Verification } from './verify'

/** What the endpoint is made of, beside its way to the service. */
export interface InteractionHandlerBase extends Listeners {
  /** The 64 hex digits that the service shows for the application. */
  publicKey: PublicKey
  commands: readonly DefinedCommand[]
  /** Buttons and menus in messages. */
  onComponent?: Handler<ComponentInteraction>
  /** Forms that were sent. */
  onModal?: Handler<ModalInteraction>
  /** What the player reads, alone, when something went wrong. It must tell nothing of the inside. */
  errorMessage?: ErrorMessage
  /** ms that a signature is good for. Default: 5 minutes; at most 15. */
  maxAge?: number
  /** Default: 256 KiB. */
  maxBodyBytes?: number
  /** Shared by several processes. Default: the memory of this one. */
  replays?: ReplayStore
  clock?: Clock
}

/** What some runtimes need in order to go on after the response: there it is the third argument of `fetch`. */
export interface RequestContext {
  waitUntil?(work: Promise<unknown>): void
}

/** Never rejects. */
export type InteractionHandler = (request: Request, context?: RequestContext) => Promise<Response>

/** @throws ConfigurationError `invalid_argument`. */
export function createHandler(options: InteractionHandlerBase, calls: InteractionCalls | undefined): InteractionHandler {
  const {
    publicKey,
    commands,
    onComponent,
    onModal,
    errorMessage = defaultErrorMessage,
    maxAge,
    maxBodyBytes,
    clock = systemClock,
  } = options
  if (!Array.isArray(commands)) throw new ConfigurationError('invalid_argument', 'commands: a list')
  const report = createReport(options)
  const replays = options.replays ?? createReplayMemory({ clock })
  const limits = { ...(maxAge !== undefined && { maxAge }), ...(maxBodyBytes !== undefined && { maxBodyBytes }) }
  const verify = createVerifier(publicKey, { ...limits, replays, clock })
  const router = new Router({ commands, onComponent, onModal, calls, clock, report, errorMessage })
  return async (request, context) => {
    try {
      const since = clock.now()
      const verification = await verify(request)
      if (!verification.ok) return refusal(verification.reason, report)
      const { interaction } = verification
      if (interaction.type === 1) return json('{"type":1}')
      const { first, done } = router.dispatch(interaction, since)
      context?.waitUntil?.(done)
      return respond(await first)
    } catch (error) {
      report(new InteractionError('handler_failed', 'the endpoint itself', { cause: error }))
      return json('{"reason":"internal"}', 500)
    }
  }
}

/** 401 for what is not to be believed, 400 for what the service signed and nobody understands. */
function refusal(reason: Extract<Verification, { ok: false }>['reason'], report: Report): Response {
  report(refusalError(reason))
  return json(JSON.stringify({ reason }), reason === 'malformed_interaction' || reason === 'unknown_type' ? 400 : 401)
}

/** 202 without a body: the answer was sent by a call (supplement A.5.1). */
const respond = (first: FirstAnswer): Response => (first === undefined ? new Response(null, { status: 202 }) : json(first))

const json = (body: string, status = 200): Response => new Response(body, { status, headers: { 'content-type': 'application/json' } })
