/** A small service over real HTTP: lobbies in memory, recorded requests, and faults. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import {
  ApplicationClient,
  type ApplicationClientOptions,
  botToken,
  type Lobby,
  type LobbyMember,
} from 'foyer-sdk/server'

export const APPLICATION = '1234567890123456789'

export interface Seen {
  readonly at: number
  /** `GET /lobbies/1` */
  readonly call: string
  readonly headers: IncomingMessage['headers']
  readonly body: unknown
}

export interface Answer {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export class LobbyService {
  readonly seen: Seen[] = []
  readonly lobbies = new Map<string, Lobby>()
  /** Responds instead of the service while it returns a value. `drop` ends the connection without a response. */
  fault: (call: string) => Answer | 'drop' | undefined = () => undefined
  /** Called after each response. */
  answered: (call: string) => void = () => undefined
  /** Clock for the times in `seen`. */
  now = (): number => performance.now()
  url = ''
  readonly #server: Server
  #next = 1000

  constructor() {
    this.#server = createServer((request, response) => void this.#serve(request, response))
  }

  async open(): Promise<this> {
    await new Promise<void>((resolve) => void this.#server.listen(0, '127.0.0.1', resolve))
    const address = this.#server.address()
    if (typeof address !== 'object' || !address) throw new Error('No port.')
    this.url = `http://127.0.0.1:${address.port}`
    return this
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  client(options: Partial<ApplicationClientOptions> = {}): ApplicationClient {
    return new ApplicationClient({
      applicationId: APPLICATION,
      service: { host: this.url },
      credentials: botToken('secret'),
      ...options,
    })
  }

  get calls(): string[] {
    return this.seen.map(({ call }) => call)
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = ''
    for await (const chunk of request) text += String(chunk)
    const call = `${request.method ?? ''} ${(request.url ?? '').replace('/api/v10', '')}`
    const body: unknown = text === '' ? undefined : JSON.parse(text)
    this.seen.push({ at: this.now(), call, headers: request.headers, body })
    const reply = this.fault(call) ?? this.#answer(call, isBody(body) ? body : {})
    if (reply === 'drop') return void request.socket.destroy()
    response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers })
    response.end(reply.body === undefined ? undefined : JSON.stringify(reply.body))
    this.answered(call)
  }

  #answer(call: string, body: Body): Answer {
    const [, method = '', id, rest = '', user] =
      /^(\w+) \/lobbies(?:\/(\d+))?(\/members(?:\/(\w+))?)?$/.exec(call) ?? []
    if (method === 'POST' && id === undefined) return { status: 201, body: this.#make(body) }
    const lobby = this.lobbies.get(id ?? '')
    if (method === 'DELETE' && rest === '') {
      this.lobbies.delete(id ?? '')
      return { status: 204 }
    }
    if (!lobby) return { status: 404, body: { code: 10_031, message: 'Unknown lobby' } }
    return rest === ''
      ? this.#edit(lobby, method, body)
      : this.#editMember(lobby, `${method} ${user ?? ''}`, body)
  }

  #make({ metadata = null, members }: Body): Lobby {
    const lobby = {
      id: String(this.#next++),
      application_id: APPLICATION,
      metadata,
      members: members ?? [],
    } as Lobby
    this.lobbies.set(lobby.id, lobby)
    return lobby
  }

  #edit(lobby: Lobby, method: string, body: Body): Answer {
    if (method === 'PATCH') Object.assign(lobby, body)
    return { status: 200, body: lobby }
  }

  #editMember(lobby: Lobby, call: string, body: Body): Answer {
    const [method, user] = call.split(' ')
    if (user === 'bulk')
      return {
        status: 200,
        body: Array.isArray(body) ? body.filter((each: Body) => !each.remove_member) : [],
      }
    const old = lobby.members.find(({ id }) => id === user)
    lobby.members = lobby.members.filter((each) => each !== old)
    if (method === 'DELETE') return { status: 204 }
    const member = { metadata: null, flags: 0, ...old, ...body, id: user } as LobbyMember
    lobby.members.push(member)
    return { status: 200, body: member }
  }
}

interface Body {
  readonly metadata?: Lobby['metadata']
  readonly members?: LobbyMember[]
  readonly remove_member?: boolean
}

const isBody = (value: unknown): value is Body => typeof value === 'object' && value !== null
