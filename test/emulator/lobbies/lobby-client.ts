/** Client of the lobby endpoints over HTTP, as an application or a player. */
import type { Emulator, ServiceEvent } from 'foyer-emulator'
import { expect } from 'vitest'
import { type ApiResponse, Caller, fields } from '../commands/command-client.js'
import { signIn } from '../support/sign-in-client.js'

/** Sends requests with one token; paths are below `/lobbies`. */
export class Lobbies {
  readonly caller: Caller

  constructor(emulator: Emulator, authorization?: string) {
    this.caller = new Caller(emulator, authorization)
  }

  send(method: string, path: string, body?: unknown): Promise<ApiResponse> {
    const headers = {
      authorization: this.caller.authorization,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    }
    return this.caller.raw(`/lobbies${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  }

  get = (path: string) => this.send('GET', path)
  post = (path: string, body?: unknown) => this.send('POST', path, body)
  put = (path: string, body?: unknown) => this.send('PUT', path, body)
  patch = (path: string, body?: unknown) => this.send('PATCH', path, body)
  delete = (path: string) => this.send('DELETE', path)

  /** Creates a lobby and returns its ID. */
  async create(body: unknown = {}): Promise<string> {
    return idOf(await this.post('', body))
  }

  /** Joins the lobby of a secret and returns its ID. */
  async join(secret: string, more: Record<string, unknown> = {}): Promise<string> {
    return idOf(await this.put('', { secret, ...more }))
  }
}

export async function playerIn(emulator: Emulator, as: string, scope?: string): Promise<Lobbies> {
  const { accessToken } = await signIn(emulator, as, scope === undefined ? {} : { scope })
  return new Lobbies(emulator, `Bearer ${accessToken}`)
}

export function userId(emulator: Emulator, name: string): string {
  const user = emulator.users.find(({ username }) => username === name)
  if (user === undefined) throw new Error(`no player ${name}`)
  return user.id
}

export function idOf({ status, body }: ApiResponse): string {
  if (status > 201) throw new Error(JSON.stringify(body))
  return String(fields(body)['id'])
}

/** The service’s error form, with the violated rule. */
export const rejectedWith = (status: number, code: number, rule?: string) => ({
  status,
  body: expect.objectContaining({ code, message: expect.any(String) }),
  rule: rule === undefined ? expect.any(String) : expect.stringContaining(rule),
})

/** Collects all events from now on. */
export function recordEvents(emulator: Emulator): ServiceEvent[] {
  const events: ServiceEvent[] = []
  emulator.subscribe((event) => events.push(event))
  return events
}
