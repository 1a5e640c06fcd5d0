/** Lobbies and players as all processes of a hub store them in the broker. */
import type { Clock } from '../../shared/foundation/clock'
import { isSnowflake } from '../../shared/foundation/ids'
import type { Lobby } from '../../shared/wire/lobby'
import type { Player } from '../players/player'
import type { LobbyBroker } from './lobby-broker'
import {
  decodeNames,
  decodeNote,
  decodeState,
  encodeNote,
  type LobbyNote,
  type VersionedLobby,
  type PlayerFacts,
  readVersion,
} from './lobby-note'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
/** ms for which the state of a lobby, the end of a lobby, and the lobbies and names of a player are stored. */
const STATE_TTL = 60 * MINUTE
const ENDED_TTL = 10 * MINUTE
const PLAYER_TTL = DAY
/** ms after which a process that does not renew them is taken for dead; see `HeartbeatRounds`. */
const STREAM_TTL = 45_000
/** Players in one note. */
const NOTE_SIZE = 200

export interface SharedLobbiesOptions {
  readonly broker: LobbyBroker
  readonly clock: Clock
  /** Identifies this process among those of the hub. */
  readonly processId: string
}

export interface NoteListener {
  readonly onNote: (note: LobbyNote) => void
  /** Called after notes may have been lost. */
  readonly onGap: () => void
  /** Called for a note that no hub of this version has written. */
  readonly onInvalid: () => void
  /** Called while notes cannot be received, with the reason. */
  readonly onFailed: (error: unknown) => void
  /** Returns the version of a lobby's state in this process: notes with older ones are ignored. */
  readonly versionOf: (lobbyId: string) => number
}

export class SharedLobbies {
  readonly #options: SharedLobbiesOptions

  constructor(options: SharedLobbiesOptions) {
    this.#options = options
  }

  /** The broker, and the name of this process in it. */
  get processes(): Pick<SharedLobbiesOptions, 'broker' | 'processId'> {
    const { broker, processId } = this.#options
    return { broker, processId }
  }

  /** Version for a read that starts now. Without the broker: from this machine's clock, so that the read counts here. */
  async startRead(known: number): Promise<number> {
    const { broker, clock } = this.#options
    return broker.nextVersion(known).catch(() => Math.max(known + 1, Math.floor(clock.now() * 1000)))
  }

  /** Stores a state and publishes it, unless a newer one is stored. Rejects while the broker is unavailable. */
  async publishState(
    state: VersionedLobby,
    before: Lobby | null | undefined,
    { isRepeated = false } = {},
  ): Promise<void> {
    const { broker } = this.#options
    const text = JSON.stringify(state)
    const isNewest = await broker.putNewest(
      `lobby:${state.id}`,
      { version: state.version, text },
      state.lobby ? STATE_TTL : ENDED_TTL,
    )
    if (!isNewest) return
    const known = new Set(before?.members.map(({ id }) => id))
    const added = (state.lobby?.members ?? []).filter(({ id }) => !known.has(id))
    await Promise.all([
      this.publish({
        kind: 'lobby',
        id: state.id,
        version: state.version,
        lobby: state.lobby,
        ...(isRepeated && { isRepeated }),
      }),
      added.length > 0 &&
        broker.addMember(
          added.map(({ id }) => `lobbies:${id}`),
          state.id,
          PLAYER_TTL,
        ),
    ])
  }

  async publish(note: LobbyNote): Promise<void> {
    await this.#options.broker.publish(encodeNote(note))
  }

  subscribe({ onNote, onGap, onInvalid, onFailed, versionOf }: NoteListener): () => void {
    const note = (text: string) => {
      const state = readVersion(text)
      // Own states return too: decoding them would take longer than all other work for a change.
      if (state && state.version <= versionOf(state.id)) return
      const decoded = decodeNote(text)
      if (decoded) onNote(decoded)
      else onInvalid()
    }
    return this.#options.broker.subscribe({ note, gap: onGap, failed: onFailed })
  }

  async states(lobbyIds: readonly string[]): Promise<(VersionedLobby | undefined)[]> {
    if (lobbyIds.length === 0) return []
    const stored = await this.#options.broker.getAll(lobbyIds.map((id) => `lobby:${id}`))
    return lobbyIds.map((id, index) => decodeState(stored[index], id))
  }

  /** Ids of the lobbies that may contain one of the players. */
  async lobbiesOf(playerIds: readonly string[]): Promise<string[]> {
    if (playerIds.length === 0) return []
    const found = await this.#options.broker.membersOf(playerIds.map((id) => `lobbies:${id}`))
    return [...new Set(found.flat())].filter(isSnowflake)
  }

  async removeFromLobby(playerId: string, lobbyId: string): Promise<void> {
    await this.#options.broker.removeMember(`lobbies:${playerId}`, lobbyId)
  }

  /** Stores streams and names of players, and then publishes them: a process that missed the note reads what is stored. */
  async connectPlayers(given: readonly Omit<Player, 'claims'>[]): Promise<void> {
    const players = given.map(({ id, ...names }): PlayerFacts => ({ id, ...namesOf(names), online: true }))
    await Promise.all([
      this.renewStreams(players.map(({ id }) => id)),
      ...players.map((player) => this.#storeNames(player)),
    ])
    for (let at = 0; at < players.length; at += NOTE_SIZE) {
      await this.publish({ kind: 'players', players: players.slice(at, at + NOTE_SIZE) })
    }
  }

  async renewStreams(playerIds: readonly string[]): Promise<void> {
    const { broker, processId } = this.#options
    if (playerIds.length === 0) return
    await broker.addMember(
      playerIds.map((id) => `streams:${id}`),
      processId,
      STREAM_TTL,
    )
  }

  async endStream(playerId: string): Promise<void> {
    await this.#options.broker.removeMember(`streams:${playerId}`, this.#options.processId)
  }

  async #storeNames({ id, ...names }: PlayerFacts): Promise<void> {
    if (names.username === undefined) return
    await this.#options.broker.put(`player:${id}`, JSON.stringify(namesOf(names)), PLAYER_TTL)
  }

  /** Stored names of a player; empty if there are none. */
  async names(playerId: string): Promise<Pick<PlayerFacts, 'username' | 'globalName'>> {
    return decodeNames((await this.#options.broker.getAll([`player:${playerId}`]))[0])
  }

  /** Names and presence of players. */
  async facts(playerIds: readonly string[]): Promise<PlayerFacts[]> {
    if (playerIds.length === 0) return []
    const { broker } = this.#options
    const [names, streams] = await Promise.all([
      broker.getAll(playerIds.map((id) => `player:${id}`)),
      broker.membersOf(playerIds.map((id) => `streams:${id}`)),
    ])
    return playerIds.map((id, index) => ({
      id,
      ...decodeNames(names[index]),
      online: (streams[index] ?? []).length > 0,
    }))
  }
}

function namesOf({
  username,
  globalName,
}: Pick<Player, 'username' | 'globalName'>): Pick<PlayerFacts, 'username' | 'globalName'> {
  return { ...(username !== undefined && { username }), ...(globalName !== undefined && { globalName }) }
}
