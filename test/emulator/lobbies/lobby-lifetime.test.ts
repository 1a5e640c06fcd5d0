/** Lifetime of lobbies: idle timeouts, a killed emulator, and a reset. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createEmulator, type Emulator } from 'foyer-emulator'
import { list } from '../commands/command-client.js'
import { recordEvents, Lobbies, playerIn, rejectedWith } from './lobby-client.js'

const folder = mkdtempSync(join(tmpdir(), 'foyer-lobbies-'))
/** Bodies without the emulator's address, which avatars contain. */
const shown = async ({ url }: Emulator, read: Promise<{ body: unknown }>[]) =>
  JSON.stringify((await Promise.all(read)).map(({ body }) => body)).replaceAll(url, '')

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
  it('is deleted after five minutes or its own timeout, with the reason', async () => {
    const [usual, short] = [await bot.create(), await bot.create({ idle_timeout_seconds: 60 })]
    const events = recordEvents(emulator)
    emulator.advance(60_000)
    expect(events).toEqual([
      { name: 'lobby.deleted', data: { id: short, application_id: emulator.application.id, reason: 'idle' } },
    ])
    expect(await bot.get(`/${short}`)).toMatchObject(
      rejectedWith(404, 10031, 'nobody used it for 60 seconds'),
    )
    emulator.advance(180_000)
    expect((await bot.get(`/${usual}`)).status).toBe(200)
    emulator.advance(60_000)
    expect(await bot.get(`/${usual}`)).toMatchObject(rejectedWith(404, 10031))
    expect((await bot.delete(`/${usual}`)).status).toBe(204)
  })

  it('has no changes, messages and listeners; reads by a backend do not count', async () => {
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
    expect(await bot.get(`/${id}`)).toMatchObject(rejectedWith(404, 10031))
    expect(await ada.join('lantern')).not.toBe(id)
  })

  it('follows a change of its timeout', async () => {
    const id = await bot.create({ idle_timeout_seconds: 604_800 })
    await bot.patch(`/${id}`, { idle_timeout_seconds: 10 })
    emulator.advance(10_000)
    expect((await bot.get(`/${id}`)).status).toBe(404)
    const back = await bot.create({ idle_timeout_seconds: 10 })
    await bot.patch(`/${back}`, { idle_timeout_seconds: null })
    emulator.advance(200_000)
    expect((await bot.get(`/${back}`)).status).toBe(200)
  })

  it('is deleted without any request', async () => {
    const ended = new Promise((resolve) => {
      emulator.subscribe(({ name, data }) => void (name === 'lobby.deleted' && resolve(Object(data).id)))
    })
    await bot.create({ idle_timeout_seconds: 604_800 })
    const id = await bot.create({ idle_timeout_seconds: 10 })
    emulator.advance(9990)
    expect(await ended).toBe(id)
  })

  it('is reported on the event stream, too', async () => {
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
  it('stores lobbies, members, secrets and messages, and deletes expired ones', async () => {
    const state = join(folder, 'kept.db')
    const first = await createEmulator({ state })
    const ada = await playerIn(first, 'ada')
    const app = new Lobbies(first)
    const id = await ada.join('lantern', { lobby_metadata: { map: 'harbour' }, idle_timeout_seconds: 600 })
    await app.put(`/${id}/members/7`, { additional_name: 'Knight', metadata: { a: 'b' }, flags: 1 })
    await ada.post(`/${id}/messages`, { content: 'hello', metadata: { c: 'd' } })
    const gone = await app.create({ idle_timeout_seconds: 5 })
    const before = await shown(first, [app.get(`/${id}`), ada.get(`/${id}/messages`)])
    await first.close()

    const second = await createEmulator({ state })
    const [again, server] = [await playerIn(second, 'ada'), new Lobbies(second)]
    expect(await shown(second, [server.get(`/${id}`), again.get(`/${id}/messages`)])).toBe(before)
    expect(await again.join('lantern')).toBe(id)
    second.advance(5000)
    expect((await server.get(`/${gone}`)).status).toBe(404)
    expect(BigInt(await server.create())).toBeGreaterThan(BigInt(gone))
    await second.close()
  })
})

it('behavior settings of lobbies apply while the emulator runs', async () => {
  const { caller } = bot
  expect((await caller.control('/lobbies')).body).toEqual({
    metadataUnit: 'characters',
    messageLength: 2000,
    lobbiesPerPlayer: null,
    secretLife: 2_592_000_000,
    messageMetadata: 'dispatch',
    absentMemberFields: 'keep',
  })
  const fits = { metadata: { ['\u{e9}'.repeat(500)]: '' } }
  const sizes = async (metadataUnit: string, body: unknown) => {
    expect(
      (await caller.control('/lobbies', { method: 'PATCH', body: { metadataUnit } })).body,
    ).toMatchObject({ metadataUnit })
    return (await bot.post('', body)).status
  }
  expect(await sizes('bytes', fits)).toBe(201)
  expect(await sizes('bytes', { metadata: { ['\u{e9}'.repeat(501)]: '' } })).toBe(400)
  expect(await sizes('json', { metadata: { a: 'x'.repeat(993) } })).toBe(400)
  expect(await sizes('json', { metadata: { a: 'x'.repeat(992) } })).toBe(201)
  await caller.control('/lobbies', { method: 'PATCH', body: { metadataUnit: 'characters' } })
  for (const body of [
    { metadataUnit: 'words' },
    { messageLength: 0 },
    { lobbiesPerPlayer: 'x' },
    { secretLife: 1.5 },
    { messageMetadata: 'never' },
    { absentMemberFields: true },
    { size: 1 },
  ]) {
    expect(await caller.control('/lobbies', { method: 'PATCH', body })).toMatchObject({
      status: 400,
      body: { code: 'bad_request' },
    })
    await expect(createEmulator({ lobbies: Object(body) })).rejects.toMatchObject({ code: 'invalid_setting' })
  }
})

it('a reset deletes lobbies and messages', async () => {
  const ada = await playerIn(emulator, 'ada')
  const id = await ada.join('lantern')
  emulator.reset()
  expect(await bot.get(`/${id}`)).toMatchObject(rejectedWith(404, 10031, 'no lobby has this id'))
  const again = await playerIn(emulator, 'ada')
  const fresh = await again.join('lantern')
  expect(fresh).not.toBe(id)
  expect(list((await again.get(`/${fresh}/messages`)).body)).toEqual([])
})
