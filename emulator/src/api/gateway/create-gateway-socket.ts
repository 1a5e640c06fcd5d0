/** Accepts the sockets of bots at the address of the gateway. */
import { headerText } from '../../foundation/header-text.js'
import { refusalOfQuery } from '../../service/gateway/decide-answer.js'
import { gatewayAddress, GATEWAY_PATH, type Gateway } from '../../service/gateway/gateway.js'
import type { GatewayLink } from '../../service/gateway/gateway-connection.js'
import { foreignRule } from '../request/refuse-foreign.js'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer, type WebSocket } from 'ws'

/** Bytes of a message; a longer one ends the connection while it arrives. Above what the gateway reads, so that it can say so. */
const LARGEST_MESSAGE = 65_536
/** Libraries end the address with a slash. */
const PATHS = new Set([GATEWAY_PATH, `${GATEWAY_PATH}/`])

/** The beginning of a connection for another protocol. */
export interface Upgrade {
  request: IncomingMessage
  socket: Duplex
  /** First bytes after the request. */
  head: Buffer
}

/** True for a request to the gateway. */
export function isGatewayUpgrade({ url = '' }: IncomingMessage): boolean {
  return PATHS.has(url.split('?', 1)[0] ?? '')
}

export function createGatewaySocket(hosts: ReadonlySet<string>, gateway: Gateway) {
  // Texts are sent as they are: libraries that ask for compression read them too.
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: LARGEST_MESSAGE,
    perMessageDeflate: false,
  })
  return ({ request, socket, head }: Upgrade): void => {
    const rule = pageRule(request, hosts)
    if (rule !== undefined) return refuse(socket, rule)
    server.handleUpgrade(request, socket, head, (link) => connect(link, request, gateway))
  }
}

/** Bots send no Origin header, and may know the emulator by another name. Pages may open a socket to any address. */
function pageRule(request: IncomingMessage, hosts: ReadonlySet<string>): string | undefined {
  if (request.headers.origin === undefined) return undefined
  return foreignRule(request, { hosts, proof: 'token' })
}

function refuse(socket: Duplex, rule: string): void {
  const lines = ['HTTP/1.1 403 Forbidden', `X-Emulator-Rule: ${headerText(rule)}`, 'Connection: close']
  socket.end([...lines, '', ''].join('\r\n'))
}

function connect(link: WebSocket, request: IncomingMessage, gateway: Gateway): void {
  // An error is followed by the end of the connection.
  link.on('error', () => undefined)
  const refusal = refusalOfQuery(new URL(request.url ?? '', 'ws://localhost').searchParams)
  if (refusal !== undefined) return link.close(refusal.code, refusal.reason)
  const url = gatewayAddress(request.headers.host ?? '127.0.0.1')
  const { received, ended } = gateway.accept(linkOf(link), { url })
  link.on('message', (data, isBinary) => {
    if (link.readyState === link.OPEN) received(isBinary || !Buffer.isBuffer(data) ? undefined : data)
  })
  link.on('close', ended)
}

function linkOf(socket: WebSocket): GatewayLink {
  return {
    send: (text) => socket.send(text),
    close: ({ code, reason }) => socket.close(code, reason),
    destroy: () => socket.terminate(),
    buffered: () => socket.bufferedAmount,
  }
}
