/** What a client is made of, and what its parts share: everything that they stand on, and nothing of the client itself. */
import type { EventEmitter } from 'eventemitter3'
import type { AuthorizationFlow } from '../authorization/flow'
import type { Log } from '../foundation/log'
import type { LimitedApi } from '../http/limited-api'
import type { Lobby } from '../lobbies/lobby'
import type { JoinOptions } from '../lobbies/validate-player-input'
import type { RateLimitUsage } from '../rate-limit/events'
import type { TokenClient } from '../tokens/token-client'
import type { ClientEvents } from './events'
import type { ResolvedOptions } from './options'
import type { AuthState } from './auth-state'
import type { Sessions } from './session-api'

/** What the environment brings beside the options. */
export interface ClientParts extends ResolvedOptions {
  /** The code of sessions, with what surrounds them here: other tabs, sleep, the network's word. */
  loadSessions: (context: ClientContext) => Promise<Sessions>
}

export interface ClientContext extends ResolvedOptions {
  log: Log
  /** Aborts when the client is closed. */
  closeSignal: AbortSignal
  flow: AuthorizationFlow
  /** Redeems codes, and reads and verifies what the token endpoint answers. */
  exchange: () => Promise<TokenClient>
  /** Keeps and renews the session. */
  sessions: () => Promise<Sessions>
  /** One for each `hold()` that was not released. */
  holds: Set<object>
  /** Who is signed in. */
  authState: AuthState
  /** `createOrJoinLobby`, for a part that stands on another one. */
  joinLobby(secret: string, options?: JoinOptions & { signal?: AbortSignal }): Promise<Lobby>
  emit: EventEmitter<ClientEvents>['emit']
  /** The lobbies that are known, by id. */
  lobbies: Map<string, Lobby>
  /** Every limit in use; absent until there is one. */
  limits?: () => RateLimitUsage[]
  /** Made once. */
  playerApi?: () => Promise<LimitedApi>
}
