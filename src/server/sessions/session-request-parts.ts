/** Parts that the requests of a page to its session share. */
import type { Clock } from '../../shared/foundation/clock'
import type { ApplicationId, UserId } from '../../shared/foundation/ids'
import type { Log } from '../../shared/foundation/log-entry'
import type { Api } from '../../shared/http/api'
import type { ServiceConfig } from '../../shared/service/service-config'
import type { TokenSet } from '../../shared/tokens/token-set'
import type { ApplicationTokens } from './application-tokens'
import type { BackendSessions } from './backend-sessions'
import type { PlayerBudget } from './player-budget'
import type { CookiePlace } from './session-cookies'
import type { Seal } from './sealed-text'

export interface SessionRequestParts {
  readonly sessions: BackendSessions
  readonly tokens: Pick<ApplicationTokens, 'exchangeCode' | 'revoke'>
  /** Asks the service whose an access token is, if no ID token says so. */
  readonly identify: (tokens: TokenSet) => Promise<UserId>
  readonly service: Readonly<ServiceConfig>
  readonly applicationId: ApplicationId
  readonly origins: readonly string[]
  readonly seal: Seal
  readonly clock: Clock
  readonly log: Log
  readonly place: CookiePlace
  /** Path of the handler, without a slash at the end. */
  readonly path: string
  /** Registered redirect URI of `callback`. */
  readonly redirectUri: string | undefined
  readonly scopes: string
  /** ms after its last use until a session ends. */
  readonly maxAge: number
  /** For pages without tokens. Undefined if the page gets them. */
  readonly relay: Relay | undefined
}

/** Parts of relayed calls. */
export interface Relay {
  readonly api: Api
  /** Relayed calls of each player: the limit of all requests is shared with other players and refreshes. */
  readonly budget: PlayerBudget
}
