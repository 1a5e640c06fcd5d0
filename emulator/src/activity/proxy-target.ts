/** Proxies requests and web sockets to the game's own server, so that the game has the host page's origin. */
import { request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from 'node:http'
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
export function forward(incoming: IncomingMessage, outgoing: ServerResponse, { target, path, policy }: ProxyTarget): void {
  const onward = open(incoming, { target, path })
  onward.once('response', (answer) => {
    const headers: OutgoingHttpHeaders = { ...answer.headers }
    if (policy !== undefined) headers['content-security-policy'] = joinPolicies(answer, policy)
    outgoing.writeHead(answer.statusCode ?? 502, headers)
    answer.pipe(outgoing)
  })
  onward.once('error', () => {
    if (outgoing.headersSent) outgoing.destroy()
    else outgoing.writeHead(502, { 'Content-Type': 'text/plain; charset=utf-8' }).end(`The game does not answer at ${target.origin}.\n`)
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
    const lines = Object.entries(answer.headers).flatMap(([name, value]) => [value].flat().map((one) => `${name}: ${one}`))
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
  return request({ ...options, protocol: url.protocol, hostname: url.hostname.replace(/^\[|\]$/g, ''), port: url.port, path })
}
