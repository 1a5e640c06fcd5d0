/** A stream of lobby updates that comes late and breaks off, in real Chromium: what a client misses, and how a backend makes it whole. */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Emulator } from 'foyer-emulator'
import type { Client, StreamTools } from 'foyer-sdk'
import type * as Foyer from 'foyer-sdk'
import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { useBrowserGame } from '../support/browser-game'
import { LobbyGame } from '../support/lobby-game'

const chromium = useBrowserGame()

/** Stands in the tab. */
declare const client: Client

/** What the tab has heard, and a clock that stands still. */
declare const heard: unknown[]
declare const logged: { step: string; wait: number }[]
declare const timers: { delay: number; run: () => void }[]

/** A backend's stream, whose connections a test can cut. `hello` is what each begins with. */
async function serveStream(hello: () => Promise<string>) {
  const open = new Set<ServerResponse>()
  let isAway = false
  let status = 200
  let requests = 0
  const connect = async (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'access-control-allow-origin': '*' })
    response.write(`retry: 100\n\n${await hello()}`)
    open.add(response)
    response.on('close', () => open.delete(response))
  }
  const server = createServer((request, response) => {
    requests += 1
    if (isAway) request.socket.destroy()
    else if (status !== 200) response.writeHead(status, { 'access-control-allow-origin': '*' }).end()
    else void connect(response)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  chromium.cleanups.push(async () => (server.closeAllConnections(), server.close()))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    connections: () => open.size,
    requests: () => requests,
    /** What every request from now on is answered with. */
    answer: (given: number) => void (status = given),
    cut() {
      isAway = true
      for (const response of open) response.destroy()
      open.clear()
    },
    mend: () => void (isAway = false),
  }
}

/** Makes a client in the tab, whose player is signed in. */
async function enter(
  page: Page,
  { emulator, stream }: { emulator: Emulator; stream: string },
): Promise<void> {
  await page.exposeFunction(
    'approve',
    async (url: string) => (await emulator.authorize(url, { as: 'ada' })).redirect,
  )
  const options = JSON.stringify({ applicationId: emulator.application.id, service: { host: emulator.url } })
  await page.evaluate(`self.logged = []`)
  await page.evaluate(
    `self.client = new Foyer.Client({ ...${options}, lobbyUpdates: Foyer.lobbyStream('${stream}'), logger: (entry) => logged.push(entry) })`,
  )
  await page.evaluate(
    `client.signIn({ surface: { redirectUri: () => 'http://127.0.0.1/callback', open: (url) => approve(url) } })`,
  )
}

const eventOf = (lobby: unknown): string => `event: lobby.updated\ndata: ${JSON.stringify(lobby)}\n\n`

it('misses what happens while it is away, and is whole again when its backend begins each connection with the lobbies as they are', async () => {
  const { emulator, page } = await chromium.open()
  const game = new LobbyGame(emulator)
  const bruno = await game.player('bruno')
  const theirs = await bruno.createOrJoinLobby('moon')
  const { id } = theirs
  const stream = await serveStream(async () => eventOf(await game.backend('GET', `/${id}`)))
  await enter(page, { emulator, stream: stream.url })
  const members = () => page.evaluate((lobby) => client.lobbies.get(lobby)?.members.length, id)

  // The stream comes late: what it begins with was read when both were in.
  stream.cut()
  await page.evaluate(() => client.createOrJoinLobby('moon').then(() => undefined))
  stream.mend()
  await expect.poll(stream.connections).toBe(1)
  await expect.poll(members).toBe(2)
  stream.cut()
  await theirs.leave()
  await page.evaluate(() => client.fetchCurrentUser())
  expect(await members()).toBe(2)
  stream.mend()
  await expect.poll(members).toBe(1)
  game.close()
})

/** Listens in a tab as a client does, with a clock that the test moves. */
async function listen(page: Page, url: string): Promise<void> {
  await page.evaluate((address) => {
    const tab = Object.assign(globalThis, {
      heard: [] as unknown[],
      logged: [] as object[],
      timers: [] as object[],
    })
    const clock = {
      now: () => 0,
      after(delay: number, run: () => void) {
        const timer = { delay, run }
        tab.timers.push(timer)
        return () => void tab.timers.splice(tab.timers.indexOf(timer) >>> 0, 1)
      },
    }
    const log: StreamTools['log'] = (_, step, data) => void tab.logged.push({ step, ...data })
    const stop = (globalThis as unknown as { Foyer: typeof Foyer }).Foyer.lobbyStream(address).subscribe(
      (update) => tab.heard.push(update),
      { clock, log },
    )
    Object.assign(globalThis, { stop })
  }, url)
}

const LOBBY = { id: '5', application_id: '6', metadata: null, members: [] }
const refusals = (page: Page) => page.evaluate(() => logged.map(({ step }) => step))
/** The pause that is under way. */
const pause = (page: Page) => page.evaluate(() => timers.map(({ delay }) => delay))
const passPause = (page: Page) => page.evaluate(() => timers.splice(0).map(({ run }) => run()))

describe('a backend that answers something else than a stream', () => {
  it('is asked again after pauses that grow to a minute, and heard once it is back', async () => {
    const { page } = await chromium.open()
    const stream = await serveStream(async () => eventOf(LOBBY))
    stream.answer(503)
    await listen(page, stream.url)
    for (const most of [1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]) {
      await expect.poll(() => pause(page)).toHaveLength(1)
      const [wait = 0] = await pause(page)
      expect(wait).toBeGreaterThanOrEqual(most / 2)
      expect(wait).toBeLessThanOrEqual(most)
      expect(await page.evaluate(() => logged.at(-1))).toEqual({ step: 'lobby_stream.refused', wait })
      await passPause(page)
    }
    await expect.poll(() => pause(page)).toHaveLength(1)
    stream.answer(200)
    await passPause(page)
    await expect.poll(() => page.evaluate(() => heard.length)).toBe(1)

    // The next trouble begins with a short pause again.
    stream.answer(502)
    stream.cut()
    stream.mend()
    await expect.poll(() => pause(page)).toHaveLength(1)
    expect((await pause(page))[0]).toBeLessThanOrEqual(1000)
  })

  it('is left alone while the network is away, and asked as soon as it is back', async () => {
    const { page } = await chromium.open()
    const stream = await serveStream(async () => eventOf(LOBBY))
    await page.route(stream.url, (route) => route.fulfill({ status: 503 }))
    await page.context().setOffline(true)
    await listen(page, stream.url)
    await expect.poll(() => refusals(page)).toEqual(['lobby_stream.refused'])
    // The report of no network is a hint: without news of a network it is asked again after a minute.
    expect(await pause(page)).toEqual([60_000])
    await page.unroute(stream.url)
    await page.context().setOffline(false)
    await expect.poll(() => page.evaluate(() => heard.length)).toBe(1)
    expect(stream.requests()).toBe(1)
  })

  it('is not waited for when the network is back in the middle of a pause', async () => {
    const { page } = await chromium.open()
    const stream = await serveStream(async () => eventOf(LOBBY))
    stream.answer(503)
    await listen(page, stream.url)
    await expect.poll(() => pause(page)).toHaveLength(1)
    stream.answer(200)
    await page.context().setOffline(true)
    await page.context().setOffline(false)
    await expect.poll(() => page.evaluate(() => heard.length)).toBe(1)
    expect(await pause(page)).toEqual([])
    expect(stream.requests()).toBe(2)
  })

  it('is not asked any more by who has stopped listening', async () => {
    const { page } = await chromium.open()
    const stream = await serveStream(async () => eventOf(LOBBY))
    stream.answer(503)
    await listen(page, stream.url)
    await expect.poll(() => pause(page)).toHaveLength(1)
    await page.evaluate('stop()')
    expect(await pause(page)).toEqual([])
    stream.answer(200)
    await page.context().setOffline(true)
    await page.context().setOffline(false)
    await page.evaluate(
      (url) => new Promise((resolve) => new EventSource(url).addEventListener('lobby.updated', resolve)),
      stream.url,
    )
    expect(stream.requests()).toBe(2)
    expect(await page.evaluate(() => heard)).toEqual([])
  })

  it('is told to the log of the client, which asks again by itself until it is closed', async () => {
    const { emulator, page } = await chromium.open()
    const stream = await serveStream(async () => eventOf(LOBBY))
    stream.answer(503)
    await enter(page, { emulator, stream: stream.url })
    await page.evaluate(() => client.createOrJoinLobby('moon').then(() => undefined))
    await page.waitForFunction(() => logged.some(({ step }) => step === 'lobby_stream.refused'))
    stream.answer(200)
    await expect.poll(stream.connections).toBe(1)
    await page.evaluate(() => client.close())
    await expect.poll(stream.connections).toBe(0)
  })
})
