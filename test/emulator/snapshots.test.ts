/** Snapshots of the state: restored as it was, refused if they do not fit, and without credentials. */
import { createEmulator, type Emulator } from 'foyer-emulator'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

let emulator: Emulator

beforeEach(async () => {
  emulator = await createEmulator({ commands: { globalDelay: 0 } })
})

afterEach(() => emulator.close())

const commandsUrl = () => `${emulator.url}/api/v10/applications/${emulator.application.id}/commands`
const bot = () => ({
  authorization: `Bot ${emulator.application.botToken}`,
  'content-type': 'application/json',
})

async function register(name: string): Promise<void> {
  const response = await fetch(commandsUrl(), {
    method: 'POST',
    headers: bot(),
    body: JSON.stringify({ name, description: 'A command', type: 1 }),
  })
  expect(response.ok).toBe(true)
}

async function commandNames(): Promise<string[]> {
  const list = (await (await fetch(commandsUrl(), { headers: bot() })).json()) as {
    name: string
    type: number
  }[]
  return list.filter(({ type }) => type === 1).map(({ name }) => name)
}

async function lobbies(): Promise<unknown> {
  const { lobbies: list } = (await (await control('GET', 'overview')).json()) as { lobbies: unknown }
  return list
}

function control(method: string, path: string, body?: unknown): Promise<Response> {
  const headers = { authorization: `Bearer ${emulator.controlToken}` }
  return fetch(`${emulator.url}/_emulator/${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}

async function createLobby(): Promise<string> {
  const response = await fetch(`${emulator.url}/api/v10/lobbies`, {
    method: 'POST',
    headers: bot(),
    body: '{"metadata":{"map":"harbour"}}',
  })
  return ((await response.json()) as { id: string }).id
}

describe('a snapshot', () => {
  it('brings back commands, lobbies and the clock, also after a reset', async () => {
    await register('duel')
    const lobby = await createLobby()
    const snapshot = emulator.snapshot()
    const before = await lobbies()
    emulator.reset()
    emulator.advance(86_400_000)
    await register('other')
    expect(await commandNames()).toEqual(['other'])
    emulator.restore(JSON.parse(JSON.stringify(snapshot)))
    expect(await commandNames()).toEqual(['duel'])
    expect(JSON.stringify(await lobbies())).toContain(lobby)
    expect(await lobbies()).toMatchObject(before as object)
    const { now } = (await (await control('GET', 'clock')).json()) as { now: number }
    expect(now - snapshot.takenAt).toBeLessThan(60_000)
  })

  it('contains no credentials', async () => {
    const text = JSON.stringify(emulator.snapshot())
    for (const secret of [
      emulator.controlToken,
      emulator.application.botToken,
      emulator.application.clientSecret,
    ])
      expect(text).not.toContain(secret)
  })

  it('is refused as a whole if a part does not fit', async () => {
    await register('duel')
    const snapshot = emulator.snapshot()
    const [command] = snapshot.tables['command'] ?? []
    const broken = { ...snapshot, tables: { ...snapshot.tables, command: [{ ...command, body: null }] } }
    expect(() => emulator.restore(broken as never)).toThrow(expect.objectContaining({ code: 'bad_request' }))
    expect(() => emulator.restore({ format: 2 } as never)).toThrow(
      expect.objectContaining({ code: 'bad_request' }),
    )
    const credentials = {
      ...snapshot,
      tables: { ...snapshot.tables, setting: [{ name: 'credentials', value: '{}' }] },
    }
    expect(() => emulator.restore(credentials)).toThrow(expect.objectContaining({ code: 'bad_request' }))
    expect(await commandNames()).toEqual(['duel'])
  })
})

describe('the control plane', () => {
  it('saves, lists, restores, exports and imports by name, with the control token only', async () => {
    await register('duel')
    await control('POST', 'snapshots', { name: 'one command' })
    emulator.reset()
    expect(await (await control('GET', 'snapshots')).json()).toMatchObject([{ name: 'one command' }])
    const snapshot: unknown = await (
      await control('POST', 'snapshots/export', { name: 'one command' })
    ).json()
    expect((await control('POST', 'snapshots/import', { name: 'copy', snapshot })).status).toBe(200)
    expect((await control('POST', 'snapshots/restore', { name: 'copy' })).status).toBe(204)
    expect(await commandNames()).toEqual(['duel'])
    expect((await control('POST', 'snapshots/restore', { name: 'none' })).status).toBe(400)
    expect((await control('POST', 'snapshots/import', { name: 'x', snapshot: {} })).status).toBe(400)
    expect((await control('POST', 'snapshots', { name: ' ' })).status).toBe(400)
    expect((await fetch(`${emulator.url}/_emulator/snapshots`)).status).toBe(401)
  })
})
