/** A call passes few files and functions on its way to the wire: whoever reads it opens each of them. */
import { Session } from 'node:inspector/promises'
import { createEmulator, type Emulator } from 'foyer-emulator'
import { Client, memoryStore } from 'foyer-sdk'
import { expect, it, onTestFinished } from 'vitest'

/** What one call has passed. */
interface Walk {
  readonly call: string
  /** Files of the SDK with a function that ran. */
  readonly files: number
  /** Functions of the SDK between the call and its deepest request. */
  readonly frames: number
}

const isOurs = (line: string): boolean =>
  /\/src\/(shared|client)\//.test(line) && !line.includes('/emulator/')

/** Counts what runs during a call. */
class Walks {
  found: Walk[] = []
  readonly #profiler = new Session()
  #frames: number[] = []

  async start(): Promise<void> {
    this.#profiler.connect()
    await this.#profiler.post('Profiler.enable')
    await this.#profiler.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  }

  stop(): void {
    this.#profiler.disconnect()
  }

  readonly fetch: typeof fetch = (...request) => {
    const limit = Error.stackTraceLimit
    Error.stackTraceLimit = 200
    this.#frames.push((new Error('here').stack ?? '').split('\n').filter(isOurs).length)
    Error.stackTraceLimit = limit
    return fetch(...request)
  }

  async walk<Value>(call: string, work: () => Promise<Value>): Promise<Value> {
    await this.#ranFiles()
    this.#frames = []
    const value = await work()
    const files = await this.#ranFiles()
    this.found.push({ call, files: files.length, frames: Math.max(...this.#frames) })
    return value
  }

  /** Files with a named function that ran since the last time. */
  async #ranFiles(): Promise<string[]> {
    const { result } = await this.#profiler.post('Profiler.takePreciseCoverage')
    return result
      .filter(({ functions }) =>
        functions.some(({ functionName, ranges }) => functionName !== '' && (ranges[0]?.count ?? 0) > 0),
      )
      .map(({ url }) => url)
      .filter(isOurs)
  }
}

/** What was measured when the layout was last changed. A call that needs more goes through something new. */
const MOST: readonly Walk[] = [
  { call: 'signIn', files: 44, frames: 12 },
  { call: 'the first createOrJoinLobby', files: 59, frames: 12 },
  { call: 'the second createOrJoinLobby', files: 50, frames: 12 },
  { call: 'lobby.send', files: 42, frames: 13 },
  { call: 'refreshToken', files: 25, frames: 9 },
  { call: 'resume with two lobbies', files: 67, frames: 13 },
]

it('each call passes at most the files and functions that are noted', async () => {
  const emulator = await createEmulator()
  const walks = new Walks()
  await walks.start()
  onTestFinished(async () => {
    walks.stop()
    await emulator.close()
  })
  // Work that an earlier file of this process left behind is counted too: a call needs the least of a few rounds.
  let least: readonly Walk[] = []
  for (let round = 0; round < ROUNDS && !(least.length > 0 && tooLong(least).length === 0); round++) {
    const found = await goAll(emulator, walks)
    least = found.map((walk, index) => lessOf(walk, least[index] ?? walk))
  }
  expect(least.map(({ call }) => call)).toEqual(MOST.map(({ call }) => call))
  expect(tooLong(least)).toEqual([])
  // A walk of no files would prove nothing.
  expect(Math.min(...least.map(({ files, frames }) => Math.min(files, frames)))).toBeGreaterThan(5)
})

const ROUNDS = 8

const lessOf = (walk: Walk, other: Walk): Walk => ({
  call: walk.call,
  files: Math.min(walk.files, other.files),
  frames: Math.min(walk.frames, other.frames),
})

const tooLong = (found: readonly Walk[]): readonly Walk[] =>
  found.filter(({ files, frames }, index) => {
    const most = MOST[index]
    return !most || files > most.files || frames > most.frames
  })

async function goAll(emulator: Emulator, walks: Walks): Promise<readonly Walk[]> {
  const options = {
    applicationId: emulator.application.id,
    service: { host: emulator.url },
    tokenStore: memoryStore(),
    fetch: walks.fetch,
  }
  const surface = {
    redirectUri: () => 'http://127.0.0.1:51234/callback',
    open: async (url: string) => (await emulator.authorize(url, { as: 'ada' })).redirect,
  }
  const client = new Client(options)
  const later = new Client(options)
  try {
    walks.found = []
    await walks.walk('signIn', () => client.signIn({ surface }))
    const lobby = await walks.walk('the first createOrJoinLobby', () => client.createOrJoinLobby('moon'))
    await walks.walk('the second createOrJoinLobby', () => client.createOrJoinLobby('sun'))
    await walks.walk('lobby.send', () => lobby.send('Hello!'))
    await walks.walk('refreshToken', () => client.refreshToken())
    await walks.walk('resume with two lobbies', () => later.resume())
    return walks.found
  } finally {
    client.close()
    later.close()
  }
}
