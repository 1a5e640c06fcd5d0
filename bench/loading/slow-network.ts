/** A slow network: latency and bandwidth by Chromium itself, and connections that cost something by a proxy. */
import { connect, createServer } from 'node:net'
import type { CDPSession, Page } from 'playwright'

/** 400 ms to the first byte, and 400 kbit/s in both directions. */
const SLOW = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 }

export async function slowDown(page: Page): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', SLOW)
  return session
}

export interface SlowConnections {
  readonly port: number
  close(): void
}

/** Forwards connections to a port of this machine, each `delay` ms after it was made. */
export async function delayConnections(port: number, delay: number): Promise<SlowConnections> {
  const server = createServer({ pauseOnConnect: true }, (client) => {
    const upstream = connect(port, '127.0.0.1')
    client.on('error', () => upstream.destroy())
    upstream.on('error', () => client.destroy())
    setTimeout(() => client.pipe(upstream).pipe(client), delay)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('The proxy has no port.')
  return { port: address.port, close: () => void server.close() }
}

/** Epoch ms. */
export interface Span {
  readonly begin: number
  end: number
}

/** Lists the requests of a page that reach the network, from now on; each redirect and each preflight is one. */
export function recordRequests(session: CDPSession): Span[] {
  const spans: Span[] = []
  const open = new Map<string, { span: Span; offset: number }>()
  const endAt = (requestId: string, timestamp: number) => {
    const request = open.get(requestId)
    if (request) request.span.end = timestamp * 1000 + request.offset
  }
  session.on('Network.requestWillBeSent', ({ requestId, wallTime, timestamp, redirectResponse }) => {
    if (redirectResponse) endAt(requestId, timestamp)
    const span = { begin: wallTime * 1000, end: Number.POSITIVE_INFINITY }
    open.set(requestId, { span, offset: (wallTime - timestamp) * 1000 })
    spans.push(span)
  })
  session.on('Network.responseReceived', ({ requestId, timestamp, response }) => {
    const { span } = open.get(requestId) ?? {}
    if (response.fromDiskCache && span) spans.splice(spans.indexOf(span), 1)
    endAt(requestId, timestamp)
  })
  session.on('Network.requestServedFromCache', ({ requestId }) => {
    const { span } = open.get(requestId) ?? {}
    if (span) spans.splice(spans.indexOf(span), 1)
  })
  session.on('Network.loadingFinished', ({ requestId, timestamp }) => endAt(requestId, timestamp))
  return spans
}
