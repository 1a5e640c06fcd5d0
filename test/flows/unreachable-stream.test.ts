/** A stream that is refused, or that nobody answers, at its first connection says what to change: in the log, and with it in the developer panel. */
import { createServer } from 'node:http'
import { createEmulator, type Emulator } from 'foyer-emulator'
import { Client, type ClientOptions, lobbyStream, type LogEntry } from 'foyer-sdk'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { consentSurface } from '../support/consent-surface'
import { listen } from '../support/loopback'
import { settle } from '../support/settle'

const HUB = 'https://hub.test'
const CLOSED = 2

/** The part of a browser's `EventSource` that a stream uses. */
class Source extends EventTarget {
  static readonly all: Source[] = []
  readyState = 0

  constructor() {
    super()
    Source.all.push(this)
  }

  fail(readyState: number): void {
    this.readyState = readyState
    this.dispatchEvent(new Event('error'))
  }

  close(): void {
    this.readyState = CLOSED
  }
}

let emulator: Emulator
let client: Client
let logged: LogEntry[]
beforeAll(async () => {
  emulator = await createEmulator()
})
afterAll(() => emulator.close())
beforeEach(() => {
  logged = []
  Source.all.length = 0
  vi.stubGlobal('EventSource', Source)
  vi.stubGlobal('navigator', { onLine: true })
  vi.stubGlobal('addEventListener', () => undefined)
  vi.stubGlobal('removeEventListener', () => undefined)
})
afterEach(async () => {
  client.close()
  await settle()
  vi.unstubAllGlobals()
})

async function play(options: Partial<ClientOptions>): Promise<void> {
  client = new Client({
    applicationId: emulator.application.id,
    service: { host: emulator.url },
    surface: consentSurface(emulator, { redirectUri: 'http://127.0.0.1:51234/callback' }),
    logger: (entry) => logged.push(entry),
    ...options,
  })
  await client.signIn()
  await client.createOrJoinLobby('moon')
}

const refusals = () => logged.filter(({ step }) => step === 'lobby_stream.refused').map(({ data }) => data)

async function source(): Promise<Source> {
  return vi.waitUntil(() => Source.all.at(-1))
}

describe('a stream to an origin that may not have the token', () => {
  const remedy = expect.stringContaining(
    `No token is sent to ${HUB}: name it in the client's backendOrigins`,
  ) as unknown

  it.each([
    ['refused', CLOSED, { wait: expect.any(Number) as unknown, remedy }],
    ['not answered, and opened again by the browser', 0, { remedy }],
  ])('says so once when it is %s', async (_, state, data) => {
    await play({ lobbyUpdates: lobbyStream(`${HUB}/lobbies?key=private`) })
    const first = await source()
    first.fail(state)
    expect(refusals()).toEqual([data])
    first.fail(0)
    first.fail(CLOSED)
    expect(refusals().slice(1)).toEqual([{ wait: expect.any(Number) as unknown }])
  })

  it('needs no token once it has opened', async () => {
    await play({ lobbyUpdates: lobbyStream(`${HUB}/lobbies`) })
    const first = await source()
    first.dispatchEvent(new Event('open'))
    first.fail(0)
    expect(refusals()).toEqual([])
  })

  it('is no fault of the game while the network is away', async () => {
    vi.stubGlobal('navigator', { onLine: false })
    await play({ lobbyUpdates: lobbyStream(`${HUB}/lobbies`) })
    ;(await source()).fail(CLOSED)
    expect(refusals()).toEqual([{ wait: expect.any(Number) as unknown }])
  })
})

describe('a stream with the token', () => {
  it('asks once whether the backend runs, if nobody has ever answered', async () => {
    const server = await listen(createServer())
    const origin = `http://127.0.0.1:${server.port}`
    await server.close()
    await play({ lobbyUpdates: lobbyStream(`${origin}/lobbies?key=private`), backendOrigins: [origin] })
    await vi.waitUntil(() => refusals().length > 0)
    expect(refusals()[0]).toEqual({
      wait: expect.any(Number) as unknown,
      code: 'connection_failed',
      remedy: `Is the backend running at ${origin}, and does it let this page call it (CORS)?`,
    })
  })
})
