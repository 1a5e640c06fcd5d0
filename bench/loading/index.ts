/** Time from Approve to the session on a slow network, beside other libraries in the same run. */
import { createEmulator } from 'foyer-emulator'
import { launchChromium } from '../../test/support/chromium'
import type { Result } from '../measure'
import { startAdapter } from './peer-adapter'
import { buildGame, GAMES, type Game } from './games'
import { measureReturn, measureSignIn, type RunningGame, type SignIn } from './measure-sign-in'
import { comparedWith, median, medianTime, signInTable } from './print-sign-ins'
import { serveFiles } from './serve-game'
import { delayConnections } from './slow-network'

const ROUNDS = 5
/** Cost of a new connection, in ms. */
const CONNECTION = 800

const STORE = 'Foyer, with a store'
const PEER = 'oauth4webapi'
const RETURNING_PEER = 'oidc-client-ts'

type Running = Game & RunningGame & { readonly port: number }

export async function bench(): Promise<Result[]> {
  const emulator = await createEmulator({ limits: 'off' })
  const adapter = await startAdapter(emulator)
  const service = { host: emulator.url, clientId: emulator.application.id, adapter: `http://localhost:${adapter.port}` }
  const games: Running[] = []
  const closing = [() => emulator.close(), adapter.close]
  try {
    for (const game of GAMES) {
      const { port, close } = await serveFiles(await buildGame(game), service)
      closing.push(close)
      games.push({ ...game, port, url: `http://localhost:${port}/` })
    }
    const ports = [Number(new URL(emulator.url).port), adapter.port, ...games.map(({ port }) => port)]
    const plain = await signIns(games, [])
    const costly = await signIns(games, await redirectPorts(ports, closing))
    const returning = await returns(games)
    console.log(`\n${signInTable(games, { plain, costly })}\n`)
    return [...comparisons({ plain, costly }), returningResult(returning)]
  } finally {
    for (const close of closing) await close()
  }
}

/** Rules for Chromium's resolver: every connection goes through a proxy that costs time. */
async function redirectPorts(ports: readonly number[], closing: (() => unknown)[]): Promise<string[]> {
  const rules = await Promise.all(
    ports.map(async (port) => {
      const proxy = await delayConnections(port, CONNECTION)
      closing.push(() => proxy.close())
      return ['localhost', '127.0.0.1'].map((host) => `MAP ${host}:${port} 127.0.0.1:${proxy.port}`)
    }),
  )
  return [`--host-resolver-rules=${rules.flat().join(',')}`]
}

/** Signs in with each game in turn, so that all meet the same load of the machine. */
async function signIns(games: readonly Running[], args: string[]): Promise<ReadonlyMap<string, readonly SignIn[]>> {
  const measured = new Map<string, SignIn[]>(games.map(({ name }) => [name, []]))
  for (let round = 0; round < ROUNDS; round++)
    for (const game of games) {
      // A browser of its own: no connection stays open from the game before.
      const browser = await launchChromium(undefined, args.length > 0 ? { args } : {})
      try {
        measured.get(game.name)?.push(await measureSignIn(browser, game))
      } finally {
        await browser.close()
      }
    }
  return measured
}

/** Returns the median time of a returning player's start. */
async function returns(games: readonly Running[]): Promise<ReadonlyMap<string, number>> {
  const compared = games.filter(({ name }) => name === STORE || name === RETURNING_PEER)
  const times = new Map<string, number[]>(compared.map(({ name }) => [name, []]))
  for (let round = 0; round < ROUNDS; round++)
    for (const { name, url } of compared) {
      const browser = await launchChromium()
      try {
        times.get(name)?.push(await measureReturn(browser, url))
      } finally {
        await browser.close()
      }
    }
  return new Map([...times].map(([name, all]) => [name, median(all)]))
}

function comparisons({ plain, costly }: Record<'plain' | 'costly', ReadonlyMap<string, readonly SignIn[]>>): Result[] {
  const best = [...costly.keys()]
    .filter((name) => !name.startsWith('Foyer'))
    .toSorted((a, b) => medianTime(costly, a) - medianTime(costly, b))
  return [
    comparedWith(plain, { ours: 'Foyer', peer: PEER, most: 1.05 }),
    comparedWith(plain, { ours: STORE, peer: PEER, most: 1.05 }),
    comparedWith(costly, { ours: 'Foyer', peer: best[0] ?? PEER, most: 1, asserted: true, where: `connections cost ${CONNECTION} ms` }),
  ]
}

function returningResult(times: ReadonlyMap<string, number>): Result {
  const [ours = Number.NaN, peer = Number.NaN] = [times.get(STORE), times.get(RETURNING_PEER)]
  return {
    bench: 'loading, returning player',
    where: `cold cache, beside ${RETURNING_PEER}`,
    ours,
    peer,
    unit: 'ms',
    ratio: ours / peer,
    target: 'aim: <= 1 time, not asserted',
    passed: true,
  }
}
