/** Parts that the requests of a page to its session share. */
import type { Clock } from '../../shared/foundation/clock'
import type { ApplicationId } from '../../shared/foundation/ids'
import type { Log } from '../../shared/foundation/log-entry'
import type { ServiceConfig } from '../../shared/service/service-config'
import type { BackendCaller, StrangerReader } from '../budget/backend-caller'
import type { BackendSessions } from './backend-sessions'
import type { CookiePlace } from './session-cookies'
import type { Seal } from './sealed-text'
import type { SessionService } from './session-service'
import type { SessionStore } from './session-store'

/** Parts of a session handler. */
export interface SessionHandlerParts {
  readonly sessions: BackendSessions
  /** The service for what this caller causes. */
  readonly serviceFor: (caller: BackendCaller) => SessionService
  readonly strangerOf: StrangerReader
  /** Remembers which attempts were used. */
  readonly store: Pick<SessionStore, 'lock' | 'unlock'>
  readonly service: Readonly<ServiceConfig>
  readonly applicationId: ApplicationId
  readonly origins: readonly string[]
  readonly seal: Seal
  readonly clock: Clock
  readonly log: Log
  /** The cookies of a request. */
  readonly placeOf: (request: Request) => CookiePlace
  /** Path of the handler, without a slash at the end. */
  readonly path: string
  /** Registered redirect URI of `callback`. */
  readonly redirectUri: string | undefined
  readonly scopes: string
  /** ms after its last use until a session ends. */
  readonly maxAge: number
  /** True for pages without tokens: their calls go through the backend. */
  readonly isRelaying: boolean
}

/** Parts of one request. */
export interface SessionRequestParts extends SessionHandlerParts {
  readonly place: CookiePlace
}
