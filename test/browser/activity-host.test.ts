/** The Activity's host page in real Chromium, with a game that uses a public embedded-app SDK as it is. */
import { createEmulator, type Emulator } from 'foyer-emulator'
import { calculatePKCECodeChallenge, generateRandomCodeVerifier } from 'oauth4webapi'
import type { Browser, BrowserContext, Frame, Page } from 'playwright'
import { WebSocket } from 'undici'
import { createServer } from 'vite'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { serveActivityGame, type ActivityGame } from '../support/activity-game'
import { launchChromium } from '../support/chromium'

let browser: Browser
let context: BrowserContext
let emulator: Emulator
let game: ActivityGame

beforeAll(async () => {
  browser = await launchChromium()
})
afterAll(() => browser.close())
beforeEach(async () => {
  context = await browser.newContext()
  emulator = await createEmulator()
  game = await serveActivityGame(emulator)
})
afterEach(async () => {
  await context.close()
  await emulator.close()
  await game.close()
})

async function open(as: string | string[]): Promise<{ page: Page; instanceId: string }> {
  await emulator.activity.serve(game.url)
  const { url, instanceId } = emulator.activity.launch({ as })
  const page = await context.newPage()
  await page.goto(url)
  return { page, instanceId }
}

/** The game as a player has it, when it is ready. */
async function gameOf(page: Page, name: string): Promise<Frame> {
  const element = await page.locator(`iframe[title="The game, as ${name} sees it"]`).elementHandle()
  const frame = await element?.contentFrame()
  if (!frame) throw new Error(`no game for ${name}`)
  await frame.locator('body[data-ready=yes]').waitFor()
  return frame
}

test('a public SDK gets READY, authorizes and authenticates as the player of its frame', async () => {
  const { page, instanceId } = await open('ada')
  const frame = await gameOf(page, 'Ada Quinn')
  expect(await frame.evaluate('window.sdk.instanceId')).toBe(instanceId)
  const verifier = generateRandomCodeVerifier()
  const challenge = await calculatePKCECodeChallenge(verifier)
  const args = JSON.stringify({
    client_id: emulator.application.id,
    response_type: 'code',
    scope: ['openid', 'sdk.social_layer'],
    code_challenge: challenge,
    code_challenge_method: 'S256',
  })
  const asked = frame.evaluate<{ code: string }>(`window.sdk.commands.authorize(${args})`)
  await page.getByRole('button', { name: 'Approve' }).click()
  const { code } = await asked
  const answer = await fetch(`${emulator.url}/api/v10/oauth2/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: emulator.application.id,
      code,
      code_verifier: verifier,
    }),
  })
  const tokens = (await answer.json()) as { access_token: string }
  expect(answer.status).toBe(200)
  const { user } = await frame.evaluate<{ user: { username: string } }>(
    `window.sdk.commands.authenticate({ access_token: ${JSON.stringify(tokens.access_token)} })`,
  )
  expect(user.username).toBe('ada')
})

test('two players side by side are in one instance, and each hears that the other came and went', async () => {
  const { page, instanceId } = await open(['ada', 'bruno'])
  const [ada, bruno] = await Promise.all([gameOf(page, 'Ada Quinn'), gameOf(page, 'Bruno')])
  for (const frame of [ada, bruno]) {
    await frame.locator('#said', { hasText: 'ada and bruno' }).waitFor()
    expect(await frame.evaluate('window.sdk.instanceId')).toBe(instanceId)
  }
  expect(await ada.evaluate('window.sdk.frameId')).not.toBe(await bruno.evaluate('window.sdk.frameId'))
  await page.getByRole('region', { name: 'Bruno' }).getByRole('button', { name: 'Leave' }).click()
  await ada.locator('#said', { hasText: /^ada$/ }).waitFor()
  expect(emulator.activity.instances()).toMatchObject([{ id: instanceId, users: [emulator.users[0]?.id] }])
})

test('an instance is over when everybody has left, and the next launch has another one', async () => {
  const { page, instanceId } = await open('ada')
  await gameOf(page, 'Ada Quinn')
  const over = new Promise<void>((resolve) =>
    emulator.subscribe(({ name }) => name === 'ACTIVITY_INSTANCE_CLOSED' && resolve()),
  )
  await page.getByRole('button', { name: 'Leave' }).click()
  await over
  expect(emulator.activity.instances()).toEqual([])
  expect((await page.reload())?.status()).toBe(404)
  expect(emulator.activity.launch({ as: 'ada' }).instanceId).not.toBe(instanceId)
})

test('a page that is loaded anew is in the same instance', async () => {
  const { page, instanceId } = await open('ada')
  await gameOf(page, 'Ada Quinn')
  await page.reload()
  expect(await (await gameOf(page, 'Ada Quinn')).evaluate('window.sdk.instanceId')).toBe(instanceId)
})

test('an accepted invitation reaches the game of that player only', async () => {
  const { page } = await open(['ada', 'bruno'])
  const [ada, bruno] = await Promise.all([gameOf(page, 'Ada Quinn'), gameOf(page, 'Bruno')])
  const tile = page.getByRole('region', { name: 'Bruno' })
  await tile.getByText('Invite').click()
  await tile.getByLabel('Join secret').fill('the moon')
  await tile.getByRole('button', { name: 'Send' }).click()
  await bruno.waitForFunction('window.joins.length === 1')
  expect(await bruno.evaluate('window.joins')).toEqual(['the moon'])
  expect(await ada.evaluate('window.joins')).toEqual([])
})

const typesOf = (as: string) => emulator.activity.entitlements(as).map(({ type }) => type)

test('a person buys, gives, refunds and cancels in the tile of a player', async () => {
  const { page } = await open('ada')
  await gameOf(page, 'Ada Quinn')
  const tile = page.getByRole('region', { name: 'Ada Quinn' })
  const owned = tile.getByRole('list', { name: 'Purchases of Ada Quinn' }).getByRole('listitem')
  await tile.getByText('Purchases').click()
  await owned.filter({ hasText: 'Nothing yet' }).waitFor()
  await tile.getByLabel('Product').selectOption('Golden dice')
  await tile.getByRole('button', { name: 'Buy' }).click()
  await owned.filter({ hasText: 'Golden dice: owned' }).waitFor()
  await tile.getByLabel('Product').selectOption('Season pass')
  await tile.getByLabel('Paid by').selectOption('Bruno, as a gift')
  await tile.getByRole('button', { name: 'Buy' }).click()
  await owned.filter({ hasText: 'a gift of Bruno' }).waitFor()
  expect(typesOf('ada')).toEqual([4, 6])
  await tile.getByRole('button', { name: 'Cancel: Season pass' }).click()
  await owned.filter({ hasText: 'canceled' }).waitFor()
  await tile.getByRole('button', { name: 'Refund: Golden dice' }).click()
  await owned.filter({ hasText: 'Golden dice' }).waitFor({ state: 'detached' })
  expect(typesOf('ada')).toEqual([6])
})

test('while the host page’s port is taken, the game is served under the origin of the host page', async () => {
  const first = await createEmulator({ activityUrl: game.url })
  try {
    await emulator.close()
    emulator = await createEmulator({ activityPort: Number(new URL(first.activity.url ?? '').port) })
    const { page } = await open('ada')
    const frame = await gameOf(page, 'Ada Quinn')
    const { origin } = new URL(page.url())
    expect(origin).not.toBe('http://localhost:3333')
    expect(new URL(frame.url()).origin).toBe(origin)
    expect(await frame.evaluate('fetch("/.proxy/game/").then(({ status }) => status)')).toBe(200)
  } finally {
    await first.close()
  }
})

test('a web socket of the game’s own server goes through the origin of the host page', async () => {
  const server = await createServer({
    configFile: false,
    root: import.meta.dirname,
    logLevel: 'silent',
    server: { host: '127.0.0.1', port: 0 },
  })
  server.ws.on('game:ask', (question, client) => client.send('game:answer', `${String(question)} back`))
  await server.listen()
  const first = await createEmulator({ activityUrl: game.url })
  await emulator.close()
  emulator = await createEmulator({ activityPort: Number(new URL(first.activity.url ?? '').port) })
  try {
    await emulator.activity.serve(server.resolvedUrls?.local[0] ?? '')
    const { host } = new URL(emulator.activity.launch({ as: 'ada' }).url)
    const socket = new WebSocket(`ws://${host}/?token=${server.config.webSocketToken}`, 'vite-hmr')
    const answered = new Promise<unknown>((resolve, reject) => {
      socket.addEventListener(
        'message',
        ({ data }) => void (String(data).includes('game:answer') && resolve(JSON.parse(String(data)))),
      )
      socket.addEventListener('close', () => reject(new Error('closed')))
    })
    socket.addEventListener('open', () =>
      socket.send(JSON.stringify({ type: 'custom', event: 'game:ask', data: 'there and' })),
    )
    expect(await answered).toMatchObject({ event: 'game:answer', data: 'there and back' })
    socket.close()
  } finally {
    await first.close()
    await server.close()
  }
})

test('a player who denies is told to the game as an OAuth error', async () => {
  const { page } = await open('ada')
  const frame = await gameOf(page, 'Ada Quinn')
  const asked = frame.evaluate(
    `window.sdk.commands.authorize({ client_id: '${emulator.application.id}', scope: ['identify'], response_type: 'code' }).catch((error) => error)`,
  )
  await page.getByRole('button', { name: 'Deny' }).click()
  expect(await asked).toMatchObject({ code: 5000 })
})

test('a command that is not for Activities is refused otherwise than one that does not exist', async () => {
  const { page } = await open('ada')
  const frame = await gameOf(page, 'Ada Quinn')
  expect(
    await frame.evaluate('window.sdk.sendCommand({ cmd: "GET_GUILDS", args: {} }).catch((error) => error)'),
  ).toEqual({
    code: 4006,
    message: 'Invalid permissions: GET_GUILDS is not for Activities',
  })
})
