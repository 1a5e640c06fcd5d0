/** Messages from before a player joined: by the recipe of the manual, and by the lobby of the React hook. */
import { createEmulator, type Emulator } from 'foyer-emulator'
import type { Client, Lobby, LobbyMessage } from 'foyer-sdk'
import { transform } from 'esbuild'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { blocks, pages } from '../package/markdown-pages'
import { LobbySubscription } from '../support/internals'
import { LobbyGame } from '../support/lobby-game'

let emulator: Emulator
let game: LobbyGame
beforeAll(async () => {
  emulator = await createEmulator({ limits: 'off' })
})
beforeEach(() => {
  emulator.reset()
  game = new LobbyGame(emulator)
})
afterEach(() => game.close())
afterAll(() => emulator.close())

const TEXTS = ['first', 'second', 'third']

/** A match with three messages, and a player who signs in after them. */
async function openMatch(): Promise<{ lobby: Lobby; late: Client }> {
  const lobby = await (await game.player('ada')).createOrJoinLobby('moon')
  for (const text of TEXTS) await lobby.send(text)
  return { lobby, late: await game.player('bruno') }
}

type ReadAll = (lobby: Lobby, onMessage: (message: LobbyMessage) => void) => Promise<void>

/** The function of the page about lobbies. */
async function readAllOfManual(): Promise<ReadAll> {
  const page = pages().find(({ path }) => path === 'docs/lobbies.md')
  const { code = '' } =
    blocks({ text: page?.text ?? '' }).find((each) => each.code.includes('readAll(')) ?? {}
  const [, source = ''] = /(async function readAll.*?^})/ms.exec(code) ?? []
  const { code: script } = await transform(source, { loader: 'ts' })
  // oxlint-disable-next-line typescript/no-implied-eval -- code of the manual
  return new Function(`${script}; return readAll`)()
}

describe('a late player', () => {
  it('has each message once and in order with the recipe of the manual, also one that arrives meanwhile', async () => {
    const { lobby, late } = await openMatch()
    const readAll = await readAllOfManual()
    const own = await late.createOrJoinLobby('moon')
    const read: string[] = []
    const reading = readAll(own, ({ content }) => read.push(content))
    await own.send('of bruno')
    await reading
    await own.watch()
    await lobby.send('last')
    await own.send('after')
    expect(read.slice(0, 3)).toEqual(TEXTS)
    expect(read.filter((text) => text === 'of bruno')).toHaveLength(1)
    expect(read.filter((text) => text === 'after')).toHaveLength(1)
  })

  it.each([
    ['all three, once and in order', 200, TEXTS],
    ['the newest two', 2, TEXTS.slice(1)],
    ['none without the option', undefined, []],
  ])('has %s with the hook for one lobby', async (_, history, expected) => {
    const { late } = await openMatch()
    const used = new LobbySubscription({ client: late, addDeparture: () => undefined }, 'moon')
    onTestFinished(used.subscribe(() => undefined, { interval: 0, history }))
    await expect.poll(() => used.getSnapshot().status).toBe('joined')
    const read = () => used.getSnapshot().messages.map(({ content }) => content)
    await expect.poll(read).toEqual(expected)
    await used.send('of bruno')
    await expect.poll(read).toEqual([...expected, 'of bruno'])
  })

  it('is in the lobby although the history cannot be read, and has the reason', async () => {
    const { late } = await openMatch()
    const used = new LobbySubscription({ client: late, addDeparture: () => undefined }, 'moon')
    onTestFinished(used.subscribe(() => undefined, { interval: 0, history: 201 }))
    await expect.poll(() => used.getSnapshot().error?.code).toBe('invalid_argument')
    expect(used.getSnapshot().status).toBe('joined')
  })
})
