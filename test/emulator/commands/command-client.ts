/** Client of the command endpoints over HTTP, as an application. */
import type { Emulator } from 'foyer-emulator'
import { signIn } from '../support/sign-in-client.js'

export interface ApiResponse {
  status: number
  body: unknown
  headers: Headers
  rule: string | null
}

interface Call {
  method?: string
  body?: unknown
  headers?: Record<string, string>
}

export class Caller {
  readonly emulator: Emulator
  readonly authorization: string

  constructor(emulator: Emulator, authorization = `Bot ${emulator.application.botToken}`) {
    this.emulator = emulator
    this.authorization = authorization
  }

  get root(): string {
    return `/applications/${this.emulator.application.id}`
  }

  /** Path below the application: `/commands`, or `/guilds/ID/commands`. */
  async call(path: string, { method = 'GET', body, headers = {} }: Call = {}): Promise<ApiResponse> {
    return this.raw(`${this.root}${path}`, {
      method,
      headers: {
        authorization: this.authorization,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  }

  async raw(path: string, init: RequestInit): Promise<ApiResponse> {
    const response = await fetch(`${this.emulator.url}/api/v10${path}`, init)
    const text = await response.text()
    const read: unknown = text === '' ? undefined : JSON.parse(text)
    return {
      status: response.status,
      body: read,
      headers: response.headers,
      rule: response.headers.get('x-emulator-rule'),
    }
  }

  get = (path: string, headers: Record<string, string> = {}) => this.call(path, { headers })
  post = (path: string, body: unknown) => this.call(path, { method: 'POST', body })
  put = (path: string, body: unknown) => this.call(path, { method: 'PUT', body })
  patch = (path: string, body: unknown) => this.call(path, { method: 'PATCH', body })
  delete = (path: string) => this.call(path, { method: 'DELETE' })

  /** Sends a request to the control plane. */
  async control(path: string, { method = 'GET', body }: Call = {}): Promise<ApiResponse> {
    const response = await fetch(`${this.emulator.url}/_emulator${path}`, {
      method,
      headers: { authorization: `Bearer ${this.emulator.controlToken}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const read: unknown = await response.json().catch(() => undefined)
    return {
      status: response.status,
      body: read,
      headers: response.headers,
      rule: response.headers.get('x-emulator-rule'),
    }
  }
}

export async function requestToken(
  emulator: Emulator,
  scope: string,
  secret = emulator.application.clientSecret,
): Promise<Response> {
  const basic = Buffer.from(`${emulator.application.id}:${secret}`).toString('base64')
  return fetch(`${emulator.url}/api/v10/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope }),
  })
}

/** A caller with a client-credentials token of the application. */
export async function asApplication(
  emulator: Emulator,
  scope = 'applications.commands.update',
): Promise<Caller> {
  const response = await requestToken(emulator, scope)
  const reply: unknown = await response.json()
  if (response.status !== 200) throw new Error(JSON.stringify(reply))
  return new Caller(emulator, `Bearer ${String(Object(reply).access_token)}`)
}

/** A caller with the token of a player who allowed the application to change permissions. */
export async function asPlayer(
  emulator: Emulator,
  as: string,
  scope = 'identify applications.commands.permissions.update',
): Promise<Caller> {
  const { accessToken } = await signIn(emulator, as, { scope })
  return new Caller(emulator, `Bearer ${accessToken}`)
}

/** The fields of a response, each of any type. */
export function fields(value: unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value ?? {}))
}

export function list(value: unknown): Record<string, unknown>[] {
  if (!Array.isArray(value)) throw new Error(`not a list: ${JSON.stringify(value)}`)
  return value.map(fields)
}

/** Paths of the leaves of an error tree: `$.options[0].name`, `$.name_localizations['de']`. */
export function errorPaths(body: unknown): string[] {
  const walk = (node: unknown, path: string): string[] => {
    const { _errors: leaves, ...children } = fields(node)
    const own = Array.isArray(leaves) ? [path] : []
    const inLocale = path.endsWith('_localizations') || path.endsWith('metadata')
    const next = (key: string) => {
      if (inLocale) return `${path}['${key.replaceAll(/[\\']/g, '\\$&')}']`
      return /^\d+$/.test(key) ? `${path}[${key}]` : `${path}.${key}`
    }
    return own.concat(...Object.entries(children).map(([key, child]) => walk(child, next(key))))
  }
  const { errors } = fields(body)
  return errors === undefined ? [] : walk(errors, '$')
}
