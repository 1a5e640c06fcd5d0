/** Events that the service sends to the application's webhook address (docs/interface/events.md#webhooks), in its own format. */
import type { Entitlement } from '../../shared/wire/purchase'

/** User in an event. */
export interface EventUser {
  /** User id. */
  readonly id: string
  /** Unique user name. */
  readonly username: string
  /** Display name; null if the user has set none. */
  readonly global_name?: string | null
  readonly [field: string]: unknown
}

/** Message of a lobby in an event. */
export interface EventMessage {
  /** Message id. */
  readonly id: string
  /** Lobby that the message was sent to. */
  readonly lobby_id: string
  /** Text of the message. Chosen by the user: display it as plain text. */
  readonly content: string
  /** Author of the message. */
  readonly author: EventUser
  readonly [field: string]: unknown
}

/** Data of each event by its name. _Assumed_: the interface does not define webhooks. */
export interface EventDataByType {
  /** A user has authorized the application, or installed it in a guild. */
  APPLICATION_AUTHORIZED: {
    readonly integration_type?: number
    readonly user: EventUser
    readonly scopes: readonly string[]
    readonly guild?: Readonly<Record<string, unknown>>
  }
  /** A user has removed the application. */
  APPLICATION_DEAUTHORIZED: { readonly user: EventUser }
  /** A message was sent in a lobby. */
  LOBBY_MESSAGE_CREATE: EventMessage
  /** A message was changed. */
  LOBBY_MESSAGE_UPDATE: EventMessage
  /** A message was deleted. */
  LOBBY_MESSAGE_DELETE: { readonly id: string; readonly lobby_id: string }
  /** A user has acquired something. */
  ENTITLEMENT_CREATE: Entitlement
  /** An entitlement was renewed or has ended. */
  ENTITLEMENT_UPDATE: Entitlement
  /** An entitlement was refunded or withdrawn. */
  ENTITLEMENT_DELETE: Entitlement
}

/** One event of the service. */
export interface ServiceEvent {
  /** Name, for example `LOBBY_MESSAGE_CREATE`. */
  readonly type: string
  /** Time of the event (ISO 8601, in UTC also where the service omits the zone). Events may arrive in another order. */
  readonly timestamp: string
  /** Data of the event; see `EventDataByType`. */
  readonly data: unknown
}

/** Handlers by event name. Each may be asynchronous; the service has its response before they run. */
export type EventListeners = {
  readonly [Type in keyof EventDataByType]?:
    ((data: EventDataByType[Type], event: ServiceEvent) => unknown) | undefined
} & {
  /** Receives every event without a handler of its own. */
  readonly other?: ((event: ServiceEvent) => unknown) | undefined
}
