/** Creates, changes and closes lobbies, and emits their events. */
import { createHash } from 'node:crypto'
import { missingAccess } from '../../check/api-error.js'
import type { ServiceEvent } from '../../model/service-event.js'
import type { Optional } from '../../foundation/values.js'
import { findUser } from '../../state/find-user.js'
import type { EmulatorContext } from '../../state/emulator-context.js'
import type { LobbySecret } from '../../state/lobbies.js'
import { changeEvents } from '../../model/member-changes.js'
import { channelOf } from './linkable-channel.js'
import type { BulkBody, JoinBody, LobbyBody, MemberBody } from '../../check/check-lobby.js'
import { LOBBY_LIMITS } from '../../check/check-lobby.js'
import { lobbyPayload, type Lobby, type LobbyMember } from '../../model/lobby.js'
import { impossible, unknownLobby, unknownUser } from '../../check/lobby-errors.js'

/** Caller: an application, or a player who uses it. */
export interface LobbyCaller {
  id: string
  applicationId: string
}

const { idleSeconds, members: mostMembers } = LOBBY_LIMITS

export class LobbyService {
  readonly #context: EmulatorContext

  constructor(context: EmulatorContext) {
    this.#context = context
  }

  /** @throws ApiError 404 for a lobby that does not exist, 403 for one of another application */
  get(id: string, applicationId: string): Lobby {
    this.closeIdle()
    const { lobbies } = this.#context.state
    const lobby = lobbies.find(id)
    if (lobby === undefined) throw unknownLobby(lobbies.endReason(id))
    if (lobby.applicationId !== applicationId) throw missingAccess('the lobby belongs to another application')
    return lobby
  }

  payload(lobby: Lobby): Record<string, unknown> {
    return lobbyPayload(lobby, channelOf(lobby.channelId, this.#context.seed)?.payload)
  }

  create(applicationId: string, input: LobbyBody): Lobby {
    const members = (input.members ?? []).map((member) => laidOver(freshMember(member.id), member))
    const lobby = this.#fresh(applicationId, input)
    return this.#open({ ...lobby, metadata: input.metadata ?? null, members }, undefined)
  }

  /** Replaces the fields in the body; `members` replaces all members. */
  edit(
    lobby: Lobby,
    { metadata = lobby.metadata, members, idle_timeout_seconds: idle = lobby.idleSeconds }: LobbyBody,
  ): Lobby {
    const known = new Map(lobby.members.map((member) => [member.userId, member]))
    return this.change(lobby, {
      metadata,
      idleSeconds: idle ?? idleSeconds.usual,
      members:
        members?.map((member) => {
          const { additionalName = null } = known.get(member.id) ?? {}
          return laidOver({ ...freshMember(member.id), additionalName }, member)
        }) ?? lobby.members,
    })
  }

  /** Idempotent. @throws ApiError 403 for a lobby of another application */
  delete(id: string, applicationId: string): void {
    this.closeIdle()
    if (this.#context.state.lobbies.find(id) !== undefined)
      this.#close(this.get(id, applicationId), 'deleted')
  }

  putMember(lobby: Lobby, userId: string, input: MemberBody): LobbyMember {
    const known = lobby.members.find((member) => member.userId === userId)
    const member = laidOver(this.#base(known, userId), input)
    this.change(lobby, { members: withMember(lobby.members, member) })
    return member
  }

  /** The member that the given fields are laid over. */
  #base(known: LobbyMember | undefined, userId: string): LobbyMember {
    return known !== undefined && this.#context.lobbyBehavior.absentMemberFields === 'keep'
      ? known
      : freshMember(userId)
  }

  /** Idempotent. */
  removeMember(lobby: Lobby, userId: string): void {
    this.change(lobby, { members: lobby.members.filter((member) => member.userId !== userId) })
  }

  /** Returns the members that were added or changed; skips users in too many lobbies. @throws ApiError 404 for an unknown user */
  updateMembers(lobby: Lobby, items: BulkBody): LobbyMember[] {
    for (const [index, { id }] of items.entries())
      if (findUser(id, this.#context) === undefined)
        throw unknownUser(`[${index}].id is no player of this service`)
    const gone = new Set(items.filter(isRemoval).map(({ id }) => id))
    const known = new Map(lobby.members.map((member) => [member.userId, member]))
    const put = items
      .filter(
        (item) => !isRemoval(item) && (known.has(item.id) || !this.#isFull(item.id, lobby.applicationId)),
      )
      .map((item) => laidOver(this.#base(known.get(item.id), item.id), item))
    const staying = lobby.members.filter(({ userId }) => !gone.has(userId))
    this.change(lobby, { members: put.reduce(withMember, staying) })
    return put
  }

  /** Advice about a secret that is valid, and probably not meant: the id of a lobby, which makes another one. */
  adviceOn({ applicationId }: LobbyCaller, { secret }: JoinBody): string | undefined {
    this.closeIdle()
    if (this.#findBySecret(applicationId, secret) !== undefined) return undefined
    const lobby = this.#context.state.lobbies.find(secret)
    return lobby?.applicationId === applicationId
      ? `the secret is the id of lobby ${lobby.id}, so this made another lobby: players share the secret (a text of your own), not the id`
      : undefined
  }

  /** Joins the lobby of the secret, or creates one. */
  join({ id, applicationId }: LobbyCaller, input: JoinBody): Lobby {
    this.closeIdle()
    const { clock, lobbyBehavior } = this.#context
    const lobby = this.#findBySecret(applicationId, input.secret)
    const known = lobby?.members.find(({ userId }) => userId === id)
    if (known === undefined && this.#isFull(id, applicationId))
      throw impossible(`a player is in at most ${lobbyBehavior.lobbiesPerPlayer} lobbies`)
    const { member_metadata: metadata = known?.metadata ?? null } = input
    const member = { ...(known ?? freshMember(id)), metadata }
    if (lobby !== undefined) return this.#rejoin(lobby, member, input)
    const ends = Math.floor(clock.now()) + lobbyBehavior.secretLife
    const fresh = {
      ...this.#fresh(applicationId, input),
      metadata: input.lobby_metadata ?? null,
      bySecret: true,
      members: [member],
    }
    return this.#open(fresh, { digest: digestOf(input.secret), ends })
  }

  #findBySecret(applicationId: string, secret: string): Lobby | undefined {
    const { state, clock } = this.#context
    const id = state.lobbies.findBySecret(applicationId, digestOf(secret), clock.now())
    return id === undefined ? undefined : state.lobbies.find(id)
  }

  /** Idempotent. @throws ApiError 403 for a lobby that a server created */
  leave(lobby: Lobby, player: LobbyCaller): void {
    if (!lobby.bySecret) throw missingAccess('a server made this lobby: it cannot be left by a player')
    this.removeMember(lobby, player.id)
  }

  /** Transfers memberships from one account to another, which keeps its own membership of a lobby. */
  moveMember(from: string, to: string): void {
    this.closeIdle()
    const { lobbies } = this.#context.state
    for (const lobby of lobbies.of(from).flatMap((id) => lobbies.find(id) ?? [])) {
      const isThere = lobby.members.some(({ userId }) => userId === to)
      const others = isThere ? lobby.members.filter(({ userId }) => userId !== from) : lobby.members
      this.change(lobby, {
        members: others.map((member) => (member.userId === from ? { ...member, userId: to } : member)),
      })
    }
  }

  /** Resets the idle deadline. */
  use(lobby: Lobby): void {
    this.#context.state.lobbies.change(lobby, lobby, this.#deadline(lobby))
  }

  change(
    before: Lobby,
    fields: Partial<Pick<Lobby, 'metadata' | 'idleSeconds' | 'members' | 'channelId'>>,
  ): Lobby {
    const after = { ...before, ...fields }
    if (after.members.length > mostMembers) throw impossible(`a lobby has at most ${mostMembers} members`)
    const { lobbies } = this.#context.state
    lobbies.change(before, after, this.#deadline(after))
    this.#emit(changeEvents(before, after, this.payload(after)))
    return after
  }

  /** Closes lobbies that were idle for longer than they allow. */
  closeIdle(): void {
    const { state, clock } = this.#context
    for (const id of state.lobbies.overdue(clock.now())) {
      const lobby = state.lobbies.find(id)
      if (lobby !== undefined) this.#close(lobby, 'idle')
    }
  }

  #rejoin(
    lobby: Lobby,
    member: LobbyMember,
    { lobby_metadata: metadata, idle_timeout_seconds: idle }: JoinBody,
  ): Lobby {
    return this.change(lobby, {
      members: withMember(lobby.members, member),
      ...(metadata === undefined ? {} : { metadata }),
      ...(idle === undefined ? {} : { idleSeconds: idle ?? idleSeconds.usual }),
    })
  }

  #fresh(
    applicationId: string,
    { idle_timeout_seconds: idle }: Pick<LobbyBody, 'idle_timeout_seconds'>,
  ): Lobby {
    const { state, clock } = this.#context
    return {
      id: state.lobbies.nextId(clock.now()),
      applicationId,
      metadata: null,
      idleSeconds: idle ?? idleSeconds.usual,
      bySecret: false,
      channelId: null,
      members: [],
    }
  }

  #open(lobby: Lobby, secret: LobbySecret | undefined): Lobby {
    const { lobbies } = this.#context.state
    lobbies.add(lobby, { secret, deadline: this.#deadline(lobby) })
    this.#emit([{ name: 'lobby.created', data: this.payload(lobby) }])
    return lobby
  }

  #close({ id, applicationId, idleSeconds: idle }: Lobby, reason: 'deleted' | 'idle'): void {
    const { state, clock } = this.#context
    const why = reason === 'idle' ? `nobody used it for ${idle} seconds` : 'it was deleted'
    state.lobbies.end(id, { why, now: Math.floor(clock.now()) })
    this.#emit([{ name: 'lobby.deleted', data: { id, application_id: applicationId, reason } }])
  }

  /** Linked lobbies have no deadline. */
  #deadline({ channelId, idleSeconds: idle }: Lobby): number | null {
    return channelId === null ? Math.floor(this.#context.clock.now()) + idle * 1000 : null
  }

  #isFull(userId: string, applicationId: string): boolean {
    const { state, lobbyBehavior } = this.#context
    const most = lobbyBehavior.lobbiesPerPlayer
    return most !== null && state.lobbies.of(userId, applicationId).length >= most
  }

  #emit(events: ServiceEvent[]): void {
    for (const event of events) this.#context.events.emit(event)
  }
}

const digestOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url')

function freshMember(userId: string): LobbyMember {
  return { userId, metadata: null, flags: 0, additionalName: null }
}

const isRemoval = ({ remove_member: removes }: BulkBody[number]): boolean => removes === true

/** Null clears a field. */
function laidOver(
  member: LobbyMember,
  {
    metadata = member.metadata,
    flags = member.flags,
    additional_name: additionalName = member.additionalName,
  }: Optional<MemberBody>,
): LobbyMember {
  return { userId: member.userId, metadata, flags: flags ?? 0, additionalName }
}

function withMember(members: readonly LobbyMember[], member: LobbyMember): LobbyMember[] {
  const known = members.some(({ userId }) => userId === member.userId)
  return known ? members.map((one) => (one.userId === member.userId ? member : one)) : [...members, member]
}
