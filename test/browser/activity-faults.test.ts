/** A game inside an Activity whose host is at fault, in real Chromium: silent, unwilling, garbled, gone. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Frame, Page } from 'playwright'
import { expect, test } from 'vitest'
import { useBrowserGame } from '../support/browser-game'

const file = useBrowserGame()

declare const told: { name: string; code?: string; participants?: unknown[] }[]

type Message = [opcode: number, payload: { cmd?: string; evt?: string; nonce?: string }]
type Reply = (message: unknown) => void

/** Stands in the host's page. */
declare const heard: Message[]
declare let host: (message: Message, reply: Reply) => void

const READY = [1, { cmd: 'DISPATCH', evt: 'READY', data: { v: 1 } }]
const JOINED = [1, { cmd: 'DISPATCH', evt: 'ACTIVITY_JOIN', data: { secret: 'moon' } }]

/** A host window of the test's own, which the game trusts, and that does as it is told. `timers` are the game's deadlines. */
async function open(behave: typeof host): Promise<{ page: Page; frame: Frame }> {
  const { emulator, game } = await file.open()
  const html = `<!doctype html><title>Host</title><script>
      heard = []
      host = ${String(behave)}
      addEventListener('message', ({ data, source }) => { heard.push(data); host(data, (message) => source.postMessage(message, '*')) })
    </script><iframe src="${game.url}?instance_id=i-1&frame_id=f-1&platform=desktop"></iframe>`
  const server = createServer((_, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end(html),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  file.cleanups.push(async () => (server.closeAllConnections(), server.close()))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const page = await file.context.newPage()
  await page.goto(origin)
  const frame = page.frames()[1]
  if (!frame) throw new Error('no frame')
  await frame.locator('#outcome', { hasText: 'nobody' }).waitFor()
  const options = {
    applicationId: emulator.application.id,
    service: { host: emulator.url, activityOrigins: [origin] },
  }
  await frame.evaluate(`{
    globalThis.told = []
    globalThis.timers = new Set()
    const after = (delay, run) => { const timer = { delay, run: () => (timers.delete(timer), run()) }; timers.add(timer); return () => timers.delete(timer) }
    globalThis.client = new Foyer.Client({ ...${JSON.stringify(options)}, clock: { now: Date.now, after }, logger: ({ step }) => told.push({ name: step }) })
    for (const name of ['activityLaunched', 'activityParticipants', 'activityJoin', 'activityClosed']) client.on(name, (event) => told.push({ name, ...event }))
    globalThis.refusal = ({ name, code, apiCode }) => ({ name, code, apiCode })
  }`)
  return { page, frame }
}

/** Ready at once, and everything is granted. */
const willing: typeof host = ([opcode, { cmd, nonce }], reply) => {
  if (opcode === 0) reply([1, { cmd: 'DISPATCH', evt: 'READY', data: null }])
  else reply([1, { cmd, nonce, evt: null, data: { participants: [] } }])
}

const connect = (frame: Frame) =>
  frame.evaluate(`client.activity.connect().then(({ instanceId }) => instanceId, refusal)`)
const change = (page: Page, behave: typeof host) => page.evaluate(`host = ${String(behave)}`)
const say = (page: Page, message: unknown) =>
  page.evaluate((each) => frames[0]?.postMessage(each, '*'), message)
const names = (frame: Frame) => frame.evaluate(() => told.map(({ name }) => name))

test('a host that says nothing is waited for no longer than the deadline, and may be tried again', async () => {
  const { page, frame } = await open(() => {})
  const connecting = connect(frame)
  await expect.poll(() => page.evaluate(() => heard.length)).toBe(1)
  await frame.evaluate('for (const { run } of timers) run()')
  expect(await connecting).toEqual({ name: 'NetworkError', code: 'timed_out' })
  await change(page, willing)
  expect(await connect(frame)).toBe('i-1')
  await expect.poll(() => frame.evaluate('Array.from(timers, ({ delay }) => delay)')).toEqual([])
})

test('what is no message of the protocol changes nothing', async () => {
  const { page, frame } = await open(([opcode, { cmd, nonce }], reply) => {
    const garbage = [
      null,
      'READY',
      7,
      {},
      [],
      [1],
      [1, null],
      [1, 'x'],
      [9, {}],
      ['1', { cmd: 'DISPATCH', evt: 'READY' }],
      [1, { evt: 'READY' }],
    ]
    const forged = [
      [1, { cmd: 'DISPATCH', evt: 'READY', nonce: 'x' }],
      [1, { cmd, nonce: `${nonce}0`, evt: 'ERROR', data: { code: 4000 } }],
      [3, {}],
    ]
    for (const each of [...garbage, ...forged]) reply(each)
    if (opcode === 1)
      reply([1, { cmd, nonce, evt: null, data: { participants: [{ id: 5, username: null }] } }])
  })
  const connecting = connect(frame)
  await expect.poll(() => page.evaluate(() => heard.length)).toBe(1)
  await say(page, READY)
  expect(await connecting).toBe('i-1')
  await say(page, [
    1,
    { cmd: 'DISPATCH', evt: 'ACTIVITY_INSTANCE_PARTICIPANTS_UPDATE', data: { participants: [{}] } },
  ])
  await say(page, [1, { cmd: 'DISPATCH', evt: 'ACTIVITY_JOIN', data: { secret: 5 } }])
  await say(page, JOINED)
  await expect
    .poll(() => names(frame))
    .toEqual(['activityLaunched', 'activity.malformed_event', 'activity.malformed_event', 'activityJoin'])
  expect(await frame.evaluate('client.activity.fetchParticipants().catch(refusal)')).toMatchObject({
    name: 'ProtocolError',
    code: 'malformed_response',
  })
})

test('after a host that would not subscribe, a second try hears everything once', async () => {
  const { page, frame } = await open(([opcode, { cmd, nonce }], reply) => {
    if (opcode === 0) reply([1, { cmd: 'DISPATCH', evt: 'READY', data: {} }])
    else reply([1, { cmd, nonce, evt: 'ERROR', data: { code: 4004 } }])
  })
  expect(await connect(frame)).toEqual({ name: 'ApiError', code: 'invalid_event', apiCode: 4004 })
  await change(page, willing)
  expect(await connect(frame)).toBe('i-1')
  await say(page, JOINED)
  await say(page, [2, { code: 1000 }])
  await frame.waitForFunction(() => told.some(({ name }) => name === 'activityClosed'))
  expect(await names(frame)).toEqual(['activityLaunched', 'activityJoin', 'activityClosed'])
  expect(await frame.evaluate('timers.size')).toBe(0)
})

test('a host that closes in the middle is named, and a later connection outlives the one that failed', async () => {
  const { page, frame } = await open(([opcode, { cmd, nonce }], reply) => {
    const handshakes = heard.filter(([each]) => each === 0).length
    if (opcode === 0) reply([1, { cmd: 'DISPATCH', evt: 'READY', data: {} }])
    else if (handshakes === 2) reply([1, { cmd, nonce, evt: null, data: null }])
    else if (heard.length === 2) reply([2, { code: 4002 }])
  })
  // The game tries again as soon as it hears of the end.
  await frame.evaluate(`{
    const off = client.on('activityClosed', () => { off(); globalThis.again = client.activity.connect().catch(refusal) })
  }`)
  expect(await connect(frame)).toEqual({ name: 'ApiError', code: 'rate_limited', apiCode: 4002 })
  expect(await frame.evaluate('again')).toMatchObject({ instanceId: 'i-1' })
  expect(await connect(frame)).toBe('i-1')
  expect(await page.evaluate(() => heard.filter(([opcode]) => opcode === 0).length)).toBe(2)
})

test('who stops waiting stops waiting alone', async () => {
  const { page, frame } = await open(() => {})
  await frame.evaluate(`{
    globalThis.stop = new AbortController()
    globalThis.one = client.activity.fetchParticipants({ signal: stop.signal }).catch(refusal)
    globalThis.two = client.activity.connect().then(({ instanceId }) => instanceId, refusal)
    globalThis.three = client.activity.connect({ signal: stop.signal }).catch(refusal)
    void 0
  }`)
  await expect.poll(() => page.evaluate(() => heard.length)).toBe(1)
  await frame.evaluate('stop.abort()')
  expect(await frame.evaluate('one')).toMatchObject({ name: 'NetworkError', code: 'aborted' })
  expect(await frame.evaluate('three')).toMatchObject({ name: 'NetworkError', code: 'aborted' })
  await change(page, willing)
  await say(page, READY)
  expect(await frame.evaluate('two')).toBe('i-1')
})

test('another frame of the host’s own origin is not the host', async () => {
  const { page, frame } = await open(willing)
  await connect(frame)
  await page.evaluate(
    (message) =>
      new Promise((resolve) => {
        const sibling = document.createElement('iframe')
        sibling.srcdoc = `<script>parent.frames[0].postMessage(${JSON.stringify(message)}, '*')</script>`
        sibling.addEventListener('load', resolve)
        document.body.append(sibling)
      }),
    [1, { cmd: 'DISPATCH', evt: 'ACTIVITY_JOIN', data: { secret: 'forged' } }],
  )
  await say(page, JOINED)
  await frame.waitForFunction(() => told.some(({ name }) => name === 'activityJoin'))
  expect(await frame.evaluate(() => told.filter(({ name }) => name === 'activityJoin'))).toEqual([
    { name: 'activityJoin', secret: 'moon' },
  ])
})

test('an error of the game’s own listener is the game’s to see', async () => {
  const { page, frame } = await open(willing)
  await connect(frame)
  await frame.evaluate(`{
    globalThis.errors = []
    addEventListener('error', ({ message }) => errors.push(message))
    client.on('activityJoin', () => { throw new Error('mine') })
  }`)
  await say(page, JOINED)
  await expect.poll(() => frame.evaluate('errors')).toEqual([expect.stringContaining('mine')])
  expect(await names(frame)).not.toContain('activity.malformed_event')
})

test('a client that is closed hears its host no more', async () => {
  const { page, frame } = await open(() => {})
  const connecting = connect(frame)
  await expect.poll(() => page.evaluate(() => heard.length)).toBe(1)
  await frame.evaluate('client.close()')
  expect(await connecting).toMatchObject({ name: 'NetworkError', code: 'aborted' })
  await say(page, READY)
  expect(await frame.evaluate('timers.size')).toBe(0)
})

test.each([
  'undefined',
  'null',
  '{}',
  '{ code: 5 }',
  `{ code: '' }`,
  `{ code: 'a b' }`,
  `{ code: 'x'.repeat(2049) }`,
])('an answer to the question for access that holds no code is refused: %s', async (data) => {
  const { page, frame } = await open(willing)
  await connect(frame)
  await page.evaluate(
    `host = ([, { cmd, nonce }], reply) => reply([1, { cmd, nonce, evt: null, data: ${data} }])`,
  )
  expect(await frame.evaluate(`client.authorize({ scopes: 'openid' }).catch(refusal)`)).toMatchObject({
    name: 'AuthorizationError',
    code: 'missing_code',
  })
})
