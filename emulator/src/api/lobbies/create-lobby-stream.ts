/** Streams a player's lobbies, as a game's own backend would: for games without a backend. Not part of the service. */
import { Hono, type Context } from 'hono'
import { streamSSE, type SSEStreamingApi } from 'hono/streaming'
import { readAnyJson } from '../request/read-json.js'
import type { Authenticate } from '../request/caller.js'
import type { Bearer } from '../../service/oauth/find-bearer.js'
import type { EmulatorContext } from '../../state/emulator-context.js'
import { findUser } from '../../state/find-user.js'
import { fieldsOf } from '../../foundation/values.js'
import type { Lobby } from '../../model/lobby.js'
import type { ServiceEvent } from '../../model/service-event.js'
import { LobbyService } from '../../service/lobbies/lobby-service.js'

export const LOBBY_STREAM_PATH = '/lobby-stream'
const HEARTBEAT = 15_000

interface Parts {
  context: EmulatorContext
  lobbyService: LobbyService
  /** Open streams by player. */
  followers: Map<string, Set<Follower>>
}

export function createLobbyStream(context: EmulatorContext, authenticate: Authenticate): Hono {
  const routes = new Hono()
  const parts: Parts = { context, lobbyService: new LobbyService(context), followers: new Map() }
  const asPlayer = async (c: Context, handle: (player: Bearer) => Response | Promise<Response>) => {
    const caller = await authenticate(c.req.header('authorization'))
    if (caller.kind === 'player') return handle(caller)
    return c.json({ code: 'player_token_rejected' }, 401, {
      'X-Emulator-Rule': 'the lobby stream takes the access token of a player',
    })
  }
  routes.get(LOBBY_STREAM_PATH, (c) => asPlayer(c, (player) => openStream(c, player, parts)))
  routes.post(LOBBY_STREAM_PATH, (c) => asPlayer(c, async (player) => confirm(c, player, parts)))
  return routes
}

function openStream(c: Context, player: Bearer, parts: Parts): Response {
  c.header('Cache-Control', 'no-cache, no-transform')
  return streamSSE(c, async (stream) => {
    const follower = new Follower(stream, player, parts)
    await new Promise<void>((resolve) => {
      const undo = parts.context.events.subscribe((event) => follower.receive(event))
      const timer = setInterval(() => void stream.write(':\n\n'), HEARTBEAT)
      timer.unref()
      stream.onAbort(() => {
        undo()
        clearInterval(timer)
        follower.end()
        resolve()
      })
      void stream.write('retry: 1000\n\n')
      follower.begin()
    })
  })
}

/** Takes a report of a change, which the emulator itself has made: sends the player the state of the lobby. */
async function confirm(c: Context, { player }: Bearer, { followers }: Parts): Promise<Response> {
  const { lobby_id: lobbyId } = fieldsOf(await readAnyJson(c))
  if (typeof lobbyId === 'string')
    for (const follower of followers.get(player.id) ?? []) follower.confirm(lobbyId)
  return c.body(null, 202)
}

/** Sends states, not differences: the whole lobby after each change of it, and its end to a player who is no longer in it. */
class Follower {
  readonly #stream: SSEStreamingApi
  readonly #player: Bearer
  readonly #parts: Parts
  readonly #sent = new Set<string>()
  #serial = 0

  constructor(stream: SSEStreamingApi, player: Bearer, parts: Parts) {
    this.#stream = stream
    this.#player = player
    this.#parts = parts
  }

  begin(): void {
    const { context } = this.#parts
    const { id } = this.#player.player
    const own = this.#parts.followers.get(id) ?? new Set()
    this.#parts.followers.set(id, own.add(this))
    if (own.size === 1) this.#showPresence()
    for (const lobbyId of context.state.lobbies.of(id, this.#player.applicationId)) this.#sendState(lobbyId)
  }

  end(): void {
    const { followers } = this.#parts
    const own = followers.get(this.#player.player.id)
    own?.delete(this)
    if (own?.size !== 0) return
    followers.delete(this.#player.player.id)
    this.#showPresence()
  }

  confirm(lobbyId: string): void {
    this.#sent.add(lobbyId)
    this.#sendState(lobbyId)
  }

  receive({ name, data }: ServiceEvent): void {
    const { id, lobby_id: lobbyId = id } = fieldsOf(data)
    if (!name.startsWith('lobby.') || typeof lobbyId !== 'string') return
    if (!name.startsWith('lobby.message')) this.#sendState(lobbyId)
    else if (name === 'lobby.message' && this.#find(lobbyId) !== undefined) this.#send(name, data)
  }

  #sendState(lobbyId: string): void {
    const lobby = this.#find(lobbyId)
    if (lobby !== undefined) {
      this.#sent.add(lobbyId)
      this.#send('lobby.updated', this.#payload(lobby))
    } else if (this.#sent.delete(lobbyId)) this.#send('lobby.deleted', { id: lobbyId })
  }

  /** Returns the lobby if the player is in it. */
  #find(lobbyId: string): Lobby | undefined {
    const { player, applicationId } = this.#player
    const lobby = this.#parts.context.state.lobbies.find(lobbyId)
    return lobby?.applicationId === applicationId && lobby.members.some(({ userId }) => userId === player.id)
      ? lobby
      : undefined
  }

  #payload(lobby: Lobby): Record<string, unknown> {
    const { context, lobbyService, followers } = this.#parts
    const { members, ...fields } = lobbyService.payload(lobby)
    const described = (Array.isArray(members) ? members : []).map((member) => {
      const { id, ...others } = fieldsOf(member)
      const user = typeof id === 'string' ? findUser(id, context) : undefined
      const names =
        user === undefined ? {} : { user: { username: user.username, global_name: user.globalName } }
      return { id, ...others, ...names, presence: followers.has(String(id)) ? 'online' : 'away' }
    })
    return { ...fields, members: described }
  }

  /** Shows the player's presence to the other members. */
  #showPresence(): void {
    const { context } = this.#parts
    for (const lobbyId of context.state.lobbies.of(this.#player.player.id, this.#player.applicationId))
      context.events.emit({ name: 'lobby.presence', data: { lobby_id: lobbyId } })
  }

  #send(event: string, data: unknown): void {
    this.#serial += 1
    void this.#stream.writeSSE({ id: String(this.#serial), event, data: JSON.stringify(data) })
  }
}
