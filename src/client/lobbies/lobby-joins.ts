/** Calls with which a player enters lobbies. */
import type { CallOptions } from '../../shared/foundation/options'
import type { JoinOptions } from './validate-player-input'
import type { Lobby } from './lobby'

export interface LobbyJoins {
  createOrJoinLobby(secret: string, options?: JoinOptions & CallOptions): Promise<Lobby>
  add(lobby: unknown): Promise<Lobby>
  clearRateLimitBlocks(): Promise<void>
  /** Brings back the lobbies that are kept beside the session. Never rejects. */
  restore(): Promise<void>
}
