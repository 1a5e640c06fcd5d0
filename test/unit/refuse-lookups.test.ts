/** A test of this lane that reaches beyond this machine fails, also if the code under test swallows the error. */
import dns from 'node:dns'
import { lookup } from 'node:dns/promises'
import type { EventEmitter } from 'node:events'
import { createServer, get } from 'node:http'
import { connect } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { listen } from '../support/loopback'
import { failOnLookup, isLocal } from '../support/refuse-lookups'

const failed = (socket: EventEmitter) => new Promise<void>((resolve) => void socket.on('error', () => resolve()))

describe('a test that swallows the error of', () => {
  // `fails` passes if the test fails after its end, as these do.
  it.fails('a look-up fails', async () => {
    await lookup('service.test').catch(() => undefined)
  })

  it.fails('a look-up with a callback fails', async () => {
    await new Promise<void>((resolve) => dns.lookup('service.test', () => resolve()))
  })

  it.fails('a fetch fails', async () => {
    await fetch('https://service.test').catch(() => undefined)
  })

  it.fails('a request of node:http fails', async () => {
    await failed(get('http://service.test'))
  })

  it.fails('a connection to a literal address fails', async () => {
    await failed(connect(9, '192.0.2.1'))
  })
})

it('the error of the test names the host', async () => {
  await lookup('service.test').catch(() => undefined)
  expect(failOnLookup).toThrow('service.test')
})

it('a name that has no address by definition is not looked up', async () => {
  await expect(lookup('nobody.invalid')).rejects.toMatchObject({ code: 'ENOTFOUND' })
})

describe('this machine', () => {
  it('is reached by its name and by its addresses', async () => {
    const { port, close } = await listen(createServer((_, response) => void response.end('here')))
    onTestFinished(close)
    for (const host of ['localhost', '127.0.0.1']) expect(await (await fetch(`http://${host}:${port}`)).text()).toBe('here')
  })

  it.each(['localhost', 'game.localhost', '127.0.0.1', '127.8.8.8', '::1', '0.0.0.0', undefined])('is %s', (host) => {
    expect(isLocal(host)).toBe(true)
  })

  it.each(['service.test', 'localhost.example', 'notlocalhost', '192.0.2.1', '2001:db8::1', '128.0.0.1'])('is not %s', (host) => {
    expect(isLocal(host)).toBe(false)
  })
})
