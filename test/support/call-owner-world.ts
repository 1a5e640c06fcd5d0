/** A service and a game's backend in the test process that record whose token carries whose call. */
import { Client, type ClientOptions, type Lobby, memoryStore, Secret, type TokenSet } from 'foyer-sdk'
import { onTestFinished } from 'vitest'
import { ManualClock } from './manual-clock'
import { formOf } from './form-of'

export const BACKEND = 'https://game.test'
const HOST = 'https://service.test'
const APPLICATION = '1082700000000000001'
export const PLAYERS = { ada: '80351110224678912', bruno: '80351110224678913' } as const
export type PlayerName = keyof typeof PLAYERS

export interface ReceivedCall {
  /** What the game wrote: `<player> <number>`. */
  written: string
  /** The owner of the token that it came with. */
  owner: string
  url: string
}

/** Decides about a request; a pending promise is a slow line. Undefined: by the token. */
export type Line = (url: string, init: RequestInit) => Promise<Response> | undefined

export class CallOwnerWorld {
  readonly clock = new ManualClock()
  readonly received: ReceivedCall[] = []
  readonly store = memoryStore()
  refreshes = 0
  line: Line = () => undefined
  /** Called with each call when it arrives. */
  onCall: (call: ReceivedCall) => void = () => undefined
  readonly #good = new Set<string>()
  #serial = 0

  /** Options of a client of this world. */
  get options() {
    return {
      applicationId: APPLICATION,
      service: { host: HOST },
      fetch: (url: string, init: RequestInit) => this.#fetch(url, init),
      clock: this.clock,
      backendOrigins: [BACKEND],
      tokenStore: this.store,
    } satisfies ClientOptions
  }

  /** A tab. The tabs of one store get no notice of one another. */
  tab(options: Partial<ClientOptions> = {}): Client {
    const client = new Client({ ...this.options, ...options })
    onTestFinished(() => client.close())
    return client
  }

  signIn(client: Pick<Client, 'updateToken'>, player: PlayerName): Promise<unknown> {
    return client.updateToken(this.#tokens(player))
  }

  /** Makes the client's player a member of the lobby `LOBBY`, without a request. */
  async enterLobby(client: Pick<Client, 'session' | 'lobbies'>): Promise<Lobby> {
    return client.lobbies.add(lobbyWith(client.session?.userId ?? ''))
  }

  /** The service forgets all tokens of a player. */
  revoke(player: PlayerName): void {
    for (const token of this.#good) if (token.split('.')[1] === player) this.#good.delete(token)
  }

  /** Expires the access and ID tokens of a player; refresh tokens stay. */
  expire(player: PlayerName): void {
    for (const token of this.#good)
      if (token.split('.')[1] === player && !token.startsWith('refresh')) this.#good.delete(token)
  }

  #tokens(player: PlayerName): TokenSet {
    this.#serial += 1
    const [accessToken, refreshToken, idToken] = ['access', 'refresh', 'id'].map((kind) => {
      this.#good.add(`${kind}.${player}.${this.#serial}`)
      return new Secret(`${kind}.${player}.${this.#serial}`)
    }) as [Secret, Secret, Secret]
    const now = this.clock.now()
    const seconds = Math.floor(now / 1000)
    const claims = { iss: HOST, sub: PLAYERS[player], aud: APPLICATION, iat: seconds, exp: seconds + 604_800 }
    return {
      accessToken,
      refreshToken,
      idToken,
      tokenType: 'Bearer',
      expiresAt: now + 604_800_000,
      scopes: ['openid'],
      claims,
    }
  }

  async #fetch(url: string, init: RequestInit): Promise<Response> {
    if (url.endsWith('/oauth2/keys')) return Response.json({ keys: [] })
    if (url.endsWith('/oauth2/token')) return this.#token(url, init)
    if (url.endsWith('/oauth2/token/revoke')) return Response.json({})
    const token = (new Headers(init.headers).get('authorization') ?? '').replace('Bearer ', '')
    const call = { written: textOf(init.body), owner: token.split('.')[1] ?? '', url }
    this.received.push(call)
    this.onCall(call)
    return this.line(url, init) ?? this.answer(url, init)
  }

  /** The honest response. */
  answer(url: string, init: RequestInit): Response {
    const token = (new Headers(init.headers).get('authorization') ?? '').replace('Bearer ', '')
    if (!this.#good.has(token))
      return Response.json({ code: 0, message: '401: Unauthorized' }, { status: 401 })
    const owner = PLAYERS[token.split('.')[1] as PlayerName]
    if (url.startsWith(BACKEND)) return Response.json({})
    if (url.endsWith('/messages'))
      return Response.json({
        id: '900',
        type: 0,
        content: textOf(init.body),
        lobby_id: LOBBY,
        channel_id: LOBBY,
        author: { id: owner, username: 'x' },
      })
    if (url.endsWith('/users/@me')) return Response.json({ id: owner, username: 'x', global_name: null })
    return Response.json(lobbyWith(owner))
  }

  async #token(url: string, init: RequestInit): Promise<Response> {
    this.refreshes += 1
    const form = formOf(init)
    const refresh = form.get('refresh_token') ?? ''
    const answer = () => {
      if (!this.#good.delete(refresh)) return Response.json({ error: 'invalid_grant' }, { status: 400 })
      const { accessToken, refreshToken } = this.#tokens(refresh.split('.')[1] as PlayerName)
      const pair = { access_token: accessToken.reveal(), refresh_token: refreshToken?.reveal() }
      return Response.json({ ...pair, token_type: 'Bearer', expires_in: 604_800, scope: 'openid' })
    }
    const slow = this.line(url, init)
    return slow ? slow.then(answer) : answer()
  }
}

function textOf(body: RequestInit['body']): string {
  if (typeof body !== 'string') return ''
  try {
    const { content, secret } = JSON.parse(body) as { content?: string; secret?: string }
    return content ?? secret ?? ''
  } catch {
    return body
  }
}

/** A line that holds requests back until they are released. */
export function slowLine(): {
  line: () => Promise<Response>
  release: (answer: () => Response) => void
  waiting: () => number
} {
  const held: ((response: Response) => void)[] = []
  return {
    line: () => new Promise((resolve) => held.push(resolve)),
    release: (answer) => held.splice(0).forEach((resolve) => resolve(answer())),
    waiting: () => held.length,
  }
}

export const refused = () => Response.json({ code: 0, message: '401: Unauthorized' }, { status: 401 })
export const limited = () =>
  Response.json(
    { message: 'limited', retry_after: 3, global: false },
    { status: 429, headers: { 'retry-after': '3' } },
  )

/** Id of the only lobby. */
export const LOBBY = '42'

const lobbyWith = (member: string) => ({
  id: LOBBY,
  application_id: APPLICATION,
  metadata: {},
  members: [{ id: member, metadata: {} }],
})

/** Sends a message to the lobby that `enterLobby` has entered, or a join has. */
export async function sendMessage(client: Pick<Client, 'lobbies'>, text: string): Promise<unknown> {
  const lobby = client.lobbies.get(LOBBY)
  if (!lobby) throw new Error('the client is in no lobby')
  return lobby.send(text)
}

/** Calls that carry a player's words. */
export const CALLS: readonly [name: string, call: (client: Client, text: string) => Promise<unknown>][] = [
  ['lobby.send', sendMessage],
  ['createOrJoinLobby', (client, text) => client.createOrJoinLobby(text)],
  [
    'backend.fetch',
    (client, text) =>
      client.backend.fetch(`${BACKEND}/score`, { method: 'POST', body: text, token: 'access_token' }),
  ],
]
