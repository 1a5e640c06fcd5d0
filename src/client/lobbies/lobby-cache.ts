/** The lobbies of the player of one client, with what calls and streams say of them: secrets, messages, members. */
import type { UserId } from '../../shared/foundation/ids'
import type { LobbyEndReason, LobbyId, LobbyMember, LobbyMessage, LobbyState } from './lobby-state'
import { type LiveLobby, type CreateLobby, LiveLobbies, type LobbyReport } from './live-lobby'
import { compareIds, isLobbyId } from './read-lobby'
import type { LobbyUpdate } from './lobby-updates'

/** Keeps the secret of a lobby beside the player's session; forgets the lobby without one. */
export type KeepSecret = (id: LobbyId, secret: string | undefined) => void

/** Ends of a session or a client, after which the player may still be in the lobby. */
const ENDS_OF_CLIENT: ReadonlySet<LobbyEndReason> = new Set(['signed_out', 'closed'])
/** Number of message ids stored to prevent duplicate events. */
const MAX_MESSAGE_IDS = 1000

export class LobbyCache<L extends LiveLobby = LiveLobby> extends LiveLobbies<L> {
  readonly #messageIds = new Set<string>()
  /** Secrets that the lobbies were joined with, by lobby id, also of lobbies that are expected. In no state, event or error. */
  readonly #secrets = new Map<LobbyId, string>()
  readonly #keep: KeepSecret
  /** Lobbies from before a reload, in the order in which they were joined. They come back in any order. */
  readonly #earlier = new Set<LobbyId>()
  /** Joins whose responses are awaited. */
  readonly #joins = new Set<object>()
  /** News of a stream about new lobbies, which may be those of the running joins. */
  #held: HeldUpdate[] = []
  /** Incremented when the cache is cleared, so that responses to earlier requests are ignored. */
  generation = 0

  constructor(create: CreateLobby<L>, report: LobbyReport<L>, keep: KeepSecret) {
    super(create, report)
    this.#keep = keep
  }

  /** The secret that the lobby was joined with; undefined once it has ended, and for a lobby that was joined in another way. */
  secretOf(id: string): string | undefined {
    const lobby = this.get(id)
    return lobby && this.#secrets.get(lobby.id)
  }

  override all(): L[] {
    const earlier = Array.from(this.#earlier, (id) => this.get(id)).filter((lobby) => lobby !== undefined)
    return [...new Set([...earlier, ...super.all()])]
  }

  /** The player may be in this lobby, which a stream or a call then shows. */
  expect(id: LobbyId, secret: string): void {
    this.#secrets.set(id, secret)
    if (!this.get(id)) this.#earlier.add(id)
  }

  /** True until a lobby has ended that is expected, or that was joined with a secret. */
  isExpected(id: LobbyId): boolean {
    return this.#secrets.has(id)
  }

  /** Ids of all lobbies, also of expected ones. */
  ids(): LobbyId[] {
    return Array.from(new Set([...this.all().map(({ id }) => id), ...this.#secrets.keys()]))
  }

  /** Stores a response to an own call, which lacks the names and the presence that a stream has reported. `secret`: that of a join. */
  putOwn(lobby: LobbyState, secret?: string): void {
    if (secret !== undefined) {
      this.#secrets.set(lobby.id, secret)
      this.#keep(lobby.id, secret)
    }
    this.#show(lobby.id)
    const known = new Map(this.get(lobby.id)?.members.map((member) => [member.id, member]))
    this.put({ ...lobby, members: lobby.members.map((member) => withNames(member, known.get(member.id))) })
  }

  /** Ends a lobby, and forgets its secret unless the player may still be in it. */
  drop(id: string, reason: LobbyEndReason): void {
    const isOpen = this.get(id) !== undefined
    if (isLobbyId(id) && (this.#secrets.delete(id) || isOpen) && !ENDS_OF_CLIENT.has(reason))
      this.#keep(id, undefined)
    if (isLobbyId(id)) this.#earlier.delete(id)
    this.end(id, reason)
  }

  clear(reason: LobbyEndReason): void {
    this.generation++
    this.#held = []
    for (const { id } of this.all()) this.drop(id, reason)
    this.#secrets.clear()
    this.#earlier.clear()
  }

  /** Emits new messages, oldest first. */
  addMessages(messages: readonly LobbyMessage[]): void {
    for (const message of [...messages].sort((a, b) => compareIds(a.id, b.id))) {
      if (this.#messageIds.has(message.id)) continue
      this.#storeId(message)
      this.message(message)
    }
  }

  #storeId({ id }: LobbyMessage): void {
    this.#messageIds.add(id)
    for (const oldest of this.#messageIds) {
      if (this.#messageIds.size <= MAX_MESSAGE_IDS) break
      this.#messageIds.delete(oldest)
    }
  }

  /**
   * Holds what a stream says of new lobbies until the returned function is called, or until a join shows the lobby. A stream may name the
   * lobby of a join before its response, and `lobbyCreated` comes when the secret is known.
   */
  hold(): () => void {
    const join = {}
    this.#joins.add(join)
    return () => {
      if (this.#joins.delete(join) && this.#joins.size === 0) this.#show()
    }
  }

  /** Applies what was held of this lobby, or of all. */
  #show(id?: LobbyId): void {
    const held = this.#held
    const isShown = (each: HeldUpdate) => id === undefined || lobbyIdOf(each.update) === id
    this.#held = held.filter((each) => !isShown(each))
    for (const { update, self } of held.filter(isShown)) this.#apply(update, self)
  }

  /** Applies an update of a stream, if it concerns this player. */
  update(update: LobbyUpdate, self: UserId | undefined): void {
    const id = lobbyIdOf(update)
    const isNew = this.get(id) === undefined && !this.#secrets.has(id)
    if (this.#joins.size > 0 && isNew) this.#held.push({ update, self })
    else this.#apply(update, self)
  }

  #apply(update: LobbyUpdate, self: UserId | undefined): void {
    if (update.type === 'message') this.addMessages([update.message])
    else if (update.type === 'deleted') this.drop(update.lobbyId, 'deleted')
    else if (update.type === 'lobby') this.#updateLobby(update.lobby, self)
    else if (update.type !== 'messagePending') this.#changeMember(update, self)
  }

  #updateLobby(lobby: LobbyState, self: UserId | undefined): void {
    if (lobby.members.some(({ id }) => id === self)) this.put(lobby)
    else this.drop(lobby.id, 'removed')
  }

  #changeMember({ lobbyId, ...change }: MemberUpdate, self: UserId | undefined): void {
    const lobby = this.get(lobbyId)?.toJSON()
    if (!lobby) return
    const { id } = change.type === 'member' ? change.member : { id: change.memberId }
    if (change.type === 'member')
      return this.put({ ...lobby, members: withMember(lobby.members, change.member) })
    if (id === self) return this.drop(lobbyId, 'removed')
    this.put({ ...lobby, members: lobby.members.filter((member) => member.id !== id) })
  }
}

interface HeldUpdate {
  readonly update: LobbyUpdate
  readonly self: UserId | undefined
}

function lobbyIdOf(update: LobbyUpdate): LobbyId {
  if (update.type === 'lobby') return update.lobby.id
  return update.type === 'message' ? update.message.lobbyId : update.lobbyId
}

type MemberUpdate = Extract<LobbyUpdate, { type: 'member' | 'memberRemoved' }> & { lobbyId: LobbyId }

function withMember(members: readonly LobbyMember[], member: LobbyMember): LobbyMember[] {
  const isKnown = members.some(({ id }) => id === member.id)
  return isKnown ? members.map((each) => (each.id === member.id ? member : each)) : [...members, member]
}

function withNames(member: LobbyMember, known: LobbyMember | undefined): LobbyMember {
  const { username, globalName, presence } = known ?? {}
  return {
    ...member,
    ...(username !== undefined && { username }),
    ...(globalName !== undefined && { globalName }),
    ...(presence !== undefined && { presence }),
  }
}
