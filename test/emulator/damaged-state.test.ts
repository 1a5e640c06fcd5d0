/** State files that are damaged, and files with secrets: a clear error, and no reader but the owner. */
import {
  chmodSync,
  mkdtempSync,
  openSync,
  closeSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import Database from 'libsql'
import { createEmulator } from 'foyer-emulator'
import { signIn } from './support/sign-in-client.js'

const folder = mkdtempSync(join(tmpdir(), 'foyer-damaged-'))
const intact = join(folder, 'intact.db')

beforeAll(async () => {
  const emulator = await createEmulator({ state: intact })
  await signIn(emulator)
  await emulator.close()
})
afterAll(() => rmSync(folder, { recursive: true }))

const PAGE = 4096

/** Changes a copy of an intact file; returns its path. */
function damaged(name: string, damage: (file: string) => void): string {
  const file = join(folder, `${name}.db`)
  execute(`VACUUM INTO '${file}'`)(intact)
  damage(file)
  return file
}

const execute = (statement: string) => (file: string) => {
  const database = new Database(file)
  database.exec(statement)
  database.close()
}

const overwrite = (position: number, bytes: Buffer) => (file: string) => {
  const handle = openSync(file, 'r+')
  writeSync(handle, bytes, 0, bytes.length, position)
  closeSync(handle)
}

describe('a state file', () => {
  it.each([
    ['without a table', execute('DROP TABLE lobby_member')],
    ['without the table of the credentials', execute('DROP TABLE setting')],
    [
      'with junk instead of the credentials',
      execute("UPDATE setting SET value = '{' WHERE name = 'credentials'"),
    ],
    ['with a zeroed page', overwrite(2 * PAGE, Buffer.alloc(PAGE))],
    ['with a zeroed first page', overwrite(0, Buffer.alloc(PAGE))],
    ['with random bytes in the middle', overwrite(3 * PAGE + 100, Buffer.alloc(2000, 0xa5))],
    ['that is text', (file: string) => writeFileSync(file, 'This is no database. '.repeat(500))],
    ['that was cut in half', (file: string) => writeFileSync(file, Buffer.alloc(PAGE + 17, 1))],
    ['of a later version', execute('PRAGMA user_version = 99')],
  ])('%s is refused as state_unusable, and can be used again once it is replaced', async (name, damage) => {
    const state = damaged(name.replaceAll(' ', '-'), damage)
    const error: unknown = await createEmulator({ state }).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'state_unusable', message: expect.stringContaining(state) })
    rmSync(state)
    await (await createEmulator({ state })).close()
  })

  it('and the files beside it can be read by their owner only, also if they existed before', async () => {
    const state = damaged('open', (file) => chmodSync(file, 0o644))
    const emulator = await createEmulator({ state })
    await signIn(emulator)
    const files = readdirSync(folder).filter((name) => name.startsWith('open.db'))
    expect(files).toEqual(expect.arrayContaining(['open.db', 'open.db-lock', 'open.db-shm', 'open.db-wal']))
    expect(files.map((name) => statSync(join(folder, name)).mode & 0o777)).toEqual(files.map(() => 0o600))
    await emulator.close()
  })
})

it('an env file that others could read can be read by its owner only', async () => {
  const envFile = join(folder, '.env')
  writeFileSync(envFile, 'COLOR=blue\n', { mode: 0o644 })
  await (await createEmulator({ envFile })).close()
  expect(statSync(envFile).mode & 0o777).toBe(0o600)
  chmodSync(envFile, 0o666)
  await (await createEmulator({ envFile })).close()
  expect(statSync(envFile).mode & 0o777).toBe(0o600)
})

it('a seed and an env file with a byte order mark are read', async () => {
  const seed = join(folder, 'seed.json')
  const envFile = join(folder, 'marked.env')
  writeFileSync(seed, '\uFEFF{ "users": [{ "id": "42", "username": "neo" }] }')
  writeFileSync(envFile, '\uFEFFFOYER_CLIENT_SECRET=a-secret-of-my-own\n')
  const emulator = await createEmulator({ seed, envFile })
  expect(emulator.users.map(({ username }) => username)).toContain('neo')
  expect(emulator.application.clientSecret).toBe('a-secret-of-my-own')
  await emulator.close()
})
