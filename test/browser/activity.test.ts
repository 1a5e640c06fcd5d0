/** A game inside an Activity, in real Chromium: the emulator's host page around it, and pages that only look like one. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Emulator } from 'foyer-emulator'
import type { ActivityLaunch, ActivityParticipant, Client, Session } from 'foyer-sdk'
import type { Frame, Page } from 'playwright'
import { expect, test } from 'vitest'
import { useBrowserGame } from '../support/browser-game'

/** Its pages are on this machine, under a name that is not. */
const STRANGER = 'stranger.example'
const file = useBrowserGame({ args: [`--host-resolver-rules=MAP ${STRANGER} 127.0.0.1`] })

declare const client: Client
declare const page: {
  events: {
    name: string
    secret?: string
    closeCode?: number
    participants?: readonly ActivityParticipant[]
  }[]
}

/** The game as one player sees it, with the options that every game has. */
async function gameOf(host: Page, { emulator, name }: { emulator: Emulator; name: string }): Promise<Frame> {
  const element = await host.locator(`iframe[title="The game, as ${name} sees it"]`).elementHandle()
  const frame = await element?.contentFrame()
  if (!frame) throw new Error(`no game for ${name}`)
  await frame.locator('#outcome', { hasText: 'nobody' }).waitFor()
  const options = { applicationId: emulator.application.id, service: { host: emulator.url } }
  await frame.evaluate(`{
    globalThis.client = new Foyer.Client(${JSON.stringify(options)})
    globalThis.page = { events: [] }
    for (const name of ['activityLaunched', 'activityParticipants', 'activityJoin', 'activityClosed'])
      client.on(name, (event) => page.events.push({ name, ...event }))
  }`)
  return frame
}

async function launch(as: string[]): Promise<{ emulator: Emulator; host: Page; instanceId: string }> {
  const { emulator, game } = await file.open()
  await emulator.activity.serve(game.url)
  const { url, instanceId } = emulator.activity.launch({ as })
  const host = await file.context.newPage()
  await host.goto(url)
  return { emulator, host, instanceId }
}

const names = async (frame: Frame) =>
  frame.evaluate(async () =>
    (await client.activity.fetchParticipants()).map(({ username }) => username).sort(),
  )

const refusal = (error: { name: string; code: string; apiCode?: number }) => ({
  name: error.name,
  code: error.code,
  apiCode: error.apiCode,
})

test('a game in a frame knows where it was launched from, before it says a word to its host', async () => {
  const { emulator, host, instanceId } = await launch(['ada'])
  const frame = await gameOf(host, { emulator, name: 'Ada Quinn' })
  const launched = await frame.evaluate((): ActivityLaunch | null => client.activity.launch)
  expect(launched).toMatchObject({ instanceId, platform: 'desktop', guildId: expect.any(String) })
})

test('two players shake hands with their host, and each sees who else is there', async () => {
  const { emulator, host, instanceId } = await launch(['ada', 'bruno'])
  const ada = await gameOf(host, { emulator, name: 'Ada Quinn' })
  const bruno = await gameOf(host, { emulator, name: 'Bruno' })
  expect(await ada.evaluate(async () => (await client.activity.connect()).instanceId)).toBe(instanceId)
  await bruno.evaluate(async () => (await client.activity.connect()).instanceId)
  expect(await names(ada)).toEqual(['ada', 'bruno'])
  expect(await names(bruno)).toEqual(['ada', 'bruno'])
  await ada.waitForFunction(() => page.events.some(({ participants }) => participants?.length === 2))
  await host.getByRole('region', { name: 'Bruno' }).getByRole('button', { name: 'Leave' }).click()
  await ada.waitForFunction(() => page.events.at(-1)?.participants?.length === 1)
})

test('while another program has the port of the host page, a game with the usual options connects and signs in', async () => {
  // Port 3333 is held by another program of this machine, or by an emulator that this test starts first and leaves open.
  let launched = await launch(['ada'])
  while (new URL(launched.host.url()).port === '3333') launched = await launch(['ada'])
  const { emulator, host, instanceId } = launched
  expect(emulator.activity.busyPort).toBe(3333)
  const frame = await gameOf(host, { emulator, name: 'Ada Quinn' })
  expect(await frame.evaluate(async () => (await client.activity.connect()).instanceId)).toBe(instanceId)
  const signedIn = frame.evaluate(async () => (await client.signIn()).userId)
  await host.getByRole('button', { name: 'Approve' }).click()
  expect(await signedIn).toBe(emulator.users[0]?.id)
})

test('signing in asks the host window, and the session is that player’s', async () => {
  const { emulator, host } = await launch(['bruno'])
  const frame = await gameOf(host, { emulator, name: 'Bruno' })
  await frame.evaluate(() => client.activity.connect())
  const signedIn = frame.evaluate(async (): Promise<Pick<Session, 'userId'>> => ({
    userId: (await client.signIn()).userId,
  }))
  await host.getByRole('button', { name: 'Approve' }).click()
  expect((await signedIn).userId).toBe(emulator.users.find(({ username }) => username === 'bruno')?.id)
  expect(await frame.evaluate(async () => (await client.fetchCurrentUser()).username)).toBe('bruno')
})

test('a player who says no in the host window is told as `access_denied`', async () => {
  const { emulator, host } = await launch(['ada'])
  const frame = await gameOf(host, { emulator, name: 'Ada Quinn' })
  await frame.evaluate(() => client.activity.connect())
  const asked = frame.evaluate(() =>
    client.signIn().catch((error) => ({ name: error.name, code: error.code })),
  )
  await host.getByRole('button', { name: 'Deny' }).click()
  expect(await asked).toEqual({ name: 'AuthorizationError', code: 'access_denied' })
})

test('the join secret of an accepted invitation reaches the game', async () => {
  const { emulator, host } = await launch(['ada'])
  const frame = await gameOf(host, { emulator, name: 'Ada Quinn' })
  await frame.evaluate(() => client.activity.connect())
  emulator.activity.join({ as: 'ada', secret: 'the moon' })
  const joins = () => frame.evaluate(() => page.events.filter(({ name }) => name === 'activityJoin'))
  await expect.poll(joins).toEqual([{ name: 'activityJoin', secret: 'the moon' }])
})

test('a host that closes names why, and what waits is refused with that', async () => {
  const { emulator, host } = await launch(['ada'])
  const frame = await gameOf(host, { emulator, name: 'Ada Quinn' })
  await frame.evaluate(() => client.activity.connect())
  const waiting = frame.evaluate(`client.authorize({ scopes: 'openid' }).catch(${String(refusal)})`)
  await host.getByRole('button', { name: 'Approve' }).waitFor()
  emulator.activity.disconnect({ as: 'ada', code: 4003, message: 'revoked' })
  expect(await waiting).toMatchObject({ name: 'AuthorizationError', code: 'authorization_failed' })
  await frame.waitForFunction(() =>
    page.events.some(({ name, closeCode }) => name === 'activityClosed' && closeCode === 4003),
  )
})

test('an application that the host does not know is refused by its close code', async () => {
  const { emulator, host } = await launch(['ada'])
  const frame = await gameOf(host, { emulator, name: 'Ada Quinn' })
  await frame.evaluate(() => client.setApplicationId('42'))
  expect(await frame.evaluate(`client.activity.connect().catch(${String(refusal)})`)).toEqual({
    name: 'ApiError',
    code: 'invalid_client_id',
    apiCode: 4000,
  })
})

test('outside an Activity there is nothing to connect to', async () => {
  const { page: game } = await file.open()
  expect(await game.evaluate(() => client.activity.launch)).toBeNull()
  expect(await game.evaluate(`client.activity.connect().catch(${String(refusal)})`)).toMatchObject({
    code: 'no_activity_host',
  })
  await game.goto(`${game.url()}?instance_id=i-1&frame_id=f-1&platform=desktop`)
  expect(await game.evaluate(`client.activity.connect().catch(${String(refusal)})`)).toMatchObject({
    code: 'no_activity_host',
  })
})

/** A page of a stranger that frames the game, answers every message as a host would, and notes what it hears. */
async function strangersPage(gameUrl: string): Promise<string> {
  const html = `<!doctype html><title>Stranger</title>
    <iframe src="${gameUrl}?instance_id=i-1&frame_id=f-1&platform=desktop"></iframe>
    <script>
      heard = []
      addEventListener('message', ({ data, source }) => { heard.push(data); source.postMessage([1, { cmd: 'DISPATCH', evt: 'READY', data: { v: 1 } }], '*') })
      const forged = [[1, { cmd: 'DISPATCH', evt: 'READY', data: { v: 1 } }], [2, { code: 4003 }]]
      setInterval(() => forged.forEach((message) => frames[0].postMessage(message, '*')), 50)
    </script>`
  const server = createServer((_, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end(html),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  file.cleanups.push(async () => {
    server.closeAllConnections()
    server.close()
  })
  return `http://${STRANGER}:${(server.address() as AddressInfo).port}/`
}

test('a page of another origin that frames the game hears nothing from it, and what it forges is not believed', async () => {
  const { game } = await file.open()
  const stranger = await file.context.newPage()
  await stranger.goto(await strangersPage(game.url))
  const frame = stranger.frames()[1]
  if (!frame) throw new Error('no frame')
  await frame.locator('#outcome', { hasText: 'nobody' }).waitFor()
  const aborted = `(() => { const stop = new AbortController(); setTimeout(() => stop.abort(), 1000)
    return client.activity.connect({ signal: stop.signal }).catch(${String(refusal)}) })()`
  expect(await frame.evaluate(aborted)).toMatchObject({ name: 'NetworkError', code: 'aborted' })
  expect(await stranger.evaluate('heard')).toEqual([])
  const log: { step: string; data: object }[] = await frame.evaluate('log')
  expect(log.filter(({ step }) => step === 'activity.ignored_host')).toMatchObject([
    {
      level: 'warn',
      data: {
        origin: new URL(stranger.url()).origin,
        accepted: expect.stringContaining('http://localhost:3333'),
      },
    },
  ])
})
