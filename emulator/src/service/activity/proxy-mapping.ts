/** Proxy of an Activity as the service has it: URL mappings, the optional prefix `/.proxy/`, and a content policy for the game. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { fieldsOf, textOf } from '../../foundation/values.js'
import { EmulatorError } from '../../foundation/emulator-error.js'
import { withoutEndSlashes } from '../../foundation/without-end-slashes.js'

/** URL mapping of the application: a path prefix, and the host that it stands for. */
export interface ProxyMapping {
  /** Path prefix, for example `/api`. */
  prefix: string
  /** Address of the host, for example `http://localhost:8080`, with an optional path. */
  target: string
}

/** Path of reports of the content policy, on the origin of the game. */
export const REPORT_PATH = '/.proxy/_policy-report'

const PROXY_PREFIX = /^\/\.proxy(?=\/)/
const REPORT_SIZE = 16_384

/** @throws EmulatorError `bad_request` for an invalid mapping. */
export function checkMappings(mappings: readonly ProxyMapping[]): readonly ProxyMapping[] {
  for (const { prefix, target } of mappings) {
    const protocol = URL.parse(target)?.protocol
    if (!/^\/[\w./-]*$/.test(prefix) || (protocol !== 'http:' && protocol !== 'https:'))
      throw new EmulatorError(
        'bad_request',
        `A URL mapping is a prefix like "/api" and an http(s) address, unlike ${JSON.stringify({ prefix, target })}.`,
      )
  }
  return mappings
}

/** Address to which a request of the game goes: the longest mapped prefix wins, any other path is the game's own. */
export function resolveTarget(
  path: string,
  game: URL,
  mappings: readonly ProxyMapping[],
): { target: URL; path: string } {
  const given = path.replace(PROXY_PREFIX, '')
  const fits = ({ prefix }: ProxyMapping) => startsWithFolder(given, withoutEndSlashes(prefix))
  const best = mappings.filter(fits).toSorted((left, right) => right.prefix.length - left.prefix.length)[0]
  if (best === undefined) return { target: game, path: given }
  const target = new URL(best.target)
  const rest = given.slice(withoutEndSlashes(best.prefix).length)
  return { target, path: `${withoutEndSlashes(target.pathname)}${rest.startsWith('/') ? rest : `/${rest}`}` }
}

/** A game may use its own origin and the service, as in an Activity. Blocked addresses are reported. */
export function proxyPolicy(origin: string, service: string): string {
  const { host } = new URL(origin)
  const own = `'self' ${service} data: blob:`
  return [
    `default-src ${own} 'unsafe-inline' 'unsafe-eval'`,
    `connect-src ${own} ws://${host}`,
    "object-src 'none'",
    "base-uri 'self'",
    `report-uri ${REPORT_PATH}`,
  ].join('; ')
}

/** Reads the report of a blocked address; undefined if it is none. */
export async function readReport(
  request: IncomingMessage,
  response: ServerResponse,
): Promise<string | undefined> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) {
    text += String(chunk)
    if (text.length > REPORT_SIZE) break
  }
  response.writeHead(204).end()
  try {
    const report = fieldsOf(fieldsOf(JSON.parse(text))['csp-report'])
    return textOf(report['blocked-uri'])
  } catch {
    return undefined
  }
}

/** Reason for a blocked address, and what to do. */
export function explainBlocked(blocked: string): string {
  const { protocol, hostname, host } = URL.parse(blocked) ?? { protocol: '', hostname: '', host: '' }
  if (host === '') return `The content policy of Activities blocked ${blocked}.`
  if (/^wss?:$/.test(protocol) && hostname === 'localhost')
    return `The game requested ${blocked}, which the content policy of Activities blocks. If that is the socket of its dev server, leave out server.hmr in the Vite config: its clientPort is for a tunnel, and there is none. Otherwise ${mapAdvice(host)}`
  return `The game requested ${blocked}, and the content policy of Activities blocks hosts without a URL mapping: ${mapAdvice(host)}`
}

const mapAdvice = (host: string): string =>
  `map a prefix to ${host}, and request it under /.proxy/ (activityUrl() of the SDK).`

function startsWithFolder(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`) || path.startsWith(`${folder}?`)
}
