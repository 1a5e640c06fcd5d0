/** Interactions endpoint: a function from request to response that never rejects. */
import { takePort } from '../../shared/foundation/take-options'
import { type Clock, systemClock } from '../../shared/foundation/clock'
import { ConfigurationError } from '../../shared/foundation/errors'
import type { FirstResponse } from './response-state'
import type { InteractionCalls } from './interaction-calls'
import type { DefinedCommand } from './define-command'
import type { DefinedModal } from './define-modal'
import type { ComponentInteraction, ModalInteraction } from './interaction-types'
import { keepAlive, type RequestContext } from './keep-alive'
import type { Handler } from './handler'
import type { PublicKey } from './public-key'
import { requireVisibility, type Visibility } from './visibility'
import { createReplayMemory, REPLAYS, type ReplayStore } from './replay-store'
import { storeReport } from '../keys/store-report'
import { createReport, handlerFailed, type Listeners, type Report } from './report'
import { Router } from './router'
import { requireDeferAfter, timesOf } from './interaction-times'
import { type ErrorMessage, defaultErrorMessage } from './run-handler'
import { createVerifier, refusalError, type Verification } from './verify-interaction'

/** Options of the endpoint, except its connection to the service. */
export interface InteractionHandlerBase extends Listeners {
  /** The application's public key as 64 hex digits, or an imported Ed25519 key. */
  publicKey: PublicKey
  /** Commands from `defineCommand`, unique by type and name. */
  commands: readonly DefinedCommand[]
  /** Handles buttons and select menus. Default: an error message. */
  onComponent?: Handler<ComponentInteraction> | undefined
  /** Modals from `defineModal`, unique by `custom_id`. Default: none. */
  modals?: readonly DefinedModal[] | undefined
  /** Handles submitted modals that are not among `modals`. Default: an error message. */
  onModal?: Handler<ModalInteraction> | undefined
  /** Returns the message shown to the player if a handler fails; it must not reveal internals. Default: a generic English sentence. */
  errorMessage?: ErrorMessage | undefined
  /**
   * Readers of the placeholder of a deferral, and messages that do not say it by `ephemeral`. A command or handler may declare its own. Default:
   * messages are `public`, and so is `defer()`; the automatic deferral is `private`.
   */
  visibility?: Visibility | undefined
  /**
   * Time in ms until a handler without a response is deferred automatically, counted from the signed timestamp: 0 to 2,999. The service waits
   * 3,000 ms for the response to arrive. Default: 2,000.
   */
  deferAfter?: number | undefined
  /** Maximum age of a signature in ms. Default: 300,000 (5 minutes); maximum: 900,000. */
  maxAge?: number | undefined
  /** Maximum body size in bytes. Default: 262,144 (256 KiB). */
  maxBodyBytes?: number | undefined
  /** Replay store shared by several processes. Default: memory of this process. */
  replays?: ReplayStore | undefined
  /** Time source, for tests. Default: the system clock. */
  clock?: Clock | undefined
}

/** Handles one request. Never rejects. */
export type InteractionHandler = (request: Request, context?: RequestContext) => Promise<Response>

/** @throws ConfigurationError `invalid_argument`. */
export function createHandler(
  options: InteractionHandlerBase,
  calls: InteractionCalls | undefined,
): InteractionHandler {
  const {
    publicKey,
    commands,
    modals = [],
    onComponent,
    onModal,
    errorMessage = defaultErrorMessage,
    maxAge,
    maxBodyBytes,
    visibility,
    clock = systemClock,
  } = options
  if (!Array.isArray(commands)) throw new ConfigurationError('invalid_argument', 'commands: a list')
  const report = createReport(options)
  const replays =
    takePort(
      options.replays,
      { ...REPLAYS, onFailure: storeReport('replays of createInteractionHandler', options.logger) },
      clock,
    ) ?? createReplayMemory({ clock })
  const limits = {
    ...(maxAge !== undefined && { maxAge }),
    ...(maxBodyBytes !== undefined && { maxBodyBytes }),
  }
  const verify = createVerifier(publicKey, { ...limits, replays, clock })
  const deferAfter = requireDeferAfter(options.deferAfter)
  requireVisibility(visibility)
  const router = new Router({
    commands,
    modals,
    onComponent,
    onModal,
    calls,
    clock,
    report,
    errorMessage,
    deferAfter,
    visibility,
  })
  return async (request, context) => {
    try {
      const received = clock.now()
      const verification = await verify(request)
      if (!verification.ok) return refuse(verification.reason, report)
      const { interaction } = verification
      if (interaction.type === 1) return json('{"type":1}')
      const { first, done } = router.dispatch(interaction, timesOf(verification.signedAt, received))
      keepAlive(context, done, report)
      return respond(await first)
    } catch (error) {
      report(handlerFailed(error, 'the endpoint itself'))
      return json('{"reason":"internal"}', 500)
    }
  }
}

/** Of reasons that are no fault of the signature. */
const STATUS: Partial<Record<string, number>> = {
  malformed_interaction: 400,
  unknown_type: 400,
  replay_unknown: 500,
}

/** Responds 401 to unverified requests, 400 to signed but unsupported ones, 500 while the replay store is unavailable. */
function refuse(reason: Extract<Verification, { ok: false }>['reason'], report: Report): Response {
  report(refusalError(reason))
  return json(JSON.stringify({ reason }), STATUS[reason] ?? 401)
}

/** Responds 202 without a body if the first response was a separate call (docs/interface/interactions.md#delivery). */
const respond = (first: FirstResponse): Response =>
  first === undefined
    ? new Response(null, { status: 202 })
    : new Response(first.content, { headers: { 'content-type': first.contentType } })

const json = (body: string, status = 200): Response =>
  new Response(body, { status, headers: { 'content-type': 'application/json' } })
