/** Port for everything that the processes of a lobby hub share. */
import type { TicketStore } from '../players/player-tickets'

/** Receives notes of all processes. */
export interface BrokerListener {
  /** Called with every note, perhaps twice, late, or after a newer one. */
  note(text: string): void
  /** Called after notes may have been lost, for example when a connection was restored. */
  gap(): void
  /** Called while notes cannot be received, with the reason. */
  failed?(error: unknown): void
}

/** Text with the version under which it is stored. */
export interface VersionedText {
  /** Orders the texts of one key. */
  readonly version: number
  /** The stored text. */
  readonly text: string
}

/**
 * Shared by all processes of a hub: `memoryLobbyBroker()` for one process, `redisLobbyBroker(redis)` for several. Everything that is stored
 * has an end, so that a process that dies leaves nothing behind. All durations are in ms.
 */
export interface LobbyBroker extends TicketStore {
  /** Returns the same broker with keys and notes of their own for an application, whose hub calls it. Default: each key and each note begins with the application id. */
  forApplication?(applicationId: string): LobbyBroker
  /** Stores a text. */
  put(key: string, text: string, ttl: number): Promise<void>
  /** Removes a text and returns it. Must be atomic: of two concurrent calls, one receives it. */
  take(key: string): Promise<string | undefined>
  /** Sends a note to all processes, this one included. */
  publish(note: string): Promise<void>
  /** Starts listening. Returns an unsubscribe function. */
  subscribe(listener: BrokerListener): () => void
  /** Returns a version greater than `least` and than all that were returned before, in any process. */
  nextVersion(least: number): Promise<number>
  /** Stores a text unless one with a greater version is stored. Resolves with true if it was stored. Must be atomic. */
  putNewest(key: string, value: VersionedText, ttl: number): Promise<boolean>
  /** Returns the stored texts in the order of the keys. */
  getAll(keys: readonly string[]): Promise<(string | undefined)[]>
  /** Adds to a number, which ends `ttl` ms after its first addition, and resolves with the sum. Must be atomic. */
  increment(key: string, amount: number, ttl: number): Promise<number>
  /** Adds a member to each set, until `ttl` has passed since its last addition. */
  addMember(sets: readonly string[], member: string, ttl: number): Promise<void>
  /** Removes a member of a set. */
  removeMember(set: string, member: string): Promise<void>
  /** Returns the members of each set. */
  membersOf(sets: readonly string[]): Promise<string[][]>
}
