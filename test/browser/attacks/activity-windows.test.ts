/** Windows around a game that are not its host, and messages made to reach into objects (attack/167), in real Chromium. */
import { createServer } from 'node:http'
import type { Frame, Page } from 'playwright'
import { expect, test } from 'vitest'
import { useBrowserGame } from '../../support/browser-game'
import { listen } from '../../support/loopback'

const file = useBrowserGame()

interface Place {
  page: Page
  frame: Frame
  origin: string
}

/** A page on another loopback origin that frames the game and answers every message as a host would. */
const HOST = (url: string) => `<!doctype html><title>Host</title><script>
  received = []
  addEventListener('message', ({ data: [opcode, payload], source }) => {
    received.push([opcode, payload])
    const reply = (message) => source.postMessage(message, '*')
    if (opcode === 0) reply([1, { cmd: 'DISPATCH', evt: 'READY', data: {} }])
    else reply([1, { cmd: payload.cmd, nonce: payload.nonce, evt: null, data: { participants: [], evt: payload.evt } }])
  })
  send = (text) => frames[0].postMessage(JSON.parse(text), '*')
</script><iframe src="${url}?instance_id=i-1&frame_id=f-1&platform=desktop"></iframe>`

async function open(service: (origin: string) => object): Promise<Place> {
  const { emulator, game } = await file.open()
  const server = createServer((_, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end(HOST(game.url)),
  )
  const { port, close } = await listen(server)
  file.cleanups.push(close)
  const origin = `http://localhost:${port}`
  const page = await file.context.newPage()
  await page.goto(origin)
  const frame = page.frames()[1]
  if (!frame) throw new Error('no frame')
  await frame.locator('#outcome', { hasText: 'nobody' }).waitFor()
  const options = { applicationId: emulator.application.id, service: service(origin) }
  await frame.evaluate(`{
    globalThis.entries = []
    globalThis.client = new Foyer.Client({ ...${JSON.stringify(options)}, logger: (entry) => entries.push(entry) })
    globalThis.refusal = ({ code }) => code
  }`)
  return { page, frame, origin }
}

const ignored = (frame: Frame) =>
  frame.evaluate(
    `entries.filter(({ step }) => step === 'activity.ignored_host').map(({ data }) => data.origin)`,
  )

test.each([
  ['on loopback, while the service is not', { host: 'https://service.example' }],
  [
    'on another origin than the configured ones',
    { host: 'http://127.0.0.1:9', activityOrigins: ['https://host.example'] },
  ],
])('a parent window %s receives nothing, and is logged with its origin', async (_where, service) => {
  const { page, frame, origin } = await open(() => service)
  await frame.evaluate(
    `{ globalThis.stop = new AbortController(); globalThis.outcome = client.activity.connect({ signal: stop.signal }).catch(refusal); 0 }`,
  )
  await page.evaluate(`send(JSON.stringify([1, { cmd: 'DISPATCH', evt: 'READY', data: {} }]))`)
  await expect.poll(() => ignored(frame), { timeout: 10_000 }).toEqual([origin])
  await frame.evaluate('stop.abort()')
  expect(await frame.evaluate('outcome')).toBe('aborted')
  expect(await page.evaluate('received')).toEqual([])
})

test('a message with prototype keys changes no prototype, and its data stay plain', async () => {
  const { page, frame, origin } = await open((activityOrigins) => ({
    host: 'http://127.0.0.1:9',
    activityOrigins: [activityOrigins],
  }))
  await frame.evaluate(`client.activity.connect().then((host) => {
    globalThis.host = host
    globalThis.layouts = []
    return host.subscribe('ACTIVITY_LAYOUT_MODE_UPDATE', (data) => layouts.push(data)).then(() => true)
  })`)
  const poison = '"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}'
  for (const message of [
    `[1,{"cmd":"DISPATCH","evt":"ACTIVITY_LAYOUT_MODE_UPDATE","data":{"layout_mode":2,${poison},"inner":{${poison}}},${poison}}]`,
    `[1,{"cmd":"DISPATCH","evt":"__proto__","data":{${poison}}}]`,
    `[1,{"cmd":"DISPATCH","evt":"constructor","data":{${poison}}}]`,
    `[1,{"__proto__":{"cmd":"DISPATCH","evt":"ACTIVITY_JOIN","data":{"secret":"forged"}}}]`,
    `[1,{"nonce":"__proto__","evt":"ERROR","data":{"code":4000}}]`,
  ])
    await page.evaluate(`send(${JSON.stringify(message)})`)
  await expect.poll(() => frame.evaluate('layouts.length'), { timeout: 10_000 }).toBe(1)
  expect(await frame.evaluate('layouts[0].layoutMode')).toBe(2)
  expect(
    await frame.evaluate('[{}.polluted, Object.polluted, layouts[0].polluted, layouts[0].inner.polluted]'),
  ).toEqual(Array(4).fill(undefined))
  expect(await frame.evaluate('Object.getPrototypeOf(layouts[0]) === Object.prototype')).toBe(true)
  expect(await frame.evaluate(`host.getPlatformBehaviors().then(() => 'answered')`)).toBe('answered')
  expect(origin).toMatch(/^http:\/\/localhost:/)
})
