/** Tabs and frames of one browser that listen to one backend: one stream for each session, few for a host, and nobody is left out. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { LobbyUpdate } from 'foyer-sdk'
import { type OpenLobbyStream, openPlayerStream } from '../support/internals'
import { settled } from '../support/hub-world'
import { ManualClock } from '../support/manual-clock'

interface Waiting {
  readonly run: () => void
}
type Held = (lock: { name: string } | null) => unknown

/** Web Locks of one browser. */
class Locks {
  readonly #held = new Set<string>()
  readonly #waiting = new Map<string, Waiting[]>()

  async request(
    name: string,
    options: { ifAvailable?: boolean; signal?: AbortSignal },
    callback: Held,
  ): Promise<unknown> {
    if (this.#held.has(name)) {
      if (options.ifAvailable) return callback(null)
      await this.#wait(name, options.signal)
    }
    this.#held.add(name)
    try {
      return await callback({ name })
    } finally {
      this.#held.delete(name)
      this.#waiting.get(name)?.shift()?.run()
    }
  }

  async query() {
    return { pending: [...this.#waiting].flatMap(([name, waiting]) => waiting.map(() => ({ name }))) }
  }

  #wait(name: string, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting = this.#waiting.get(name) ?? []
      const entry = { run: resolve }
      this.#waiting.set(name, [...waiting, entry])
      signal?.addEventListener('abort', () => {
        this.#waiting.set(
          name,
          (this.#waiting.get(name) ?? []).filter((each) => each !== entry),
        )
        reject(new DOMException('', 'AbortError'))
      })
    })
  }
}

let clock: ManualClock
let tabs: OpenLobbyStream[]
/** Open streams, by player. */
let open: string[]
/** Players who have had a stream. */
let served: Set<string>
let requests: number
let reports: string[]
let updates: LobbyUpdate[]
let send: (text: string) => void
/** False: a stream is never answered. */
let answers: boolean
let logged: object[]
let refusal: (player: string) => Response | undefined

beforeEach(() => {
  clock = new ManualClock()
  ;[tabs, open, served, requests, reports, updates] = [[], [], new Set(), 0, [], []]
  answers = true
  logged = []
  refusal = () => undefined
  vi.stubGlobal('document', {})
  vi.stubGlobal('navigator', { locks: new Locks(), onLine: true })
})
afterEach(async () => {
  for (const tab of tabs) tab.close()
  await settled()
  vi.unstubAllGlobals()
})

async function respond(player: string, { method, body, signal }: RequestInit): Promise<Response> {
  if (method === 'POST') {
    reports.push(JSON.stringify(body))
    return new Response(null, { status: 202 })
  }
  requests += 1
  if (!answers)
    return new Promise((_resolve, reject) =>
      signal?.addEventListener('abort', () => reject(new TypeError('aborted'))),
    )
  const refused = refusal(player)
  if (refused) return refused
  served.add(player)
  open.push(player)
  const stream = new ReadableStream({
    start(controller) {
      send = (text) => controller.enqueue(new TextEncoder().encode(text))
      signal?.addEventListener('abort', () => {
        open.splice(open.indexOf(player), 1)
        controller.error(signal.reason)
      })
    },
  })
  return new Response(stream, { headers: { 'content-type': 'text/event-stream' } })
}

async function openTab(player: string, url = 'http://game.test/lobbies'): Promise<OpenLobbyStream> {
  const tab = await openPlayerStream({
    clock,
    url,
    log: (_level, step, data) => void logged.push({ step, ...data }),
    listener: (update) => void updates.push(update),
    player: {
      isAllowed: () => true,
      lobbyIds: () => [],
      sessionKey: async () => `session of ${player}`,
      fetch: (_url, init) => respond(player, init),
    },
  })
  tabs.push(tab)
  await arrived()
  return tab
}

/** Lets messages between tabs arrive. */
async function arrived(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await settled()
}

async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 500) {
    clock.advance(500)
    await settled()
  }
}

it.each([
  ['no path of the backend', () => new Response('', { status: 404 }), 404],
  ['a page of the game', () => new Response('<!doctype html>'), 200],
])('an address that is %s is named in the log, without its query', async (_, answer, status) => {
  refusal = answer
  await openTab('ada', 'http://game.test/lobies?key=private')
  const remedy = 'Does createLobbyHub answer at http://game.test/lobies? Give it that path, with every method'
  expect(logged[0]).toEqual({ step: 'lobby_stream.refused', wait: expect.any(Number), status, remedy })
})

it('a refusal of the hub itself is logged with its status alone', async () => {
  refusal = () => new Response('', { status: 503 })
  await openTab('ada')
  expect(logged[0]).toEqual({ step: 'lobby_stream.refused', wait: expect.any(Number), status: 503 })
})

describe('tabs of one session', () => {
  it('do not ask again before the time that a refusal has named, however many are opened', async () => {
    refusal = () => new Response(null, { status: 503, headers: { 'retry-after': '60' } })
    for (let tab = 0; tab < 7; tab++) {
      await openTab('ada')
      await pass(1000)
    }
    await pass(40_000)
    expect(requests).toBe(1)
    refusal = () => undefined
    await pass(20_000)
    expect(open).toEqual(['ada'])
  })

  it('ask at once when one is opened after a failure that named no time', async () => {
    refusal = () => new Response(null, { status: 502 })
    await openTab('ada')
    await pass(60_000)
    refusal = () => undefined
    await openTab('ada')
    await pass(500)
    expect(open).toEqual(['ada'])
  })

  it('keep one stream when the leading one is closed, and its report arrives', async () => {
    const [first, second, third] = [await openTab('ada'), await openTab('ada'), await openTab('ada')]
    await pass(1000)
    third.announce({ lobbyId: '901' })
    first.close()
    await arrived()
    await pass(1000)
    second.close()
    await arrived()
    await pass(1000)
    expect(open).toEqual(['ada'])
    expect(reports.some((text) => text.includes('901'))).toBe(true)
  })

  it.each<[string, unknown]>([
    ['nothing', null],
    ['no lobbies', { kind: 'hello' }],
    ['lobbies that are none', { kind: 'hello', lobbyIds: [null, {}, '../x', 'x'.repeat(1e5)] }],
    ['an event that is no JSON', { kind: 'event', event: { name: 'lobby.updated', data: '{', id: '1' } }],
    [
      'an event of an unknown name',
      { kind: 'event', event: { name: '__proto__', data: '{}', id: 'a\r\nb' } },
    ],
    [
      'a lobby with half a member',
      { kind: 'event', event: { name: 'lobby.updated', data: '{"id":"901","members":[null]}', id: '2' } },
    ],
    ['a change of no lobby', { kind: 'announce', change: { lobbyId: 7 } }],
    ['an unknown kind', { kind: '__proto__' }],
  ])('ignore a note of another script or version with %s', async (_, note) => {
    await openTab('ada')
    await openTab('ada')
    await pass(1000)
    const channel = new BroadcastChannel('foyer:lobby-stream session of ada http://game.test/lobbies')
    channel.postMessage(note)
    await arrived()
    channel.close()
    await pass(1000)
    send('event: lobby.deleted\ndata: {"id":"901"}\n\n')
    await arrived()
    expect(updates.filter(({ type }) => type === 'deleted')).toHaveLength(2)
    expect(open).toEqual(['ada'])
  })
})

describe('a stream', () => {
  it('asks again within 45 s if a request is never answered', async () => {
    answers = false
    await openTab('ada')
    await settled()
    expect(requests).toBe(1)
    for (let second = 0; second < 45; second++) {
      clock.advance(1000)
      await settled()
    }
    expect(requests).toBe(2)
  })
})

describe('players in frames of one page', () => {
  it.each([5, 8, 12])('%d of them have a stream in turn, four at a time', async (count) => {
    const players = Array.from({ length: count }, (_, index) => `player ${index}`)
    for (const player of players) await openTab(player)
    let most = 0
    for (let second = 0; second < 60 && served.size < count; second++) {
      await pass(1000)
      most = Math.max(most, open.length)
    }
    expect([served.size, most]).toEqual([count, 4])
  })

  it('all have one at once over HTTP/2', async () => {
    for (let player = 0; player < 8; player++) await openTab(`player ${player}`, 'https://game.test/lobbies')
    expect(open).toHaveLength(8)
  })

  it('do not wait for those who are refused', async () => {
    refusal = (player) => (Number(player.slice(7)) < 4 ? new Response(null, { status: 401 }) : undefined)
    for (let player = 0; player < 8; player++) await openTab(`player ${player}`)
    await pass(2000)
    expect(open.toSorted()).toEqual(['player 4', 'player 5', 'player 6', 'player 7'])
  })
})
