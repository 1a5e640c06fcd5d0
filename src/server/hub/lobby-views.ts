/** Views of the lobbies of connected players: applies news, and sends each player the lobbies that the player is in, and no others. */
import type { Lobby, LobbyMember } from '../../shared/wire/lobby'
import type { VersionedLobby, PlayerFacts } from './lobby-note'

/** Microseconds for which the last state of a lobby is compared with late notes. */
const RECENT = 120_000_000

/** Members here from which on updates of members are sent together: when all members of a lobby connect, each would be sent to each. */
const LARGE = 50
/** ms for which they are collected. */
export const COLLECT = 250

/** Sends events of one kind to all streams of players in this process. */
export type SendEvent = (playerIds: Iterable<string>, name: string, ...data: readonly unknown[]) => void

interface View {
  readonly state: VersionedLobby
  /** The lobby as JSON, to detect changes. */
  readonly text: string
  /** Connected players who were members in the last state. */
  readonly local: Set<string>
}

export class LobbyViews {
  readonly #send: SendEvent
  readonly #isConnected: (playerId: string) => boolean
  readonly #views = new Map<string, View>()
  readonly #facts = new Map<string, PlayerFacts>()
  /** Ids of the lobbies of each member, connected or not. */
  readonly #memberships = new Map<string, Set<string>>()

  readonly #collect: (sendAll: () => void) => void
  /** Members whose updates are collected, by lobby. */
  readonly #updated = new Map<string, Set<string>>()

  /** @param collect calls a function after `COLLECT` ms. */
  constructor(
    send: SendEvent,
    isConnected: (playerId: string) => boolean,
    collect: (sendAll: () => void) => void,
  ) {
    this.#send = send
    this.#isConnected = isConnected
    this.#collect = collect
  }

  /** Version of the last applied state; 0 if there is none. */
  versionOf(lobbyId: string): number {
    return this.#views.get(lobbyId)?.state.version ?? 0
  }

  state(lobbyId: string): VersionedLobby | undefined {
    return this.#views.get(lobbyId)?.state
  }

  /** The last applied state as JSON. */
  textOf(lobbyId: string): string | undefined {
    return this.#views.get(lobbyId)?.text
  }

  isMember(lobbyId: string, playerId: string): boolean {
    return this.#memberships.get(playerId)?.has(lobbyId) ?? false
  }

  /** Lobbies with a connected member. */
  watched(): VersionedLobby[] {
    return [...this.#views.values()].filter(({ local }) => local.size > 0).map(({ state }) => state)
  }

  /** True if a connected player is a member. */
  hasLocal(lobbyId: string): boolean {
    return (this.#views.get(lobbyId)?.local.size ?? 0) > 0
  }

  lobbiesOf(playerId: string): string[] {
    return [...(this.#memberships.get(playerId) ?? [])]
  }

  /** Applies a state unless a newer one is known. Returns ids of members whose facts are unknown. */
  apply(state: VersionedLobby): string[] {
    const known = this.#views.get(state.id)
    if (known && known.state.version >= state.version) return []
    const text = JSON.stringify(state.lobby)
    const isSame = known?.text === text
    const members = state.lobby?.members ?? []
    const local = new Set(members.map(({ id }): string => id).filter((id) => this.#isConnected(id)))
    this.#views.set(state.id, { state, text, local })
    this.#index(known?.state.lobby, state.lobby)
    this.#send(
      [...(known?.local ?? [])].filter((id) => !local.has(id)),
      'lobby.deleted',
      { id: state.id },
    )
    const uninformed = isSame ? [...local].filter((id) => !known.local.has(id)) : local
    if (state.lobby) this.#send(uninformed, 'lobby.updated', this.#describe(state.lobby))
    return local.size === 0 ? [] : members.map(({ id }): string => id).filter((id) => !this.#facts.has(id))
  }

  /** Sends the current states of a player's lobbies, at the start of a stream. */
  snapshot(playerId: string, lobbyIds: Iterable<string>, send: (name: string, data: unknown) => void): void {
    for (const lobbyId of lobbyIds) {
      const view = this.#views.get(lobbyId)
      if (!view?.state.lobby || !this.isMember(lobbyId, playerId)) continue
      view.local.add(playerId)
      send('lobby.updated', this.#describe(view.state.lobby))
    }
  }

  /** Sends events to the connected members of a lobby. */
  sendToMembers(lobbyId: string, name: string, ...data: readonly unknown[]): void {
    this.#send(this.#views.get(lobbyId)?.local ?? [], name, ...data)
  }

  /** Updates names and presence of players, and sends the changes to the members of their lobbies. */
  learn(players: readonly PlayerFacts[]): void {
    const changed = players.filter((facts) => !areSameFacts(this.#facts.get(facts.id), facts))
    for (const facts of changed) this.#facts.set(facts.id, facts)
    for (const { id } of changed)
      for (const lobbyId of this.lobbiesOf(id)) {
        const local = this.#views.get(lobbyId)?.local
        if (local && local.size > LARGE) this.#collectUpdate(lobbyId, id)
        else if (local && local.size > 0) this.#sendMembers(lobbyId, new Set([id]))
      }
  }

  #collectUpdate(lobbyId: string, playerId: string): void {
    if (this.#updated.size === 0) this.#collect(() => this.#sendUpdated())
    const members = this.#updated.get(lobbyId) ?? new Set()
    this.#updated.set(lobbyId, members.add(playerId))
  }

  #sendUpdated(): void {
    for (const [lobbyId, playerIds] of this.#updated) this.#sendMembers(lobbyId, playerIds)
    this.#updated.clear()
  }

  /** Sends members as they are now. */
  #sendMembers(lobbyId: string, playerIds: ReadonlySet<string>): void {
    const { state, local } = this.#views.get(lobbyId) ?? {}
    const members = state?.lobby?.members.filter(({ id }) => playerIds.has(id)) ?? []
    const updates = members.map((member) => ({ lobby_id: lobbyId, member: this.#describeMember(member) }))
    if (updates.length > 0) this.#send(local ?? [], 'lobby.member_updated', ...updates)
  }

  /** Ids of players who are not connected here. */
  elsewhere(): string[] {
    return [...this.#facts.keys()].filter((id) => !this.#isConnected(id))
  }

  facts(playerId: string): PlayerFacts | undefined {
    return this.#facts.get(playerId)
  }

  disconnect(playerId: string): void {
    for (const lobbyId of this.lobbiesOf(playerId)) this.#views.get(lobbyId)?.local.delete(playerId)
  }

  /** Removes lobbies without a connected member, and players of no remaining lobby. Keeps states that a late note may precede. */
  sweep(now: number): void {
    for (const [id, { local, state }] of this.#views) {
      if (local.size > 0 || state.version > now * 1000 - RECENT) continue
      this.#views.delete(id)
      this.#index(state.lobby, null)
    }
    for (const id of this.#facts.keys()) if (!this.#memberships.has(id)) this.#facts.delete(id)
  }

  #index(before: Lobby | null | undefined, after: Lobby | null): void {
    const [id, staying] = [before?.id ?? after?.id ?? '', new Set(after?.members.map((member) => member.id))]
    for (const member of before?.members ?? []) {
      if (staying.has(member.id)) continue
      const lobbies = this.#memberships.get(member.id)
      if (lobbies?.delete(id) && lobbies.size === 0) this.#memberships.delete(member.id)
    }
    for (const member of staying) {
      const lobbies = this.#memberships.get(member) ?? new Set()
      this.#memberships.set(member, lobbies.add(id))
    }
  }

  /** Adds names and presence to the members. */
  #describe(lobby: Lobby): Lobby {
    return { ...lobby, members: lobby.members.map((member) => this.#describeMember(member)) }
  }

  #describeMember(member: LobbyMember): LobbyMember {
    return { ...member, ...describePlayer(this.#facts.get(member.id)) }
  }
}

const areSameFacts = (known: PlayerFacts | undefined, facts: PlayerFacts): boolean =>
  known?.online === facts.online && known.username === facts.username && known.globalName === facts.globalName

function describePlayer(facts: PlayerFacts | undefined): object {
  if (!facts) return {}
  const { username, globalName, online } = facts
  const user = username === undefined ? {} : { user: { username, global_name: globalName ?? null } }
  return { ...user, presence: online ? 'online' : 'away' }
}
