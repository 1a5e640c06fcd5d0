/** Requests of libraries in an Activity: addresses of mapped hosts go through the proxy, and the page has its own functions back afterwards. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openActivityClient } from '../support/activity-client'
import { scriptedHost } from '../support/scripted-host'
import { createTokenService } from '../support/token-service'

const PAGE = 'https://1.activities.test'
const MAPPINGS = [
  { prefix: '/match', target: 'match.game.test' },
  { prefix: '/port', target: 'match.game.test:8443' },
  { prefix: '/scores', target: 'api.game.test/v1/scores' },
]

let asked: [kind: string, ...args: unknown[]][]

class Connection {
  static readonly OPEN = 1
  readonly url: string
  constructor(url: string, ...rest: unknown[]) {
    this.url = url
    asked.push([new.target.name, url, ...rest])
  }
}
class FakeSocket extends Connection {}
class FakeEvents extends Connection {}
class FakeXhr {
  open(...args: unknown[]): void {
    asked.push(['XMLHttpRequest', ...args])
  }
}

beforeEach(() => {
  asked = []
  vi.stubGlobal('fetch', async (...args: unknown[]) => {
    asked.push(['fetch', ...args])
    return new Response()
  })
  vi.stubGlobal('WebSocket', FakeSocket)
  vi.stubGlobal('EventSource', FakeEvents)
  vi.stubGlobal('XMLHttpRequest', FakeXhr)
})
afterEach(() => vi.unstubAllGlobals())

async function connect() {
  scriptedHost({ respond: () => ({ participants: [] }) })
  return openActivityClient(await createTokenService()).client.activity.connect()
}
const openOf = (): unknown => Reflect.get(XMLHttpRequest.prototype, 'open')
const functions = () => [fetch, WebSocket, EventSource, XMLHttpRequest, openOf()]
const addresses = () => asked.map(([, address]) => address)
const open = (method: string, url: string, ...rest: unknown[]) => new FakeXhr().open(method, url, ...rest)

describe('host.mapRequests', () => {
  it('maps what each function of the page is asked for, and passes everything else on', async () => {
    const host = await connect()
    host.mapRequests(MAPPINGS)
    const init = { method: 'POST', body: 'x' }
    await fetch('https://match.game.test/join?as=ada', init)
    await fetch(new URL('https://api.game.test/v1/scores/top'))
    open('GET', 'https://match.game.test/room', false)
    expect(new WebSocket('wss://match.game.test/room/7', ['a'])).toHaveProperty('url')
    expect(new EventSource('https://match.game.test/events', { withCredentials: true })).toHaveProperty('url')
    expect(asked).toEqual([
      ['fetch', `${PAGE}/.proxy/match/join?as=ada`, init],
      ['fetch', `${PAGE}/.proxy/scores/top`, undefined],
      ['XMLHttpRequest', 'GET', `${PAGE}/.proxy/match/room`, false],
      ['FakeSocket', 'wss://1.activities.test/.proxy/match/room/7', ['a']],
      ['FakeEvents', `${PAGE}/.proxy/match/events`, { withCredentials: true }],
    ])
  })

  it('maps a request with its method, headers, body and signal', async () => {
    const host = await connect()
    host.mapRequests(MAPPINGS)
    const { signal } = new AbortController()
    const request = new Request('https://match.game.test/join', {
      method: 'PUT',
      headers: { 'x-game': '1' },
      body: 'hello',
      credentials: 'include',
      signal,
    })
    await fetch(request)
    await fetch(new Request('https://match.game.test/state'), { headers: { 'x-late': '2' } })
    const [put, get] = asked.map(([, given]) => given as Request)
    expect([put?.url, put?.method, put?.headers.get('x-game'), await put?.text(), put?.credentials]).toEqual([
      `${PAGE}/.proxy/match/join`,
      'PUT',
      '1',
      'hello',
      'include',
    ])
    expect([get?.url, get?.method, get?.headers.get('x-late'), get?.body]).toEqual([
      `${PAGE}/.proxy/match/state`,
      'GET',
      '2',
      null,
    ])
  })

  it('aborts a mapped request with the signal of the given one', async () => {
    const host = await connect()
    host.mapRequests(MAPPINGS)
    const control = new AbortController()
    await fetch(new Request('https://match.game.test/join', { signal: control.signal }))
    control.abort()
    const [[, sent] = []] = asked
    expect((sent as Request).signal.aborted).toBe(true)
  })

  it.each([
    ['a relative address', '/scores'],
    ['one below the page', 'scores/top?a=b'],
    ['one of the page itself', `${PAGE}/scores`],
    ['one that is mapped already', `${PAGE}/.proxy/match/room`],
    ['a blob', `blob:${PAGE}/1`],
    ['data', 'data:text/plain,hello'],
    ['a host without a mapping', 'https://elsewhere.test/x'],
    ['another port', 'https://match.game.test:9999/x'],
    ['a path that is not mapped', 'https://api.game.test/v1/scores-of-others'],
    ['what is no address', 'https://'],
  ])('leaves %s as it is', async (_, address) => {
    const host = await connect()
    host.mapRequests(MAPPINGS)
    await fetch(address)
    open('GET', address)
    expect(new WebSocket(address)).toHaveProperty('url', address)
    expect(addresses()).toEqual([address, 'GET', address])
  })

  it('tells ports apart', async () => {
    const host = await connect()
    host.mapRequests(MAPPINGS)
    await fetch('https://match.game.test:8443/x')
    await fetch('https://match.game.test:443/x')
    expect(addresses()).toEqual([`${PAGE}/.proxy/port/x`, `${PAGE}/.proxy/match/x`])
  })

  it('keeps constants, `instanceof` and subclasses of a class', async () => {
    const before = new WebSocket('wss://match.game.test/1')
    const host = await connect()
    host.mapRequests(MAPPINGS)
    class Own extends WebSocket {}
    const [plain, own] = [new WebSocket('wss://match.game.test/2'), new Own('wss://match.game.test/3')]
    expect(WebSocket.OPEN).toBe(1)
    expect([before, plain, own].map((each) => each instanceof WebSocket)).toEqual([true, true, true])
    expect([own instanceof Own, own.url]).toEqual([true, 'wss://1.activities.test/.proxy/match/3'])
  })

  it('puts the identical functions back', async () => {
    const before = functions()
    const host = await connect()
    const undo = host.mapRequests(MAPPINGS)
    expect(functions()).not.toEqual(before)
    undo()
    undo()
    expect(functions().map((each, index) => each === before[index])).toEqual([true, true, true, true, true])
  })

  it('puts them back with the last of two, in any order', async () => {
    const before = functions()
    const host = await connect()
    const [first, second] = MAPPINGS.slice(0, 2).map((mapping) => host.mapRequests([mapping]))
    first?.()
    await fetch('https://match.game.test/x')
    await fetch('https://match.game.test:8443/x')
    expect(addresses()).toEqual(['https://match.game.test/x', `${PAGE}/.proxy/port/x`])
    second?.()
    expect(functions().every((each, index) => each === before[index])).toBe(true)
  })

  it('leaves what another library has put around it, and passes addresses on unchanged there', async () => {
    const host = await connect()
    const undo = host.mapRequests(MAPPINGS)
    const mapped = fetch
    vi.stubGlobal('fetch', (...args: Parameters<typeof fetch>) => mapped(...args))
    const around = fetch
    undo()
    expect(fetch).toBe(around)
    await fetch('https://match.game.test/x')
    expect(addresses()).toEqual(['https://match.game.test/x'])
  })

  it('changes nothing in a page outside an Activity', async () => {
    const before = functions()
    const { client } = openActivityClient(await createTokenService(), { launchQuery: '' })
    await expect(client.activity.connect()).rejects.toMatchObject({ code: 'no_activity_host' })
    expect(functions().every((each, index) => each === before[index])).toBe(true)
  })
})

describe('for a library that takes them', () => {
  it('`mappedFetch` and `mappedWebSocket` map, and the functions of the page do not', async () => {
    const before = functions()
    const host = await connect()
    await host.mappedFetch(MAPPINGS)('https://match.game.test/x')
    const Mapped = host.mappedWebSocket(MAPPINGS)
    expect(new Mapped('wss://match.game.test/x').url).toBe('wss://1.activities.test/.proxy/match/x')
    expect(addresses()[0]).toBe(`${PAGE}/.proxy/match/x`)
    expect(functions().every((each, index) => each === before[index])).toBe(true)
  })

  it('a list that is changed later has no effect', async () => {
    const host = await connect()
    const mappings = MAPPINGS.map((mapping) => ({ ...mapping }))
    const mapped = host.mappedFetch(mappings)
    mappings.forEach((mapping) => (mapping.target = 'elsewhere.test'))
    await mapped('https://match.game.test/x')
    expect(addresses()).toEqual([`${PAGE}/.proxy/match/x`])
  })
})
