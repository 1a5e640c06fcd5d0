/** `foyer-sdk/electron/checks`: what the checks of a setup report on machines with and without a fault. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { createSetupChecks } from 'foyer-sdk/electron/checks'
import { memoryStore } from 'foyer-sdk'
import type { MainClientOptions } from 'foyer-sdk/electron/main'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { app } from '../support/electron/fake-electron.mjs'
import { codeOf, ORIGIN, useIpcGame } from '../support/electron/ipc-game'

const { shell: harness, start } = useIpcGame()
afterEach(() => void vi.restoreAllMocks())

const create = (options: Partial<MainClientOptions> = {}) =>
  createSetupChecks({ service: { host: 'https://service.test' }, ...options })
const folder = () => join(harness.home, 'user-data')
const vaults = () => readdirSync(folder()).filter((name) => name.startsWith('foyer-vault'))
/** Results by name of the check. */
const resultsOf = (checks: readonly { check: string; result: string; got?: string }[]) =>
  Object.fromEntries(
    checks.map(({ check, result, got }) => [check, got === undefined ? result : `${result}: ${got}`]),
  )

describe('testStorage', () => {
  const PASSED = {
    write: 'passed',
    no_plain_text: 'passed',
    owner_only: 'passed',
    read: 'passed',
    delete: 'passed',
  }

  test('tests the encryption in a file of its own, and removes it', async () => {
    mkdirSync(folder(), { recursive: true })
    writeFileSync(join(folder(), 'foyer-vault'), 'tokens of the player')
    const { checks, ...report } = await create().testStorage()
    expect(report).toEqual({
      kind: 'encrypted',
      encryptionAvailable: true,
      backend: 'gnome_libsecret',
      file: join(folder(), 'foyer-vault'),
    })
    expect(resultsOf(checks)).toEqual(PASSED)
    expect(vaults()).toEqual(['foyer-vault'])
  })

  test('names the file of a profile', async () => {
    expect((await create({ profile: 'ada' }).testStorage()).file).toMatch(/foyer-vault-[\da-f]{16}$/)
  })

  test.each(['basic_text', 'none'])(
    'reports memory on a Linux without a key store (%s), and writes no file',
    async (keyStore) => {
      harness.machine({ keyStore })
      const { checks, ...report } = await create().testStorage()
      expect(report).toEqual({
        kind: 'memory',
        encryptionAvailable: false,
        backend: keyStore === 'none' ? 'unknown' : keyStore,
      })
      expect(resultsOf(checks)).toEqual({ write: 'passed', read: 'passed', delete: 'passed' })
    },
  )

  test('reports a weak file if the game allows one', async () => {
    harness.machine({ keyStore: 'basic_text' })
    const { kind, file, checks } = await create({ allowWeakStorage: true }).testStorage()
    expect({ kind, file }).toEqual({ kind: 'weak', file: join(folder(), 'foyer-vault') })
    expect(resultsOf(checks)).toEqual(PASSED)
  })

  test('leaves a token store of the game alone', async () => {
    const tokenStore = memoryStore()
    const used = [vi.spyOn(tokenStore, 'get'), vi.spyOn(tokenStore, 'set'), vi.spyOn(tokenStore, 'delete')]
    expect(await create({ tokenStore }).testStorage()).toMatchObject({ kind: 'custom', checks: [] })
    for (const spy of used) expect(spy).not.toHaveBeenCalled()
  })

  test('reports the error code of a file that cannot be written, and ends there', async () => {
    harness.machine()
    writeFileSync(join(harness.home, 'no-folder'), '')
    vi.spyOn(app as unknown as { getPath: () => string }, 'getPath').mockReturnValue(
      join(harness.home, 'no-folder'),
    )
    expect(resultsOf((await create().testStorage()).checks)).toEqual({
      write: expect.stringMatching(/^failed: E\w+$/),
    })
  })
})

describe('testLoopback', () => {
  test('refuses a wrong state, accepts the right one, and leaves no port open', async () => {
    const { port, checks } = await create().testLoopback()
    expect(resultsOf(checks)).toEqual({
      listen: 'passed',
      wrong_state: 'passed: 404',
      right_state: 'passed: 200',
      closed: 'passed: ECONNREFUSED',
    })
    await expect(fetch(`http://127.0.0.1:${port}/callback`)).rejects.toThrow('fetch failed')
  })

  test('reports the error code of a port that cannot be opened', async () => {
    vi.spyOn(Server.prototype, 'listen').mockImplementation(function (this: Server) {
      setImmediate(() =>
        this.emit('error', Object.assign(new Error('listen EADDRINUSE'), { code: 'EADDRINUSE' })),
      )
      return this
    })
    const report = await create().testLoopback()
    expect(report).not.toHaveProperty('port')
    expect(resultsOf(report.checks)).toEqual({ listen: 'failed: EADDRINUSE' })
  })

  test('reports connections that a firewall closes', async () => {
    const emit: unknown = Reflect.get(Server.prototype, 'emit')
    vi.spyOn(Server.prototype, 'emit').mockImplementation(function (
      this: Server,
      event: string,
      ...data: unknown[]
    ) {
      if (event !== 'connection') return Reflect.apply(emit as () => boolean, this, [event, ...data])
      ;(data[0] as Socket).destroy()
      return true
    })
    expect(resultsOf((await create().testLoopback()).checks)).toMatchObject({
      wrong_state: 'failed: ECONNRESET',
      right_state: 'failed: ECONNRESET',
    })
  })
})

describe('describeScheme', () => {
  test('reports what the game says, and what the system says', () => {
    const scheme = { ...harness.links(), registered: true }
    const command = [process.execPath, '--']
    expect(create({ scheme }).describeScheme()).toEqual({
      scheme: 'com.example.game',
      registered: true,
      isDefault: false,
      command,
    })
  })

  test('reports nothing for a game without a scheme', () => {
    expect(create().describeScheme()).toBeUndefined()
  })
})

describe('describeIpc', () => {
  const report = create({
    windows: [{ origin: ORIGIN }, { origin: 'app://tools', tokens: () => true }],
  }).describeIpc()

  test('lists the methods that a window may call, and those that it may not', async () => {
    // On this computer: no program but the emulator's is looked for.
    const { client, call } = start({ service: { host: 'http://127.0.0.1:9' }, localProgram: true })
    const called: string[] = []
    const lobby = {}
    const { accounts, activity, backend, lobbies } = client
    const desktop = client.desktop ?? {}
    const owners: Readonly<Record<string, object>> = { accounts, activity, backend, desktop, lobbies, lobby }
    for (const path of [...report.methods, ...report.unsupported]) {
      const [group = '', name] = path.split('.')
      const owner = name === undefined ? client : owners[group]
      if (path !== 'lobbies.get')
        Object.assign(owner ?? {}, { [name ?? group]: async () => called.push(path) })
    }
    Object.assign(client.lobbies, { get: () => lobby })
    for (const path of report.methods) await call(path, ['1'])
    expect(called).toEqual(report.methods)
    for (const name of report.unsupported) expect(await codeOf(call(name))).toBe('invalid_argument')
    expect(called).toEqual(report.methods)
    expect(report.methods).toContain('signIn')
    expect(report.unsupported).toContain('backend.fetch')
  })

  test('lists the channels, the events, and the pages that may call', () => {
    expect(report.channels.map(({ name, from }) => `${from} ${name}`)).toEqual([
      'page foyer:call',
      'page foyer:cancel',
      'main foyer:notify',
    ])
    expect(Object.keys(report.internal)).toEqual([
      'connect',
      'desktop.followInvitations',
      'pauseRefresh',
      'rateLimits',
      'undo',
    ])
    expect(report.events).toContain('browserUnavailable')
    expect(report.events).toContain('desktop.joinRequested')
    expect(report.events).not.toContain('activityParticipants')
    expect(report.origins).toEqual([
      { origin: ORIGIN, tokens: false },
      { origin: 'app://tools', tokens: true },
    ])
  })

  test('rejects an invalid list of windows, like createMainClient', () => {
    expect(() => create({ windows: [{ origin: '*' }] })).toThrow(
      expect.objectContaining({ code: 'invalid_argument' }),
    )
  })
})
