/** Checks the source of a request for a page: refuses unknown host names (DNS rebinding) and pages of other origins. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { headerText } from '../../foundation/header-text.js'

/** The parts of Node's request that are checked. */
type Sent = Pick<IncomingMessage, 'method' | 'headers'> & {
  socket: Pick<IncomingMessage['socket'], 'remoteAddress'>
}

export interface Checks {
  /** Accepted values of the Host header, in lower case. */
  hosts: ReadonlySet<string>
  /** `token`: the Authorization header authenticates the sender, so that programs need no Origin header. Default: `origin`. */
  proof?: 'origin' | 'token'
  /** Refuses other devices, regardless of their Host header. Default: false. */
  onlyLocal?: boolean
}

const READING = new Set(['GET', 'HEAD'])

/** Returns the rule that refuses the request, for the `X-Emulator-Rule` header; undefined if it is accepted. */
export function foreignRule(
  request: Sent,
  { hosts, proof = 'origin', onlyLocal = false }: Checks,
): string | undefined {
  const { host = '', origin } = request.headers
  const misaddressed = hostRule(request, hosts)
  if (misaddressed !== undefined) return misaddressed
  if (onlyLocal && !isLocal(request.socket.remoteAddress)) return 'the request comes from another device'
  if (origin !== undefined && origin !== `http://${host.toLowerCase()}`)
    return 'the request comes from a page of another origin'
  if (origin === undefined && proof === 'origin' && !READING.has(request.method ?? ''))
    return 'the Origin header is missing: browsers send it with every form, and programs use the control plane'
  return crossSite(request) ? 'the request comes from a page of another site' : undefined
}

/** Checks the Host header only, for requests that are proxied to a game's own server. */
export function hostRule(
  { headers: { host = '' } }: Pick<Sent, 'headers'>,
  hosts: ReadonlySet<string>,
): string | undefined {
  return hosts.has(host.toLowerCase()) ? undefined : 'the Host header names no address of this emulator'
}

/** Pages of other sites may link here, but not load resources. */
function crossSite({ method, headers }: Pick<Sent, 'method' | 'headers'>): boolean {
  const { 'sec-fetch-site': site = 'none', 'sec-fetch-mode': mode } = headers
  if (site === 'same-origin' || site === 'none') return false
  return mode !== 'navigate' || !READING.has(method ?? '')
}

function isLocal(address = ''): boolean {
  return /^(?:::ffff:)?127\.|^::1$/.test(address)
}

/** `name:port`, and on port 80 also the name alone, since browsers omit that port. */
export function hostsAt(names: readonly string[], port: number): Set<string> {
  const bare = port === 80 ? names : []
  return new Set([...names.map((name) => `${name}:${port}`), ...bare].map((host) => host.toLowerCase()))
}

/** Responds 403 to a request from a foreign page or host. JSON for every sender: none is a client of the API. */
export function refuseForeign(
  response: ServerResponse,
  { rule, hosts }: { rule: string; hosts: ReadonlySet<string> },
): void {
  const addresses = [...hosts].map((host) => `http://${host}`).join(', ')
  const message = `Refused: ${rule}. The pages and the control plane answer at ${addresses} only, and to their own pages only.`
  response.writeHead(403, {
    'Content-Type': 'application/json',
    'X-Emulator-Rule': headerText(rule),
    'Cache-Control': 'no-store',
  })
  response.end(JSON.stringify({ code: 'refused', message }))
}
