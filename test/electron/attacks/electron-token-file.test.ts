/** Attacks on stored tokens in Electron: weak key store, damaged file, other programs. */
import {
  existsSync,
  mkdirSync,
  promises,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createEncryptedTokenStore } from '../../support/electron/internals'
import { openedUrl, useMainProcessGame } from '../../support/electron/main-process-game'
import { app, safeStorage } from '../../support/electron/fake-electron.mjs'

const harness = useMainProcessGame()
afterEach(() => {
  vi.restoreAllMocks()
  syncBuiltinESMExports()
})
const folder = () => join(harness.home, 'user-data')
const vault = () => join(folder(), 'foyer-vault')
const attemptFile = () => join(folder(), 'foyer-vault-attempts')

const openVault = () => createEncryptedTokenStore({ file: vault(), allowWeak: false, log: () => undefined })
const textOf = (path: string) => safeStorage.decryptString(readFileSync(path))

/** Flags of all open files. */
async function fileHandle(): Promise<FileHandle> {
  const handle = await open(fileURLToPath(import.meta.url), 'r')
  await handle.close()
  return Object.getPrototypeOf(handle)
}

/** Starts a sign-in whose attempt is stored for the next start of the app. */
async function startAttempt(options: { allowWeakStorage?: boolean } = {}) {
  const game = harness.start({
    scheme: { ...harness.links(), registered: true },
    roads: ['scheme', 'paste'],
    ...options,
  })
  game.client.authorize({ scopes: 'openid' }).catch(() => undefined)
  const url = await openedUrl()
  return { ...game, state: url.searchParams.get('state') ?? '' }
}

describe('the key store', () => {
  test.each(['basic_text', 'unknown', 'none'])(
    'attack/138 that does not encrypt (%s) receives nothing: memory only',
    async (keyStore) => {
      harness.machine({ browser: 'none', keyStore })
      const { log } = await startAttempt()
      expect(existsSync(attemptFile())).toBe(false)
      expect(safeStorage.plain).toBe(false)
      expect(log).toContainEqual(
        expect.objectContaining({
          level: 'warn',
          step: 'vault.opened',
          data: expect.objectContaining({ kind: 'memory' }),
        }),
      )
    },
  )

  test('attack/138 that is weak is used only with `allowWeakStorage`, and logged', async () => {
    harness.machine({ browser: 'none', keyStore: 'basic_text' })
    const { log } = await startAttempt({ allowWeakStorage: true })
    expect(existsSync(attemptFile())).toBe(true)
    expect(log).toContainEqual(
      expect.objectContaining({
        level: 'warn',
        step: 'vault.opened',
        data: { kind: 'weak', backend: 'basic_text' },
      }),
    )
  })

  test('attack/138 is not asked for its backend on a system with only one', async () => {
    const { getSelectedStorageBackend } = safeStorage
    vi.spyOn(process, 'platform', 'get').mockReturnValue('darwin')
    try {
      Reflect.deleteProperty(safeStorage, 'getSelectedStorageBackend')
      const { log } = await startAttempt()
      expect(existsSync(attemptFile())).toBe(true)
      expect(log).toContainEqual(
        expect.objectContaining({ level: 'info', step: 'vault.opened', data: { kind: 'encrypted' } }),
      )
    } finally {
      Object.assign(safeStorage, { getSelectedStorageBackend })
    }
  })

  test('attack/139 is not used before a string has to be encrypted', async () => {
    harness.start({ windows: [{ origin: 'app://game' }] })
    await app.ready
    await new Promise((resolve) => setImmediate(resolve))
    expect(safeStorage.calls).toEqual([])
  })

  test('attack/139 is not used before the app is ready', async () => {
    let ready: ((value: unknown) => void) | undefined
    const { ready: before } = app
    app.ready = new Promise((resolve) => (ready = resolve))
    try {
      const started = startAttempt()
      await new Promise((resolve) => setImmediate(resolve))
      expect(safeStorage.calls).toEqual([])
      ready?.(undefined)
      await started
      expect(safeStorage.calls).not.toEqual([])
    } finally {
      app.ready = before
    }
  })
})

describe('the token file', () => {
  test('attack/140 contains no plain text and is readable by its owner only', async () => {
    const { state } = await startAttempt()
    const content = readFileSync(attemptFile())
    expect(content.includes(state)).toBe(false)
    expect(safeStorage.decryptString(content)).toContain(state)
    expect(statSync(attemptFile()).mode & 0o777).toBe(0o600)
  })

  test('attack/140 is replaced atomically without leaving a temporary file', async () => {
    const { client, state } = await startAttempt()
    client.abortAuthorize()
    await expect.poll(() => textOf(attemptFile()).includes(state)).toBe(false)
    expect(readdirSync(folder()).filter((name) => name.endsWith('.tmp'))).toEqual([])
  })

  test.each<[string, (file: string) => void]>([
    ['half a file', (file) => truncateSync(file, 20)],
    ['an empty file', (file) => writeFileSync(file, '')],
    ['a file of another machine', () => writeFileSync(join(folder(), 'key-store'), Buffer.alloc(32, 7))],
    ['a file of another program', (file) => writeFileSync(file, 'SQLite format 3\0')],
    [
      'a file that decrypts to something else',
      (file) => writeFileSync(file, safeStorage.encryptString('{"tokens":1}')),
    ],
    [
      'a file that decrypts to other entries',
      (file) => writeFileSync(file, safeStorage.encryptString('[["foyer:attempts",7]]')),
    ],
    ['a file that decrypts to no JSON', (file) => writeFileSync(file, safeStorage.encryptString('\0'))],
    ['a file of 9 MB', (file) => writeFileSync(file, Buffer.alloc(9 * 1024 * 1024))],
  ])('attack/139 attack/140 that is %s means signed out, and the next sign-in works', async (_, damage) => {
    const first = await startAttempt()
    first.client.close()
    // The ended attempt is removed from the file first.
    while (textOf(attemptFile()).includes(first.state)) await new Promise((resolve) => setImmediate(resolve))
    await openVault().set('a', 'session')
    for (const file of [vault(), attemptFile()]) damage(file)
    const damaged = readFileSync(vault())
    app.releaseSingleInstanceLock()
    const { client, steps } = harness.start({
      scheme: { ...harness.links(), registered: true },
      roads: ['scheme', 'paste'],
    })
    expect(await client.resume()).toBeNull()
    await expect(
      client.handleCallback(`com.example.game:/authorize/callback?code=x&state=${first.state}`),
    ).rejects.toMatchObject({
      code: 'state_mismatch',
    })
    expect(steps()).toContain('vault.unreadable')
    client.authorize({ scopes: 'openid' }).catch(() => undefined)
    const url = await openedUrl(1)
    expect(textOf(attemptFile())).toContain(url.searchParams.get('state'))
    expect(readFileSync(vault()).equals(damaged)).toBe(true)
  })

  test('attack/140 of a locked key store outlives a cancelled sign-in, and is read when its key is back', async () => {
    await openVault().set('a', 'session')
    const keyFile = join(folder(), 'key-store')
    const keyOfPlayer = readFileSync(keyFile)
    writeFileSync(keyFile, Buffer.alloc(32, 7))
    const { client, state } = await startAttempt()
    expect(await client.resume()).toBeNull()
    expect(textOf(attemptFile())).toContain(state)
    client.abortAuthorize()
    await expect.poll(() => textOf(attemptFile()).includes(state)).toBe(false)
    writeFileSync(keyFile, keyOfPlayer)
    expect(await openVault().get('a')).toBe('session')
  })

  test('attack/140 that cannot be decrypted stays if a key is deleted, and is replaced by a new session only, with a warning', async () => {
    await openVault().set('a', 'old')
    writeFileSync(vault(), 'SQLite format 3\0')
    const steps: string[] = []
    const store = createEncryptedTokenStore({
      file: vault(),
      allowWeak: false,
      log: (_, step) => steps.push(step),
    })
    await store.delete('a')
    expect(readFileSync(vault(), 'utf8')).toBe('SQLite format 3\0')
    expect(steps).toEqual(['vault.opened', 'vault.unreadable'])
    await store.set('a', 'new')
    expect(textOf(vault())).toBe('[["a","new"]]')
    expect(steps.slice(2)).toEqual(['vault.unreadable', 'vault.replaced'])
  })

  test('attack/140 is synced to disk before the rename, and its folder after it', async () => {
    const store = openVault()
    await store.set('a', 'old')
    const seen: unknown[] = []
    const prototype = await fileHandle()
    vi.spyOn(prototype, 'sync').mockImplementation(async function (this: FileHandle) {
      const temporary = readdirSync(folder()).find((name) => name.endsWith('.tmp'))
      seen.push([textOf(vault()), temporary === undefined ? undefined : textOf(join(folder(), temporary))])
      return this.datasync()
    })
    await store.set('a', 'new')
    expect(seen).toEqual([
      ['[["a","old"]]', '[["a","new"]]'],
      ['[["a","new"]]', undefined],
    ])
  })

  test('attack/140 is unchanged when the disk is full, and the temporary file is removed', async () => {
    const store = openVault()
    await store.set('a', 'old')
    const prototype = await fileHandle()
    vi.spyOn(prototype, 'writeFile').mockRejectedValue(
      Object.assign(new Error('no space left on device'), { code: 'ENOSPC' }),
    )
    await expect(store.set('a', 'new')).rejects.toMatchObject({ code: 'ENOSPC' })
    expect(await store.get('a')).toBe('old')
    expect(readdirSync(folder()).filter((name) => name.endsWith('.tmp'))).toEqual([])
    vi.restoreAllMocks()
    await store.set('a', 'new')
    expect(await store.get('a')).toBe('new')
  })

  test('attack/140 is cleared of temporary files of a game that crashed during a write', async () => {
    mkdirSync(folder(), { recursive: true })
    for (const name of ['foyer-vault.aB3_-xYz.tmp', 'foyer-vault-0123456789abcdef.aB3_-xYz.tmp'])
      writeFileSync(join(folder(), name), '')
    expect(await openVault().get('a')).toBeUndefined()
    expect(readdirSync(folder()).filter((name) => name.endsWith('.tmp'))).toEqual([
      'foyer-vault-0123456789abcdef.aB3_-xYz.tmp',
    ])
  })

  test.each(['EPERM', 'EACCES', 'EBUSY'])(
    'attack/140 that a virus scanner locks (%s) is replaced a moment later',
    async (code) => {
      const store = openVault()
      await store.set('a', 'old')
      const { rename } = promises
      let tries = 0
      vi.spyOn(promises, 'rename').mockImplementation(async (from, to) => {
        if (to === vault() && ++tries < 3) throw Object.assign(new Error('held'), { code })
        return rename(from, to)
      })
      syncBuiltinESMExports()
      await store.set('a', 'new')
      expect(tries).toBe(3)
      expect(textOf(vault())).toBe('[["a","new"]]')
    },
  )

  test('attack/140 that cannot be written does not prevent a sign-in', async () => {
    mkdirSync(attemptFile(), { recursive: true })
    const { steps } = await startAttempt()
    expect(steps()).toContain('attempt.not_kept')
    expect(readdirSync(folder()).filter((name) => name.endsWith('.tmp'))).toEqual([])
  })
})
