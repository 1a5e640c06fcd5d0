/** State and services shared by the modules of one client. */
import type { AuthorizationFlow } from '../../shared/authorization/authorization-flow'
import type { Log } from '../../shared/foundation/log-entry'
import type { LimitedApi } from '../../shared/http/limited-api'
import type { LobbyId, LobbyState } from '../lobbies/lobby-state'
import type { RateLimitUsage } from '../../shared/rate-limit/limiter-events'
import type { VerifiedTokens } from '../../shared/tokens/requests/token-endpoint'
import type { LiveLobbies } from '../lobbies/live-lobbies'
import type { LobbyJoins } from '../lobbies/lobby-joins'
import type { Lobby } from '../lobbies/lobby'
import type { EmitEvent, ListenToEvent } from './client-events'
import type { ResolvedOptions } from './client-options'
import type { AuthState } from './auth-state'
import type { Caller } from './caller'
import type { PlayerRequests } from '../lobbies/lobby-updates'
import type { Exchange } from './exchange'
import type { SessionBackend } from './session-backend'
import type { PageServices } from './page-services'
import type { Sessions } from './sessions'

/** Options plus the services of the environment. */
export interface ClientParts extends ResolvedOptions {
  /** Loads the session module with the environment's locks, broadcasts and online state. */
  loadSessions: (context: ClientContext) => Promise<Sessions>
  /** Lets the game's backend redeem codes. Default: the client does. */
  adaptExchange?: ((context: ClientContext, exchange: Exchange) => Promise<Exchange>) | undefined
}

export interface ClientContext extends ResolvedOptions {
  /** Passes entries to the logger and emits `log`. */
  log: Log
  /** Aborts when the client is closed. */
  closeSignal: AbortSignal
  flow: AuthorizationFlow
  /** Loads the steps after a consent: verifies callbacks, redeems codes, and reads token responses. */
  exchange: () => Promise<Exchange>
  /** Loads the session module. */
  sessions: () => Promise<Sessions>
  /** Loads what a stream of lobby updates needs to act for the player. */
  playerRequests: () => Promise<PlayerRequests>
  /** Backend of the option `backendSession`, once it was needed. */
  backend?: SessionBackend
  /** Tokens of a consent whose player the service could not name yet. */
  unidentified?: VerifiedTokens | undefined
  /** Session that the game's backend refused right after a refresh: another refresh would not help. */
  refusedByBackend?: string | undefined
  /** Header with an ID token that the game's backend refused, and that a refresh did not replace. */
  refusedIdToken?: string | undefined
  /** Session for which the access token was announced to replace the ID token. */
  saidAccessToken?: string | undefined
  /** One entry for each `pauseRefresh()` that was not released. */
  holds: Set<object>
  /** Secret of the invitation that the game has taken and not used yet: a redirect brings it back. */
  invitation?: string | undefined
  /** Services of the page, once the first rate-limited call has loaded them. */
  page?: PageServices | undefined
  /** Session and status. */
  authState: AuthState
  /** Loads the calls about lobbies. */
  lobbies: () => Promise<(caller: Caller) => LobbyJoins>
  emit: EmitEvent
  on: ListenToEvent
  /** @throws ConfigurationError `closed`. */
  requireOpen: () => void
  /** States of the player's lobbies by id. */
  lobbyStates: Map<string, LobbyState>
  /** The player's lobbies; absent until the first call about lobbies. */
  liveLobbies?: LiveLobbies<Lobby>
  /** Ids of the player's lobbies, also of those that are about to come back; absent until the first call about lobbies. */
  lobbyIds?: () => LobbyId[]
  /** Lobbies that were kept beside the session, as text, once `resume` has read them. */
  keptLobbies?: string | undefined
  /** Usage of every rate limit; absent until the first rate-limited call. */
  limits?: () => RateLimitUsage[]
  /** Memoized REST client of the player, shared by all modules. */
  playerApi?: () => Promise<LimitedApi>
}
