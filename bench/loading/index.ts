/** Time from Approve to the session on a slow network, beside other libraries in the same run. */
import { availableParallelism, loadavg } from 'node:os'
import { createEmulator } from 'foyer-emulator'
import { launchChromium } from '../../test/support/chromium'
import type { Result } from '../measure'
import { startAdapter } from './peer-adapter'
import { buildGame, GAMES, type Game } from './games'
import { measureReturn, measureSignIn, type RunningGame, type SignIn } from './measure-sign-in'
import { comparedSequences, comparedWith, medianTime, type SignIns, signInTable } from './print-sign-ins'
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
  // Times of single sign-ins are compared: other work on both cores would decide them.
  const isQuiet = (loadavg()[0] ?? 0) < availableParallelism()
  const emulator = await createEmulator({ limits: 'off' })
  const adapter = await startAdapter(emulator)
  const service = {
    host: emulator.url,
    clientId: emulator.application.id,
    adapter: `http://localhost:${adapter.port}`,
  }
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
    return [...comparisons({ plain, costly, isQuiet }), ...returningResults(returning)]
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
async function signIns(games: readonly Running[], args: string[]): Promise<SignIns> {
  const measured = new Map<string, SignIn[]>(games.map(({ name }) => [name, []]))
  for (let round = 0; round < ROUNDS; round++)
    for (const game of games) {
      // A browser of its own: no connection stays open from the game before.
      const browser = await launchChromium(undefined, { full: true, ...(args.length > 0 && { args }) })
      try {
        measured.get(game.name)?.push(await measureSignIn(browser, game))
      } finally {
        await browser.close()
      }
    }
  return measured
}

/** Starts each game again, as a returning player's browser does without a cache. */
async function returns(games: readonly Running[]): Promise<SignIns> {
  const compared = games.filter(({ name }) => name === STORE || name === RETURNING_PEER)
  const measured = new Map<string, SignIn[]>(compared.map(({ name }) => [name, []]))
  for (let round = 0; round < ROUNDS; round++)
    for (const { name, url } of compared) {
      const browser = await launchChromium(undefined, { full: true })
      try {
        measured.get(name)?.push(await measureReturn(browser, url))
      } finally {
        await browser.close()
      }
    }
  return measured
}

function comparisons({
  plain,
  costly,
  isQuiet,
}: Record<'plain' | 'costly', SignIns> & { isQuiet: boolean }): Result[] {
  const fastest = [...costly.keys()]
    .filter((name) => !name.startsWith('Foyer'))
    .reduce((best, name) => (medianTime(costly, name) < medianTime(costly, best) ? name : best), PEER)
  return ['Foyer', STORE].flatMap((ours) => [
    comparedSequences(plain, ours, PEER),
    comparedWith(plain, { ours, peer: PEER, most: 1.05, asserted: isQuiet }),
    comparedWith(costly, {
      ours,
      peer: fastest,
      most: 1,
      asserted: true,
      where: `connections cost ${CONNECTION} ms`,
    }),
  ])
}

/** The time is an aim: more code than the peer's loads with the page, since it can sign in too. */
function returningResults(returning: SignIns): Result[] {
  const times = comparedWith(returning, {
    ours: STORE,
    peer: RETURNING_PEER,
    most: 1,
    asserted: false,
    where: 'cold cache',
  })
  return [
    comparedSequences(returning, STORE, RETURNING_PEER),
    { ...times, target: 'aim: <= 1 times, not asserted' },
  ].map((result) => ({
    ...result,
    bench: 'loading, returning player',
  }))
}
