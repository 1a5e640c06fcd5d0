/** `foyer-emulator check`, `plan` and `sync` as a developer runs them: real processes, the built SDK, an emulator. */
import { createEmulator, type Emulator } from 'foyer-emulator'
import { printIssues } from '../../support/emulator-internals'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'

const CLI = fileURLToPath(new URL('../../../emulator/dist/tools/cli/index.js', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'foyer-cli-'))
const ping = { name: 'ping', description: 'Answers pong' }
const greet = { name: 'Greet', type: 2 }
let emulator: Emulator

beforeAll(async () => {
  emulator = await createEmulator({ limits: 'off' })
})
afterEach(() => {
  vi.unstubAllEnvs()
  emulator.reset()
})
afterAll(async () => {
  await emulator.close()
  rmSync(folder, { recursive: true })
})

function file(name: string, content: unknown): string {
  const path = join(folder, name)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

/** Runs the command line with the emulator’s values in its environment. */
function runCli(
  args: readonly string[],
  environment: Record<string, string> = {},
): Promise<{ code: number; out: string; err: string }> {
  const { url, application } = emulator
  const values = {
    FOYER_HOST: url,
    FOYER_APPLICATION_ID: application.id,
    FOYER_BOT_TOKEN: application.botToken,
    NO_COLOR: '1',
    ...environment,
  }
  return new Promise((resolve) => {
    execFile(process.execPath, [CLI, ...args], { env: { ...process.env, ...values } }, (error, out, err) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, err })
    })
  })
}

describe('foyer-emulator check', () => {
  it('accepts a valid file without a network', async () => {
    expect(
      await runCli(['check', file('sound.json', [ping])], { FOYER_HOST: 'http://127.0.0.1:1' }),
    ).toMatchObject({ code: 0, err: '' })
  })

  it('reports every error with its path, and exits with 1', async () => {
    const { code, out } = await runCli([
      'check',
      file('faulty.json', [
        { ...ping, name: 'No Spaces' },
        { ...ping, description: '' },
      ]),
    ])
    expect(code).toBe(1)
    expect(out).toMatch(/error\s+No Spaces \[0\]\.name/)
    expect(out).toMatch(/error\s+ping \[1\]\.description/)
  })

  it('names the invalid command, and accepts the result of defineCommand', async () => {
    const path = file(
      'defined.mjs',
      `import { createRequire } from 'node:module'
      const { defineCommand } = createRequire(${JSON.stringify(`${process.cwd()}/package.json`)})('foyer-sdk/server')
      export default [defineCommand(${JSON.stringify(ping)}, () => ({ content: 'pong' })), { name: 'No Spaces', description: 'x' }]`,
    )
    const { code, out } = await runCli(['check', path])
    expect(code).toBe(1)
    expect(out).toMatch(/error\s+No Spaces \[1\]\.name/)
    expect(out).toContain('2 commands, 2 errors, 0 warnings.')
  })

  it('reads JavaScript and TypeScript', async () => {
    const script = file('commands.mjs', `export default [${JSON.stringify(ping)}]`)
    const typed = file(
      'commands.ts',
      `interface Command { name: string }\nconst list: Command[] = [${JSON.stringify(ping)}]\nexport default list`,
    )
    for (const path of [script, typed])
      expect(await runCli(['check', path, '--json'])).toMatchObject({
        code: 0,
        out: '{"commands":1,"issues":[]}\n',
      })
  })

  it('exits although the file keeps the process alive, and accepts a byte order mark', async () => {
    const alive = (list: string) => file('alive.mjs', `setInterval(() => {}, 1000)\nexport default ${list}`)
    expect(await runCli(['check', alive(JSON.stringify([ping])), '--json'])).toMatchObject({
      code: 0,
      out: '{"commands":1,"issues":[]}\n',
    })
    expect(await runCli(['check', alive('{}')])).toMatchObject({
      code: 2,
      err: expect.stringContaining('must hold a list'),
    })
    expect(await runCli(['check', file('marked.json', `\uFEFF${JSON.stringify([ping])}`)])).toMatchObject({
      code: 0,
    })
  })

  it.each([
    [['check'], 'needs a file'],
    [['check', 'missing.json'], 'cannot be read'],
    [['check', 'a', 'b'], 'unexpected argument'],
    [['plan', 'a', '--nonsense'], 'nonsense'],
  ])('%j is a usage error: one line and status 2', async (args, expectedText) => {
    const { code, out, err } = await runCli(args)
    expect({ code, out, lines: err.trim().split('\n').length }).toEqual({ code: 2, out: '', lines: 1 })
    expect(err).toContain(expectedText)
  })

  it('describes the expected contents of a file', async () => {
    expect(await runCli(['check', file('object.json', {})])).toMatchObject({
      code: 2,
      err: expect.stringContaining('must hold a list'),
    })
  })
})

describe('foyer-emulator plan and sync', () => {
  it('plan prints what sync then does, and a second sync does nothing', async () => {
    const path = file('commands.json', [ping, greet])
    const planned = await runCli(['plan', path])
    expect(planned).toMatchObject({ code: 0, err: '' })
    expect(planned.out).toContain('+ create /ping')
    const synced = await runCli(['sync', path])
    expect(synced).toMatchObject({ code: 0, err: '' })
    expect(synced.out).toContain('[2/2]')
    expect((await runCli(['sync', path])).out).toContain('Nothing to do')
    const { steps, keeps } = JSON.parse((await runCli(['plan', path, '--json'])).out)
    expect({ steps, keeps }).toMatchObject({ steps: [], keeps: expect.any(Number) })
  })

  it('sync prints losses before it writes', async () => {
    await runCli(['sync', file('two.json', [ping, greet])])
    const { out } = await runCli(['sync', file('one.json', [{ ...ping, description: 'Changed' }])])
    const lines = out.split('\n')
    const warned = lines.findIndex((line) => line.includes('“Greet” loses its permissions for good'))
    expect(warned).toBeGreaterThan(0)
    expect(lines.findIndex((line) => line.startsWith('[1/2]'))).toBeGreaterThan(warned)
  })

  it.each([
    [['--url', 'http://service.example'], 'insecure endpoint'],
    [['--application-id', 'mine'], 'applicationId'],
    [['--guild', 'tavern'], '--guild must be an id'],
  ])('%j is a usage error: one line and status 2', async (args, expectedText) => {
    const { code, out, err } = await runCli(['plan', file('sound.json', [ping]), ...args])
    expect({ code, out, lines: err.trim().split('\n').length }).toEqual({ code: 2, out: '', lines: 1 })
    expect(err).toContain(expectedText)
  })

  it('report which service is unreachable, and the issues of an error response', async () => {
    const silent = await runCli(['plan', file('sound.json', [ping]), '--url', 'http://127.0.0.1:1'])
    expect(silent).toMatchObject({ code: 1, err: expect.stringContaining('(http://127.0.0.1:1)') })
    const errors = { 0: { name: { _errors: [{ code: 'TAKEN', message: 'Somebody has it' }] } } }
    const body = { code: 50_035, message: 'Invalid Form Body', errors }
    emulator.faults({ match: { method: 'PUT', path: '*/commands' }, times: 1, effect: { status: 400, body } })
    const rejected = await runCli(['sync', file('commands.json', [ping, greet])])
    expect(rejected).toMatchObject({
      code: 1,
      err: expect.stringMatching(/invalid body.+answered 400\)\n.+\[0\]\.name Somebody has it TAKEN/),
    })
  })

  it('color an error in a terminal only', () => {
    const issues = [{ path: '[0].name', code: 'TAKEN', message: 'Somebody has it', level: 'error' as const }]
    const plain = '✗ error   [0].name Somebody has it TAKEN\n'
    vi.stubEnv('NO_COLOR', undefined)
    vi.stubEnv('FORCE_COLOR', undefined)
    expect(printIssues(issues, { to: { isTTY: true } })).toContain('\u001B[')
    expect(printIssues(issues, { to: { isTTY: false } })).toBe(plain)
    vi.stubEnv('NO_COLOR', '1')
    expect(printIssues(issues, { to: { isTTY: true } })).toBe(plain)
  })

  it('send nothing for an invalid file', async () => {
    const sent = emulator.requests.length
    expect(await runCli(['sync', file('faulty.json', [{ ...ping, name: 'No Spaces' }])])).toMatchObject({
      code: 1,
    })
    expect(emulator.requests).toHaveLength(sent)
  })

  it('exit with 1 and the reason if the service rejects, and never print the token', async () => {
    const { code, out, err } = await runCli(['plan', file('sound.json', [ping])], {
      FOYER_BOT_TOKEN: 'not-the-token',
    })
    expect(code).toBe(1)
    expect(err).toContain('ApiError')
    expect(out + err).not.toContain('not-the-token')
  })

  it('read the token from the environment only', async () => {
    expect(await runCli(['plan', file('sound.json', [ping])], { FOYER_BOT_TOKEN: '' })).toMatchObject({
      code: 2,
      err: expect.stringContaining('FOYER_BOT_TOKEN'),
    })
  })

  it('say what a variable is called now', async () => {
    const given = { FOYER_HOST: '', FOYER_URL: emulator.url, FOYER_BOT_TOKEN: '', BOT_TOKEN: 'the-token' }
    const { code, err } = await runCli(['plan', file('sound.json', [ping]), '--url', emulator.url], given)
    expect(code).toBe(2)
    expect(err).toContain('BOT_TOKEN is set, and not read: call it FOYER_BOT_TOKEN')
    expect(err).not.toContain('the-token')
    expect(await runCli(['plan', file('sound.json', [ping])], given)).toMatchObject({
      code: 2,
      err: expect.stringContaining('FOYER_URL is set, and not read: call it FOYER_HOST'),
    })
  })
})
