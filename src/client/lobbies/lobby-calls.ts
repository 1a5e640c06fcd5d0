/** Port of a lobby: what its calls need, for the player who made the call. */
import type { OwnChange } from './lobby-updates'
import type { PlayerLobbies } from './player-lobbies'
import type { LiveLobby } from './live-lobby'

export interface Polling {
  /** ms. */
  interval: number
  signal: AbortSignal | undefined
}

/** A lobby, as far as polling needs it. */
export type WatchedLobby = Pick<LiveLobby, 'id' | 'on'>

export interface LobbyCalls {
  /** @throws ConfigurationError `closed`. */
  requireOpen(): void
  /** Requests with the token of the player. */
  readonly lobbies: PlayerLobbies
  /** The secret that this player joined the lobby with; undefined for a lobby that was joined in another way, and once it has ended. */
  secretOf(lobbyId: string): string | undefined
  /** The beginning of a link into a lobby, to which its secret is added. Undefined without a page and a scheme. */
  inviteAddress(): string | undefined
  /** Tells the stream of updates. */
  announce(change: OwnChange): void
  /** Address of an invitation to a guild. */
  inviteUrl(code: string): string
  /** Returns a function that ends it. */
  watch(lobby: WatchedLobby, polling: Polling): Promise<() => void>
  /** Returns a function that cancels it. */
  autoLeave(lobbyId: string): Promise<() => void>
  stopAutoLeave(lobbyId: string): void
}

/** Takes the player who is signed in now as the owner of a call. */
export type BeginCall = () => LobbyCalls
