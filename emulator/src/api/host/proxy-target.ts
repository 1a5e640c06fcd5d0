/** Proxies requests and web sockets to the game's own server, so that the game has the host page's origin. */
import type { ActivityHost } from '../../service/activity/activity-host.js'
import type { EmulatorContext } from '../../state/emulator-context.js'
import { createPrivateKey, sign } from 'node:crypto'
import {
  request as httpRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { Duplex } from 'node:stream'

export interface ProxyTarget {
  target: URL
  /** Path and query on the target. */
  path: string
  /** Content policy to add to the response. */
  policy?: string | undefined
}

/** Responds with the game server's response; 502 if it cannot be reached. */
export function forward(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { target, path, policy }: ProxyTarget,
): void {
  const onward = open(incoming, { target, path })
  onward.once('response', (answer) => {
    const headers: OutgoingHttpHeaders = { ...answer.headers }
    if (policy !== undefined) headers['content-security-policy'] = joinPolicies(answer, policy)
    outgoing.writeHead(answer.statusCode ?? 502, headers)
    answer.pipe(outgoing)
  })
  onward.once('error', () => {
    if (outgoing.headersSent) outgoing.destroy()
    else
      outgoing
        .writeHead(502, { 'Content-Type': 'text/plain; charset=utf-8' })
        .end(`The game does not answer at ${target.origin}.\n`)
  })
  outgoing.once('close', () => onward.destroy())
  incoming.pipe(onward)
}

export function forwardUpgrade(incoming: IncomingMessage, socket: Duplex, target: ProxyTarget): void {
  const onward = open(incoming, target)
  socket.on('error', () => onward.destroy())
  onward.once('error', () => socket.destroy())
  onward.once('response', () => socket.destroy())
  onward.once('upgrade', (answer, far, head) => {
    const lines = Object.entries(answer.headers).flatMap(([name, value]) =>
      [value].flat().map((one) => `${name}: ${one}`),
    )
    socket.write([`HTTP/1.1 101 ${answer.statusMessage ?? ''}`, ...lines, '', ''].join('\r\n'))
    if (head.length > 0) socket.write(head)
    far.on('error', () => socket.destroy())
    socket.on('close', () => far.destroy())
    far.pipe(socket).pipe(far)
  })
  onward.end()
}

/** A header may hold several policies, and all of them apply. */
function joinPolicies({ headers }: IncomingMessage, policy: string): string {
  const own = headers['content-security-policy']
  return [own ?? [], policy].flat().join(', ')
}

function open(incoming: IncomingMessage, { target, path }: ProxyTarget) {
  const options = { method: incoming.method, headers: { ...incoming.headers, host: target.host } }
  const url = new URL(target.origin)
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest
  return request({
    ...options,
    protocol: url.protocol,
    hostname: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port,
    path,
  })
}

const HEADERS = {
  payload: 'x-service-proxy-payload',
  signature: 'x-signature-ed25519',
  timestamp: 'x-signature-timestamp',
}
/** Seconds for which a payload is valid (assumed). */
const LIFETIME = 300

/**
 * Replaces the headers of a signature. A request is signed if its address or its referrer names the frame of a player; any other one, such
 * as of a worker, arrives unsigned. The fields of the payload other than its times are assumed.
 */
export function signProxied(
  request: IncomingMessage,
  host: ActivityHost,
  { credentials, clock, seed }: EmulatorContext,
): void {
  for (const name of Object.values(HEADERS)) delete request.headers[name]
  const frame = host.findFrame(frameIdOf(request) ?? '')
  if (frame === undefined) return
  const created = Math.floor(clock.now() / 1000)
  const user = {
    application_id: seed.application.id,
    user_id: frame.player.id,
    instance_id: frame.instance.id,
  }
  const payload = Buffer.from(
    JSON.stringify({ created_at: created, expires_at: created + LIFETIME, ...user }),
  )
  const key = createPrivateKey({
    key: Buffer.from(credentials.interactionKey, 'base64'),
    format: 'der',
    type: 'pkcs8',
  })
  request.headers[HEADERS.payload] = payload.toString('base64')
  request.headers[HEADERS.timestamp] = String(created)
  request.headers[HEADERS.signature] = sign(null, payload, key).toString('base64')
}

function frameIdOf({ url = '/', headers: { referer = '' } }: IncomingMessage): string | undefined {
  const own = URL.parse(url, 'http://localhost')?.searchParams.get('frame_id')
  return own ?? URL.parse(referer)?.searchParams.get('frame_id') ?? undefined
}
