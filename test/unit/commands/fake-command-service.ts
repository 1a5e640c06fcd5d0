/** A minimal service that keeps commands in memory and records requests. */
import {
  ApplicationClient,
  botToken,
  type ApplicationClientOptions,
  type ApplicationCommand,
  type CommandOverwriteBody,
} from 'foyer-sdk/server'

export const APPLICATION = '1234567890123456789'
export const GUILD = '290926798626357999'
export const HOST = 'https://service.example'

export interface Seen {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

export class CommandService {
  readonly seen: Seen[] = []
  commands: ApplicationCommand[] = []
  /** Responds to the next requests instead of the service. */
  readonly faults: (() => Response | Promise<Response>)[] = []
  #next = 1000n

  readonly fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const { pathname, search } = new URL(url)
    const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : undefined
    const method = init.method ?? 'GET'
    this.seen.push({
      method,
      path: pathname + search,
      headers: Object.fromEntries(new Headers(init.headers)),
      body,
    })
    return this.faults.shift()?.() ?? this.#answer(method, pathname, body)
  }

  client(options: Partial<ApplicationClientOptions> = {}): ApplicationClient {
    return new ApplicationClient({
      applicationId: APPLICATION,
      service: { host: HOST },
      credentials: botToken('secret'),
      fetch: this.fetch,
      ...options,
    })
  }

  /** Requests that change something. */
  get writes(): string[] {
    return this.seen
      .filter(({ method }) => method !== 'GET')
      .map(({ method, path }) => `${method} ${path.replace(/^.*\/commands/, '/commands')}`)
  }

  add(command: CommandOverwriteBody): ApplicationCommand {
    const full = this.#complete(command)
    this.commands.push(full)
    return full
  }

  #answer(method: string, path: string, body: unknown): Response {
    const id = /\/commands\/(\d+)$/.exec(path)?.[1]
    const old = this.commands.find((each) => each.id === id)
    if (id !== undefined && !old) return json({ code: 10_063, message: 'Unknown application command' }, 404)
    if (method === 'GET') return json(old ?? this.commands)
    if (method === 'DELETE') {
      this.commands = this.commands.filter((each) => each !== old)
      return new Response(null, { status: 204 })
    }
    if (method === 'PATCH' && old) return json(Object.assign(old, body))
    if (method === 'PUT')
      return json((this.commands = bodies(body).map((each) => this.#complete(each, this.#same(each)))))
    const [command] = bodies([body])
    if (!command) return json({ code: 50_035, message: 'Invalid Form Body' }, 400)
    const same = this.#same(command)
    if (same) return json(Object.assign(same, this.#complete(command, same)))
    return json(this.add(command), 201)
  }

  #same({ id, type = 1, name }: CommandOverwriteBody): ApplicationCommand | undefined {
    return (
      this.commands.find((each) => each.id === id) ??
      this.commands.find((each) => each.type === type && each.name === name)
    )
  }

  /** Fields that the service adds. */
  #complete(command: CommandOverwriteBody, old?: ApplicationCommand): ApplicationCommand {
    const id = old?.id ?? String(this.#next++)
    const defaults = {
      type: 1,
      description: '',
      nsfw: false,
      dm_permission: true,
      integration_types: [0, 1],
      contexts: null,
    }
    const texts = {
      name_localizations: null,
      description_localizations: null,
      default_member_permissions: null,
    }
    return {
      ...defaults,
      ...texts,
      ...command,
      id,
      application_id: APPLICATION,
      version: id,
    } as ApplicationCommand
  }
}

export function json(body: unknown, status = 200): Response {
  return Response.json(body, { status })
}

const bodies = (body: unknown) => body as readonly CommandOverwriteBody[]
