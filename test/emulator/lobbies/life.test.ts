/** How long lobbies live: until they are idle for too long, through a kill of the emulator, and no longer than a reset. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createEmulator, type Emulator } from 'foyer-emulator'
import { list } from '../commands/support.js'
import { heard, Lobbies, playerIn, refusal } from './support.js'

const folder = mkdtempSync(join(tmpdir(), 'foyer-lobbies-'))
let emulator: Emulator
let bot: Lobbies
beforeAll(async () => {
  emulator = await createEmulator({ limits: 'off' })
  bot = new Lobbies(emulator)
})
afterAll(async () => {
  await emulator.close()
  rmSync(folder, { recursive: true })
})
beforeEach(() => emulator.reset())

describe('an idle lobby', () => {
  it('ends after five minutes, or when it says, and tells why it is gone', async () => {
    const [usual, short] = [await bot.create(), await bot.create({ idle_timeout_seconds: 60 })]
    const events = heard(emulator)
    emulator.advance(60_000)
    expect(events).toEqual([{ name: 'lobby.deleted', data: { id: short, application_id: emulator.application.id, reason: 'idle' } }])
    expect(await bot.get(`/${short}`)).toMatchObject(refusal(404, 10031, 'nobody used it for 60 seconds'))
    emulator.advance(180_000)
    expect((await bot.get(`/${usual}`)).status).toBe(200)
    emulator.advance(60_000)
    expect(await bot.get(`/${usual}`)).toMatchObject(refusal(404, 10031))
    expect((await bot.delete(`/${usual}`)).status).toBe(204)
  })

  it('is one that nobody changes, writes in or listens to; reading it as a server does not count', async () => {
    const ada = await playerIn(emulator, 'ada')
    const id = await ada.join('lantern', { idle_timeout_seconds: 3600 })
    const uses = [
      () => ada.get(`/${id}/messages`),
      () => ada.post(`/${id}/messages`, { content: 'x' }),
      () => bot.patch(`/${id}`, {}),
      () => bot.put(`/${id}/members/1`, {}),
      () => bot.delete(`/${id}/members/1`),
      () => ada.put('', { secret: 'lantern' }),
    ]
    for (const use of uses) {
      emulator.advance(3_500_000)
      expect((await use()).status).toBeLessThan(300)
    }
    emulator.advance(3_500_000)
    await bot.get(`/${id}`)
    emulator.advance(100_000)
    expect(await bot.get(`/${id}`)).toMatchObject(refusal(404, 10031))
    expect(await ada.join('lantern')).not.toBe(id)
  })

  it('follows a change of its time', async () => {
    const id = await bot.create({ idle_timeout_seconds: 604_800 })
    await bot.patch(`/${id}`, { idle_timeout_seconds: 10 })
    emulator.advance(10_000)
    expect((await bot.get(`/${id}`)).status).toBe(404)
    const back = await bot.create({ idle_timeout_seconds: 10 })
    await bot.patch(`/${back}`, { idle_timeout_seconds: null })
    emulator.advance(200_000)
    expect((await bot.get(`/${back}`)).status).toBe(200)
  })

  it('ends by itself, also when nobody asks', async () => {
    const ended = new Promise((resolve) => {
      emulator.subscribe(({ name, data }) => void (name === 'lobby.deleted' && resolve(Object(data).id)))
    })
    await bot.create({ idle_timeout_seconds: 604_800 })
    const id = await bot.create({ idle_timeout_seconds: 10 })
    emulator.advance(9990)
    expect(await ended).toBe(id)
  })

  it('is told of on the event stream too', async () => {
    const controller = new AbortController()
    const headers = { authorization: `Bearer ${emulator.controlToken}` }
    const stream = await fetch(`${emulator.url}/_emulator/events`, { headers, signal: controller.signal })
    const id = await bot.create({ idle_timeout_seconds: 5 })
    emulator.advance(5000)
    let text = ''
    for await (const chunk of stream.body ?? []) {
      text += Buffer.from(chunk).toString()
      if (text.includes('lobby.deleted') && text.endsWith('\n\n')) break
    }
    expect(text).toContain(`event: lobby.created\ndata: {"id":"${id}"`)
    expect(text).toContain(`event: lobby.deleted\ndata: {"id":"${id}"`)
    controller.abort()
  })
})

describe('a state file', () => {
  it('keeps lobbies, members, secrets and messages, and ends those whose time is over', async () => {
    const state = join(folder, 'kept.db')
    const first = await createEmulator({ state })
    const port = Number(new URL(first.url).port)
    const ada = await playerIn(first, 'ada')
    const app = new Lobbies(first)
    const id = await ada.join('lantern', { lobby_metadata: { map: 'harbour' }, idle_timeout_seconds: 600 })
    await app.put(`/${id}/members/7`, { additional_name: 'Knight', metadata: { a: 'b' }, flags: 1 })
    await ada.post(`/${id}/messages`, { content: 'hello', metadata: { c: 'd' } })
    const gone = await app.create({ idle_timeout_seconds: 5 })
    const before = [(await app.get(`/${id}`)).body, (await ada.get(`/${id}/messages`)).body]
    await first.close()

    const second = await createEmulator({ state, port })
    const [again, server] = [await playerIn(second, 'ada'), new Lobbies(second)]
    expect([(await server.get(`/${id}`)).body, (await again.get(`/${id}/messages`)).body]).toEqual(before)
    expect(await again.join('lantern')).toBe(id)
    second.advance(5000)
    expect((await server.get(`/${gone}`)).status).toBe(404)
    expect(BigInt(await server.create())).toBeGreaterThan(BigInt(gone))
    await second.close()
  })
})

it('the settings of lobbies change while the emulator runs', async () => {
  const { caller } = bot
  expect((await caller.control('/lobbies')).body).toEqual({
    metadataUnit: 'characters',
    messageLength: 2000,
    lobbiesPerPlayer: null,
    secretLife: 2_592_000_000,
  })
  const fits = { metadata: { ['\u{e9}'.repeat(500)]: '' } }
  const sizes = async (metadataUnit: string, body: unknown) => {
    expect((await caller.control('/lobbies', { method: 'PATCH', body: { metadataUnit } })).body).toMatchObject({ metadataUnit })
    return (await bot.post('', body)).status
  }
  expect(await sizes('bytes', fits)).toBe(201)
  expect(await sizes('bytes', { metadata: { ['\u{e9}'.repeat(501)]: '' } })).toBe(400)
  expect(await sizes('json', { metadata: { a: 'x'.repeat(993) } })).toBe(400)
  expect(await sizes('json', { metadata: { a: 'x'.repeat(992) } })).toBe(201)
  await caller.control('/lobbies', { method: 'PATCH', body: { metadataUnit: 'characters' } })
  for (const body of [{ metadataUnit: 'words' }, { messageLength: 0 }, { lobbiesPerPlayer: 'x' }, { secretLife: 1.5 }, { size: 1 }]) {
    expect(await caller.control('/lobbies', { method: 'PATCH', body })).toMatchObject({ status: 400, body: { code: 'bad_request' } })
    await expect(createEmulator({ lobbies: Object(body) })).rejects.toMatchObject({ code: 'invalid_setting' })
  }
})

it('a reset forgets lobbies and messages', async () => {
  const ada = await playerIn(emulator, 'ada')
  const id = await ada.join('lantern')
  emulator.reset()
  expect(await bot.get(`/${id}`)).toMatchObject(refusal(404, 10031, 'no lobby has this id'))
  const again = await playerIn(emulator, 'ada')
  const fresh = await again.join('lantern')
  expect(fresh).not.toBe(id)
  expect(list((await again.get(`/${fresh}/messages`)).body)).toEqual([])
})
