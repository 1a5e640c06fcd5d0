/** One message of a sign-in and its response, as the page shows it: secrets are separate, so that they can stay masked. */
import type { Check } from 'foyer-sdk'

/** One named value of a URL, a body or a header. */
export interface Field {
  name: string
  value: string
  /** Shown only on request. */
  isSecret: boolean
  /** Set for a text of a JSON object; other values are kept as their JSON. */
  isText?: boolean
  /** Set if the value was left out when the page was left: secrets are never stored. */
  isLeftOut?: boolean
}

export interface Response {
  status: number
  headers: readonly Field[]
  /** Fields of a JSON object; one unnamed field for any other body. */
  body: readonly Field[]
  /** Rule that refused the request, as the emulator names it. */
  rule?: string | undefined
}

export interface Exchange {
  id: number
  /** `authorize`: the page that the browser opens. `callback`: its response, in the URL. `request`: an HTTP request of the SDK. */
  kind: 'authorize' | 'callback' | 'request'
  method: string
  /** Number of the sign-in that it belongs to; undefined before the first one, and for another library. */
  run?: number | undefined
  /** Set if the tester sent it again, perhaps with changes. */
  isAgain?: boolean | undefined
  /** Set if another library than Foyer sent it. */
  sender?: string | undefined
  /** URL without query. */
  url: string
  query: readonly Field[]
  headers: readonly Field[]
  body: readonly Field[]
  /** Epoch ms. */
  startedAt: number
  /** ms until the response was complete; undefined while there is none. */
  duration?: number | undefined
  response?: Response | undefined
  /** Reason why there is no response. */
  failure?: string | undefined
  /** The SDK's own checks of this message. */
  checks: readonly Check[]
}

/** Values that let their holder act for the player or the game. */
const SECRETS =
  /^(authorization|access_token|refresh_token|id_token|code|code_verifier|client_secret|client_assertion|token|id_token_hint|device_code|user_code|external_auth_token)$/i

export function isSecretName(name: string): boolean {
  return SECRETS.test(name)
}

/** True for the JSON of a nested value that has a field with a secret. */
export function holdsSecret(value: string): boolean {
  if (!/^[[{]/.test(value)) return false
  return [...value.matchAll(/"(\w{1,40})":/g)].some(([, name = '']) => isSecretName(name))
}

function field(name: string, value: string): Field {
  return { name, value, isSecret: isSecretName(name) }
}

export function fieldsOf(entries: Iterable<readonly [string, string]>): Field[] {
  return Array.from(entries, ([name, value]) => field(name, value))
}

/** Splits a URL, so that a secret in its query or fragment is a field. */
export function splitUrl(text: string): { url: string; query: Field[] } {
  const { origin, pathname, protocol, host, searchParams, hash } = new URL(text)
  const base = origin === 'null' ? `${protocol}//${host}` : origin
  const inFragment = hash.includes('=') ? new URLSearchParams(hash.slice(1)) : []
  return { url: base + pathname, query: [...fieldsOf(searchParams), ...fieldsOf(inFragment)] }
}

/** Reads the fields of a JSON object. Nested values are shown as JSON. */
export function bodyFields(text: string): Field[] {
  if (text === '') return []
  try {
    const body: unknown = JSON.parse(text)
    if (typeof body === 'object' && body !== null && !Array.isArray(body))
      return Object.entries(body).map(([name, value]) =>
        typeof value === 'string'
          ? { ...field(name, value), isText: true }
          : field(name, JSON.stringify(value)),
      )
  } catch {
    // Shown as it is.
  }
  return [field('', text)]
}

/** True if each word occurs in the exchange. Secrets are not searched. */
export function matches(exchange: Exchange, filter: string): boolean {
  const { sender = 'Foyer', url } = exchange
  const shown = allFields(exchange).map(({ name, value, isSecret }) => (isSecret ? name : `${name} ${value}`))
  const text = [title(exchange), sender, url, outcome(exchange), ...shown].join(' ').toLowerCase()
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

/** True if a part of it is masked and can be revealed. */
export function hasSecrets(exchange: Exchange): boolean {
  return allFields(exchange).some(({ isSecret, isLeftOut }) => isSecret && isLeftOut !== true)
}

function allFields({ query, headers, body, response }: Exchange): Field[] {
  return [...query, ...headers, ...body, ...(response?.headers ?? []), ...(response?.body ?? [])]
}

/** Path of the exchange, for lists and diagrams. */
export function title({ kind, method, url }: Exchange): string {
  const { pathname } = new URL(url)
  return kind === 'callback' ? `Callback ${pathname}` : `${method} ${pathname}`
}

/** Result in a few words: never a claim about a response that did not arrive. */
export function outcome({ kind, response, failure, duration }: Exchange): string {
  if (failure !== undefined) return failure
  if (response) return [response.status, response.rule].filter(Boolean).join(' ')
  if (kind === 'authorize') return duration === undefined ? 'waiting for the player' : 'the player returned'
  return kind === 'callback' ? 'received' : 'waiting'
}

export function isFailed({ response, failure, checks, query, kind }: Exchange): boolean {
  const isRefused = kind === 'callback' && query.some(({ name }) => name === 'error')
  return (
    failure !== undefined ||
    (response?.status ?? 0) >= 400 ||
    isRefused ||
    checks.some(({ result }) => result === 'failed')
  )
}
