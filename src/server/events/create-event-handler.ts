/** Endpoint for the service's events: verifies, responds at once, and then calls the game's handlers, once for each event. */
import { storeKey } from '../keys/store-key'
import { type Clock, systemClock } from '../../shared/foundation/clock'
import { base64url } from '../../shared/foundation/crypto'
import { ConfigurationError } from '../../shared/foundation/errors'
import { takeOptions, takePort } from '../../shared/foundation/take-options'
import { InteractionError } from '../interactions/interaction-error'
import { keepAlive, type RequestContext } from '../interactions/keep-alive'
import type { PublicKey } from '../interactions/public-key'
import { createReplayMemory, type ReplayStore, REPLAYS } from '../interactions/replay-store'
import { createReport, type Listeners } from '../interactions/report'
import { createSignatureVerifier, refusalError } from '../interactions/verify-interaction'
import { storeReport } from '../keys/store-report'
import type { EventDataByType, EventListeners, ServiceEvent } from './service-event'
import { hasData, isKnownType, readEvent } from './read-event'

/** Maximum and default age in ms of a signature: the service repeats a request for 10 minutes. */
const MAX_AGE = 15 * 60_000

/** Options of `createEventHandler`. */
export interface EventHandlerOptions extends Listeners {
  /** The application's public key as 64 hex digits, or an imported Ed25519 key. */
  publicKey: PublicKey
  /** Handlers by event name, and `other` for all further events. */
  on: EventListeners
  /** Maximum age of a signature in ms. Default and maximum: 900,000 (15 minutes). */
  maxAge?: number | undefined
  /** Maximum body size in bytes. Default: 262,144 (256 KiB). */
  maxBodyBytes?: number | undefined
  /** Store of delivered events, shared by several processes. Default: memory of this process. */
  replays?: ReplayStore | undefined
  /** Time source, for tests. Default: the system clock. */
  clock?: Clock | undefined
}

/** Handles one request of the service. Never rejects. */
export type EventHandler = (request: Request, context?: RequestContext) => Promise<Response>

const OPTIONS: readonly (keyof EventHandlerOptions)[] = [
  'publicKey',
  'on',
  'maxAge',
  'maxBodyBytes',
  'replays',
  'clock',
  'logger',
  'onError',
]

const EVENTS: readonly (keyof EventListeners)[] = [
  'APPLICATION_AUTHORIZED',
  'APPLICATION_DEAUTHORIZED',
  'LOBBY_MESSAGE_CREATE',
  'LOBBY_MESSAGE_UPDATE',
  'LOBBY_MESSAGE_DELETE',
  'ENTITLEMENT_CREATE',
  'ENTITLEMENT_UPDATE',
  'ENTITLEMENT_DELETE',
  'other',
]

/**
 * Creates the endpoint that the service delivers events to. It verifies requests like `createInteractionHandler`, responds to PING and to
 * events with 204 at once, and then calls the handler of the event. A repeated or replayed event is acknowledged, and calls no handler
 * again. Events may arrive in any order. A handler that fails is reported to `onError`; the event is not delivered again.
 *
 * @throws ConfigurationError `invalid_argument`.
 * @example
 * ```ts
 * const handler = createEventHandler({
 *   publicKey: process.env.FOYER_PUBLIC_KEY,
 *   on: {
 *     LOBBY_MESSAGE_CREATE: (message) => hub.deliverMessage(message),
 *     APPLICATION_DEAUTHORIZED: ({ user }) => players.delete(user.id),
 *   },
 * })
 * ```
 */
export function createEventHandler(options: EventHandlerOptions): EventHandler {
  const given = takeOptions(options, OPTIONS)
  const { publicKey, maxAge = MAX_AGE, maxBodyBytes, clock = systemClock } = given
  if (typeof given.on !== 'object' || given.on === null)
    throw new ConfigurationError('invalid_argument', 'on: handlers by event name')
  const on = takeOptions(given.on, EVENTS, 'on.')
  const replays =
    takePort(
      given.replays,
      { ...REPLAYS, onFailure: storeReport('replays of createEventHandler', given.logger) },
      clock,
    ) ?? createReplayMemory({ clock })
  const report = createReport(given)
  const verify = createSignatureVerifier(publicKey, {
    maxAge,
    clock,
    ...(maxBodyBytes !== undefined && { maxBodyBytes }),
  })
  return async (request, context) => {
    try {
      const bytes = await verify(request)
      if (typeof bytes === 'string') {
        report(refusalError(bytes))
        return Response.json({ reason: bytes }, { status: 401 })
      }
      const received = readEvent(bytes)
      if (received === 'ping') return new Response(null, { status: 204 })
      if (!received) return Response.json({ reason: 'malformed_event' }, { status: 400 })
      const { event, applicationId } = received
      // By content, since a repeated request has another timestamp and signature. Future timestamps stay valid for twice as long.
      if (
        !(await replays.seen(storeKey(applicationId, 'seen', `event:${await digest(bytes)}`), 2 * maxAge))
      ) {
        const work = run(event, on).catch((error: unknown) =>
          report(new InteractionError('handler_failed', event.type, { cause: error })),
        )
        keepAlive(context, work, report)
      }
      return new Response(null, { status: 204 })
    } catch (error) {
      // The service repeats the request: the event is not lost while the store of delivered events is unavailable.
      report(
        error instanceof ConfigurationError
          ? new InteractionError('handler_failed', 'the endpoint itself', { cause: error })
          : new InteractionError('replay_unknown', 'events', { cause: error }),
      )
      return Response.json({ reason: 'internal' }, { status: 500 })
    }
  }
}

async function run(event: ServiceEvent, on: EventListeners): Promise<void> {
  // The response goes first.
  await Promise.resolve()
  const { type, data } = event
  if (isKnownType(type) && hasData(type, data) && Object.hasOwn(on, type))
    await call(on, { type, data }, event)
  else if (Object.hasOwn(on, 'other')) await on.other?.(event)
}

async function call<Type extends keyof EventDataByType>(
  on: {
    readonly [Each in Type]?: ((data: EventDataByType[Each], event: ServiceEvent) => unknown) | undefined
  },
  { type, data }: { type: Type; data: EventDataByType[Type] },
  event: ServiceEvent,
): Promise<void> {
  await on[type]?.(data, event)
}

async function digest(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return base64url(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
}
