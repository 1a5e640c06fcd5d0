/** A service that answers with nothing but what docs/interface states: no field, status or body beside that is there to rely on. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type Listening, listen } from './loopback'

/** What the interface leaves open, and this service does in one way or another. */
export interface Openness {
  /** Lobbies name their application. */
  readonly namesApplication?: boolean
  /** Success of a call without a result: 200 and an empty body, or 204. */
  readonly emptyStatus?: 200 | 204
  /** Absent optional dictionaries are `null` instead of left out. */
  readonly hasNulls?: boolean
  /** Errors are a line of text, instead of `{ code, message }`. */
  readonly hasTextErrors?: boolean
}

type Body = Record<string, unknown>
/** A status and a body; without a body for a call without a result. */
type Answer = readonly [status: number, body?: unknown]

export class StatedService {
  readonly #openness: Openness
  readonly #commands = new Map<string, Body>()
  readonly #lobbies = new Map<string, { metadata: unknown; members: Map<string, Body> }>()
  #listening: Listening | undefined
  #next = 100

  constructor(openness: Openness) {
    this.#openness = openness
  }

  async open(): Promise<string> {
    this.#listening = await listen(createServer((request, response) => void this.#serve(request, response)))
    return `http://127.0.0.1:${this.#listening.port}`
  }

  async close(): Promise<void> {
    await this.#listening?.close()
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = ''
    for await (const chunk of request) text += String(chunk)
    const path = (request.url ?? '').replace('/api/v10/', '').split('?')[0]?.split('/') ?? []
    const { method = '' } = request
    const input = text === '' ? undefined : (JSON.parse(text) as unknown)
    const answer =
      path[0] === 'lobbies'
        ? this.#lobby(method, path.slice(1), input as Body)
        : this.#application(method, path.slice(1), input)
    this.#send(response, answer ?? [404])
  }

  #send(response: ServerResponse, [status, body]: Answer): void {
    const { emptyStatus = 204, hasTextErrors } = this.#openness
    if (status >= 400) {
      const error = hasTextErrors
        ? 'There is nothing here.'
        : JSON.stringify({ code: 0, message: '404: Not Found' })
      response
        .writeHead(status, { 'content-type': hasTextErrors ? 'text/plain' : 'application/json' })
        .end(error)
    } else if (body === undefined) response.writeHead(status === 204 ? 204 : emptyStatus).end()
    else response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }

  #lobby(method: string, [id, part, userId, rest]: string[], input: Body = {}): Answer | undefined {
    if (id === undefined) return method === 'POST' ? [200, this.#shown(this.#create(input))] : undefined
    const lobby = this.#lobbies.get(id)
    if (method === 'DELETE' && part === undefined) {
      this.#lobbies.delete(id)
      return [200]
    }
    if (!lobby || rest !== undefined || (part !== undefined && part !== 'members') || userId === 'bulk')
      return undefined
    if (userId !== undefined) return this.#member(method, { members: lobby.members, userId }, input)
    if (method === 'PATCH') {
      if ('metadata' in input) lobby.metadata = input['metadata']
      if (Array.isArray(input['members'])) lobby.members = membersIn(input)
    }
    return method === 'GET' || method === 'PATCH' ? [200, this.#shown(id)] : undefined
  }

  #member(
    method: string,
    { members, userId }: { members: Map<string, Body>; userId: string },
    input: Body,
  ): Answer | undefined {
    if (method === 'DELETE') {
      members.delete(userId)
      return [200]
    }
    if (method !== 'PUT') return undefined
    members.set(userId, { ...members.get(userId), ...input })
    return [200, this.#memberShown(userId, members.get(userId))]
  }

  #create(input: Body): string {
    const id = String(this.#next++)
    this.#lobbies.set(id, { metadata: input['metadata'], members: membersIn(input) })
    return id
  }

  #shown(id: string): Body {
    const { metadata, members } = this.#lobbies.get(id) ?? {
      metadata: undefined,
      members: new Map<string, Body>(),
    }
    return {
      id,
      ...(this.#openness.namesApplication && { application_id: '6' }),
      ...this.#optional('metadata', metadata),
      members: [...members].map(([userId, member]) => this.#memberShown(userId, member)),
    }
  }

  #memberShown(id: string, member: Body = {}): Body {
    return {
      id,
      ...this.#optional('metadata', member['metadata']),
      ...(member['flags'] !== undefined && { flags: member['flags'] }),
    }
  }

  #optional(name: string, value: unknown): Body {
    if (value !== undefined && value !== null) return { [name]: value }
    return this.#openness.hasNulls ? { [name]: null } : {}
  }

  #application(method: string, [applicationId, ...path]: string[], input: unknown): Answer | undefined {
    const guildId = path[0] === 'guilds' ? path[1] : undefined
    const [, commandId, part] = guildId === undefined ? path : path.slice(2)
    const owner = { application_id: applicationId, ...(guildId !== undefined && { guild_id: guildId }) }
    const permissions = (id: string) => ({
      id,
      ...owner,
      permissions: [{ id: '8', type: 1, permission: true }],
    })
    if (commandId === 'permissions') return [200, [permissions('100')]]
    if (part === 'permissions' && commandId !== undefined) return [200, permissions(commandId)]
    if (commandId !== undefined) return this.#command(method, commandId, input as Body)
    if (method === 'POST') return [201, this.#put({ ...owner, ...(input as Body) })]
    if (method !== 'PUT') return [200, [...this.#commands.values()]]
    this.#commands.clear()
    return [200, (input as Body[]).map((each) => this.#put({ ...owner, ...each }))]
  }

  #command(method: string, id: string, input: Body): Answer | undefined {
    const command = this.#commands.get(id)
    if (method === 'DELETE') return this.#commands.delete(id) ? [204] : undefined
    if (!command) return undefined
    return [200, method === 'PATCH' ? this.#put({ ...command, ...input }) : command]
  }

  /** The type defaults to 1, and a command of that type may leave it out. */
  #put({ id = String(this.#next++), type, ...fields }: Body): Body {
    const nulls = this.#openness.hasNulls
      ? { name_localizations: null, default_member_permissions: null }
      : {}
    const command = {
      id,
      ...nulls,
      description: '',
      ...fields,
      version: String(this.#next++),
      ...(type !== 1 && type !== undefined && { type }),
    }
    this.#commands.set(String(id), command)
    return command
  }
}

const membersIn = ({ members }: Body): Map<string, Body> =>
  new Map(Array.isArray(members) ? members.map(({ id, ...member }: Body) => [String(id), member]) : [])
