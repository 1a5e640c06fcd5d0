/** Rules of the proxy in front of an Activity: what would break in the service breaks here, with the reason. */
import { createServer } from 'node:http'
import { createEmulator } from 'foyer-emulator'
import { toNodeListener, verifyActivityRequest } from 'foyer-sdk/server'
import { expect, onTestFinished, test } from 'vitest'
import { launchChromium } from '../support/chromium'
import { listen } from '../support/loopback'
import { serveRemoteGame } from '../support/remote-game'

const script = (settings: object) => `
await new Promise((resolve) => document.head.append(Object.assign(document.createElement('script'), { src: '/foyer.js', onload: resolve })))
const client = new Foyer.Client(${JSON.stringify(settings)})
Object.assign(window, { client, player: 'ada', host: await client.activity.connect(), reach: (url) => fetch(url).then((answer) => answer.text()) })
`

test('a mapped host is reached through the proxy, any other one is blocked and named', async () => {
  const scores = await listen(
    createServer((request, response) =>
      response.writeHead(200, { 'access-control-allow-origin': '*' }).end(`scores at ${request.url}`),
    ),
  )
  const notices: string[] = []
  const mappings = [
    { prefix: '/api', target: `http://localhost:${scores.port}/v1` },
    { prefix: '/api/static', target: `http://localhost:${scores.port}/files` },
  ]
  const emulator = await createEmulator({
    activityMappings: mappings,
    activityPort: 0,
    onNotice: (notice) => notices.push(notice),
  })
  const service = { host: emulator.url }
  const game = await serveRemoteGame({ script: script({ applicationId: emulator.application.id, service }) })
  const browser = await launchChromium()
  onTestFinished(async () => {
    await browser.close()
    await Promise.all([emulator.close(), game.close(), scores.close()])
  })
  await emulator.activity.serve(game.url)
  const page = await browser.newPage()
  await page.goto(emulator.activity.launch({ as: 'ada' }).url)

  expect(await game.run(`reach('/.proxy/api/top?of=7')`)).toBe('scores at /v1/top?of=7')
  expect(await game.run(`reach('/api/top')`)).toBe('scores at /v1/top')
  expect(await game.run(`reach('/api/static/logo.png')`)).toBe('scores at /files/logo.png')
  const own = JSON.stringify([{ prefix: '/api', target: `localhost:${scores.port}/v1` }])
  const mapped = `host.activityUrl('http://localhost:${scores.port}/v1/top', ${own})`
  expect(await game.run(mapped)).toBe('/.proxy/api/top')
  expect(await game.run(`reach(${mapped})`)).toBe('scores at /v1/top')
  expect(
    await game.run(`Promise.resolve().then(() => host.activityUrl('https://elsewhere.example/x', ${own}))`),
  ).toMatchObject({
    rejected: { code: 'invalid_argument' },
  })
  expect(await game.run('client.activity.fetchParticipants().then((players) => players.length)')).toBe(1)

  const blocked = `http://localhost:${scores.port}/v1/top`
  expect(await game.run(`reach('${blocked}')`)).toHaveProperty('rejected')
  await page
    .getByRole('status')
    .filter({ hasText: `map a prefix to localhost:${scores.port}` })
    .waitFor()
  expect(notices).toContainEqual(expect.stringContaining(blocked))
})

test('a request through the proxy is signed for the player of its frame, whatever headers the page sends', async () => {
  const seen: unknown[] = []
  const handle = toNodeListener(async (request) => {
    seen.push(await verifyActivityRequest(request, emulator.application.publicKey))
    return new Response('seen')
  })
  const api = await listen(createServer((request, response) => void handle(request, response)))
  const emulator = await createEmulator({
    activityMappings: [{ prefix: '/api', target: `http://localhost:${api.port}` }],
    activityPort: 0,
  })
  const game = await serveRemoteGame({
    script: script({ applicationId: emulator.application.id, service: { host: emulator.url } }),
  })
  const browser = await launchChromium()
  onTestFinished(async () => {
    await browser.close()
    await Promise.all([emulator.close(), game.close(), api.close()])
  })
  await emulator.activity.serve(game.url)
  const page = await browser.newPage()
  const { url, instanceId } = emulator.activity.launch({ as: 'ada' })
  await page.goto(url)

  const forged = {
    'x-signature-ed25519': 'a',
    'x-signature-timestamp': '1',
    'x-service-proxy-payload': 'e30=',
  }
  expect(
    await game.run(
      `fetch('/.proxy/api/me', ${JSON.stringify({ headers: forged })}).then((answer) => answer.text())`,
    ),
  ).toBe('seen')
  const user = {
    application_id: emulator.application.id,
    user_id: emulator.users[0]?.id,
    instance_id: instanceId,
  }
  expect(seen).toMatchObject([{ ok: true, payload: user }])
  const unknown = JSON.stringify({ headers: forged, referrer: '/elsewhere' })
  expect(await game.run(`fetch('/.proxy/api/me', ${unknown}).then((answer) => answer.text())`)).toBe('seen')
  expect(seen.at(-1)).toEqual({ ok: false, reason: 'missing_header' })
})

test('a mapping that is none is refused at the start', async () => {
  await expect(
    createEmulator({ activityMappings: [{ prefix: 'api', target: 'localhost' }] }),
  ).rejects.toMatchObject({
    code: 'bad_request',
  })
})
