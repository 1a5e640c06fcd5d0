/** Requests that any page can send to the demo and to its emulator: none of them ends the processes. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Demo, startBuiltDemo, stopDemo } from '../demo-process'

let demo: Demo
beforeAll(async () => {
  demo = await startBuiltDemo('--port', '0', '--activity-port', '0')
})
afterAll(() => stopDemo(demo))

/** Sends bytes as they are; resolves with the status line, or '' if the connection was closed. */
async function sendRaw(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port) })
  let received = ''
  socket.setEncoding('latin1').on('data', (chunk) => (received += String(chunk)))
  socket.on('error', () => undefined)
  socket.end(text, 'latin1')
  await once(socket, 'close')
  return received.split('\r\n')[0] ?? ''
}

const TARGETS = [
  '//[',
  '//',
  '/%',
  '/%E0%A4%A',
  'http://[',
  'http://a:b@[',
  '*',
  '/\u00ff',
  '/..%2f..%2f',
  `/${'a'.repeat(9000)}`,
  '/inspector?//[',
]
const HOSTS = ['localhost', 'localhost/admin?', '[', 'a b', '']

const requests = TARGETS.flatMap((target) =>
  HOSTS.map((host) => `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`),
)

describe.each([
  ['the demo', () => demo.url],
  ['its emulator', () => demo.inspector],
])('%s', (_, url) => {
  it('answers malformed requests with a client error or a page, and goes on', async () => {
    const statuses = await Promise.all(requests.map((request) => sendRaw(url(), request)))
    expect(statuses.filter((status) => status !== '' && !/^HTTP\/1\.1 [234]\d\d /.test(status))).toEqual([])
    expect((await fetch(url())).status).toBe(200)
    expect(demo.process.exitCode).toBe(null)
  })

  it('answers malformed bodies, and goes on', async () => {
    const bodies = ['', '{', '[]', 'null', '{"ms":"soon"}', '{"ms":1e999}', '{"user":{}}', '"']
    const paths = [
      '/faults/sleep',
      '/faults/expire',
      '/faults/authorize',
      '/commands/lobby_create',
      '/commands/guilds',
      '/faults/__proto__',
    ]
    const { origin } = new URL(url())
    const send = (path: string, body: string) =>
      fetch(origin + path, { method: 'POST', headers: { origin }, body })
    const responses = await Promise.all(paths.flatMap((path) => bodies.map((body) => send(path, body))))
    expect(responses.filter(({ status }) => status >= 500)).toEqual([])
    expect(demo.process.exitCode).toBe(null)
  })
})
