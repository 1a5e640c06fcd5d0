/** Advice of the Electron demo's setup screen, for faults and systems that the machine of the tests does not have. */
import { installDeepLinks } from 'foyer-sdk/electron/main'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { linkFindings } from '../../../demo/electron/page/setup/link-findings'
import { loopbackFindings } from '../../../demo/electron/page/setup/loopback-findings'
import { storageFindings } from '../../../demo/electron/page/setup/storage-findings'
import { testDeepLink } from '../../../demo/electron/setup/test-deep-link'
import { app, shell } from '../../support/electron/fake-electron.mjs'
import { useMainProcessGame } from '../../support/electron/main-process-game'

const SCHEME = 'com.example.game'
const harness = useMainProcessGame()
afterEach(() => void vi.restoreAllMocks())

/** Replaces the operating system. */
const open = (arrive: (link: string) => void) =>
  vi
    .spyOn(shell as unknown as { openExternal: (link: string) => Promise<void> }, 'openExternal')
    .mockImplementation(async (link) => {
      shell.opened.push(link)
      arrive(link)
    })

const send = (timeout: number) => {
  const { client } = harness.start({ scheme: installDeepLinks(SCHEME) })
  return testDeepLink({ client, scheme: SCHEME, timeout })
}

describe('a test link', () => {
  test('has no code and is refused, in an event as on macOS', async () => {
    open((link) => app.emit('open-url', { preventDefault: () => undefined }, link))
    expect(await send(60_000)).toEqual({
      sent: true,
      arrivedAfter: expect.any(Number),
      refusal: 'state_mismatch',
    })
    expect(shell.opened.join()).not.toContain('code=')
  })

  test('that does not arrive is reported, and another link is not taken for it', async () => {
    open((link) =>
      app.emit('second-instance', {}, ['game', link.replace(/state=.*/, 'state=other')], '/', {}),
    )
    expect(await send(1)).toEqual({ sent: true })
  })

  test('that the system refuses is reported', async () => {
    expect(await send(60_000)).toEqual({ sent: false })
  })
})

describe('the advice about links', () => {
  const report = { scheme: SCHEME, isDefault: false, registered: false, command: ['game'], sent: true }
  const textOf = (platform: string, more: object = {}) =>
    linkFindings({ ...report, ...more }, platform).map(({ result, text }) => `${result} ${text}`)

  test.each([
    ['darwin', 'CFBundleURLTypes'],
    ['win32', 'manifest must declare the protocol'],
    ['linux', `x-scheme-handler/${SCHEME}`],
  ])('is that of the system: %s', (platform, words) => {
    expect(textOf(platform)).toEqual([
      expect.stringMatching(new RegExp(`^warning .*uses the loopback interface instead.*${words}`)),
      expect.stringMatching(new RegExp(`^failed The link was sent, and did not arrive.*${words}`)),
    ])
  })

  test('mentions a game that declares the registration itself, and a link that was not refused', () => {
    expect(textOf('linux', { registered: true, arrivedAfter: 12 })).toEqual([
      expect.stringContaining('The game says so itself'),
      'passed The link arrived after 12 ms.',
      expect.stringContaining('did not report that it refused it'),
    ])
  })
})

const loopbackText = (check: string, got: string) =>
  loopbackFindings({ checks: [{ check, result: 'failed', got }] })[0]?.text

describe('the advice about the loopback server', () => {
  test.each([
    ['listen', 'EACCES', 'a firewall, or a sandbox'],
    ['listen', 'EADDRINUSE', 'No port is free'],
    ['right_state', 'ETIMEDOUT', 'Allow connections to 127.0.0.1'],
    ['right_state', '502', 'Another program answered'],
    ['closed', '200', 'The port still answers'],
  ])('names the cause: %s, %s', (check, code, words) => {
    expect(loopbackText(check, code)).toContain(words)
    expect(loopbackText(check, code)).toContain(code)
  })
})

describe('the advice about the storage', () => {
  const report = { encryptionAvailable: true, checks: [] }
  const textOf = (kind: 'encrypted' | 'weak' | 'memory' | 'custom', platform = 'linux') =>
    storageFindings({ ...report, kind }, platform)[0]

  test.each([
    ['encrypted', 'passed', 'protects'],
    ['weak', 'warning', 'Any program of your user can read the tokens'],
    ['memory', 'warning', 'players sign in at each start'],
    ['custom', 'passed', 'not tested here'],
  ] as const)('is that of the kind %s', (kind, result, words) => {
    expect(textOf(kind)).toMatchObject({ result, text: expect.stringContaining(words) })
  })

  test('is that of the system', () => {
    expect(textOf('memory', 'darwin')?.text).toContain('keychain')
    expect(textOf('memory', 'win32')?.text).toContain('not as a service')
  })

  test('names the step that failed, with its code', () => {
    const checks = [{ check: 'write', result: 'failed', got: 'ENOSPC' } as const]
    expect(storageFindings({ kind: 'encrypted', encryptionAvailable: true, checks }, 'linux')[1]).toEqual({
      what: 'Write',
      result: 'failed',
      text: 'The test record was not written. Check the free space and the permissions of the folder. (ENOSPC)',
    })
  })
})
