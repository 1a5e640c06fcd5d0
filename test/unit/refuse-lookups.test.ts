/** A test of this lane that reaches beyond this machine fails, also if the code under test swallows the error. */
import dns from 'node:dns'
import { lookup } from 'node:dns/promises'
import type { EventEmitter } from 'node:events'
import { createServer, get } from 'node:http'
import { connect } from 'node:net'
import { Browser } from 'happy-dom'
import { describe, expect, it, onTestFinished } from 'vitest'
import { listen } from '../support/loopback'
import { failOnLookup, isLocal } from '../support/refuse-lookups'

/** As a test that lets a page leave. */
async function navigate(): Promise<void> {
  const browser = new Browser()
  const page = browser.newPage()
  await page.goto('https://game.test/other').catch(() => undefined)
  await browser.close()
}

const failed = (socket: EventEmitter) =>
  new Promise<void>((resolve) => void socket.on('error', () => resolve()))

it.each<[string, string, () => Promise<unknown>]>([
  ['a look-up', 'service.test', () => lookup('service.test').catch(() => undefined)],
  [
    'a look-up with a callback',
    'service.test',
    () => new Promise<void>((resolve) => dns.lookup('service.test', () => resolve())),
  ],
  ['a fetch', 'service.test', () => fetch('https://service.test').catch(() => undefined)],
  ['a request of node:http', 'service.test', () => failed(get('http://service.test'))],
  ['a navigation of happy-dom', 'game.test', navigate],
  ['a connection to a literal address', '192.0.2.1', () => failed(connect(9, '192.0.2.1'))],
])('%s is reported by the name of the host, though its error is swallowed', async (_, host, reach) => {
  await reach()
  expect(failOnLookup).toThrow(host)
})

// `fails` passes if the test fails after its end, as this one does.
it.fails('a test with a look-up fails, though all that it expects is so', async () => {
  await expect(lookup('service.test')).rejects.toMatchObject({ code: 'ENOTFOUND' })
})

it('a name that has no address by definition is not looked up', async () => {
  await expect(lookup('nobody.invalid')).rejects.toMatchObject({ code: 'ENOTFOUND' })
})

describe('this machine', () => {
  it('is reached by its name and by its addresses', async () => {
    const { port, close } = await listen(createServer((_, response) => void response.end('here')))
    onTestFinished(close)
    for (const host of ['localhost', '127.0.0.1'])
      expect(await (await fetch(`http://${host}:${port}`)).text()).toBe('here')
  })

  it.each(['localhost', 'game.localhost', '127.0.0.1', '127.8.8.8', '::1', '0.0.0.0', undefined])(
    'is %s',
    (host) => {
      expect(isLocal(host)).toBe(true)
    },
  )

  it.each(['service.test', 'localhost.example', 'notlocalhost', '192.0.2.1', '2001:db8::1', '128.0.0.1'])(
    'is not %s',
    (host) => {
      expect(isLocal(host)).toBe(false)
    },
  )
})
