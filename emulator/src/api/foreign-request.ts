/** Checks where a request for a page comes from. A foreign host name (DNS rebinding) and a page of another origin are refused. */
import type { IncomingMessage } from 'node:http'

/** The method and the headers of a request, as Node has them. */
type Sent = Pick<IncomingMessage, 'method' | 'headers'> & { socket: Pick<IncomingMessage['socket'], 'remoteAddress'> }

export interface Checks {
  /** The values of the Host header under which the pages are served, in lower case. */
  hosts: ReadonlySet<string>
  /** `token`: a secret in the Authorization header proves the sender, so that programs need no Origin header. Default: `origin`. */
  proof?: 'origin' | 'token'
  /** Refuses other devices, whatever they write into the Host header. Default: false. */
  onlyLocal?: boolean
}

const reading = new Set(['GET', 'HEAD'])

/** The rule that refuses the request, in the words of the `X-Emulator-Rule` header; undefined when it may pass. */
export function foreignRule(request: Sent, { hosts, proof = 'origin', onlyLocal = false }: Checks): string | undefined {
  const { host = '', origin } = request.headers
  const misaddressed = hostRule(request, hosts)
  if (misaddressed !== undefined) return misaddressed
  if (onlyLocal && !isLocal(request.socket.remoteAddress)) return 'the request comes from another device'
  if (origin !== undefined && origin !== `http://${host.toLowerCase()}`) return 'the request comes from a page of another origin'
  if (origin === undefined && proof === 'origin' && !reading.has(request.method ?? ''))
    return 'the Origin header is missing: browsers send it with every form, and programs use the control plane'
  return crossSite(request) ? 'the request comes from a page of another site' : undefined
}

/** The first half of the check, for what is handed on to a game's own server. */
export function hostRule({ headers: { host = '' } }: Pick<Sent, 'headers'>, hosts: ReadonlySet<string>): string | undefined {
  return hosts.has(host.toLowerCase()) ? undefined : 'the Host header names no address of this emulator'
}

/** Pages of other sites may lead here by a link; they may not load what is here. */
function crossSite({ method, headers }: Pick<Sent, 'method' | 'headers'>): boolean {
  const { 'sec-fetch-site': site = 'none', 'sec-fetch-mode': mode } = headers
  if (site === 'same-origin' || site === 'none') return false
  return mode !== 'navigate' || !reading.has(method ?? '')
}

function isLocal(address = ''): boolean {
  return /^(?:::ffff:)?127\.|^::1$/.test(address)
}

/** `name:port`, and the name alone on port 80, which browsers leave out. */
export function hostsAt(names: readonly string[], port: number): Set<string> {
  const bare = port === 80 ? names : []
  return new Set([...names.map((name) => `${name}:${port}`), ...bare].map((host) => host.toLowerCase()))
}
