/** `foyer-emulator check`, `plan` and `sync` as a developer runs them: real processes, the built SDK, an emulator. */
import { createEmulator, type Emulator } from 'foyer-emulator'
import { printIssues } from '../../../emulator/src/cli/application-commands/print-results.js'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'

const CLI = fileURLToPath(new URL('../../../emulator/dist/cli.js', import.meta.url))
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

/** Runs the command line with an emulator's values in its environment. */
function foyer(args: readonly string[], environment: Record<string, string> = {}): Promise<{ code: number; out: string; err: string }> {
  const { url, application } = emulator
  const values = {
    FOYER_URL: url,
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

describe('check', () => {
  it('passes a sound file, without a network', async () => {
    expect(await foyer(['check', file('sound.json', [ping])], { FOYER_URL: 'http://127.0.0.1:1' })).toMatchObject({ code: 0, err: '' })
  })

  it('names every fault with its path, and ends with 1', async () => {
    const { code, out } = await foyer([
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

  it('says whose fault it is, and takes what defineCommand made', async () => {
    const path = file(
      'defined.mjs',
      `import { createRequire } from 'node:module'
      const { defineCommand } = createRequire(${JSON.stringify(`${process.cwd()}/package.json`)})('foyer-sdk/server')
      export default [defineCommand(${JSON.stringify(ping)}, () => ({ content: 'pong' })), { name: 'No Spaces', description: 'x' }]`,
    )
    const { code, out } = await foyer(['check', path])
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
      expect(await foyer(['check', path, '--json'])).toMatchObject({ code: 0, out: '{"commands":1,"issues":[]}\n' })
  })

  it('ends although the file keeps a process alive, and takes a file that begins with a byte order mark', async () => {
    const alive = (list: string) => file('alive.mjs', `setInterval(() => {}, 1000)\nexport default ${list}`)
    expect(await foyer(['check', alive(JSON.stringify([ping])), '--json'])).toMatchObject({ code: 0, out: '{"commands":1,"issues":[]}\n' })
    expect(await foyer(['check', alive('{}')])).toMatchObject({ code: 2, err: expect.stringContaining('must hold a list') })
    expect(await foyer(['check', file('marked.json', `\uFEFF${JSON.stringify([ping])}`)])).toMatchObject({ code: 0 })
  })

  it.each([
    [['check'], 'needs a file'],
    [['check', 'missing.json'], 'cannot be read'],
    [['check', 'a', 'b'], 'unexpected argument'],
    [['plan', 'a', '--nonsense'], 'nonsense'],
  ])('%j is wrong usage: one line, and 2', async (args, words) => {
    const { code, out, err } = await foyer(args)
    expect({ code, out, lines: err.trim().split('\n').length }).toEqual({ code: 2, out: '', lines: 1 })
    expect(err).toContain(words)
  })

  it('says what a file must hold', async () => {
    expect(await foyer(['check', file('object.json', {})])).toMatchObject({ code: 2, err: expect.stringContaining('must hold a list') })
  })
})

describe('plan and sync', () => {
  it('plan shows what sync then does, and a second sync does nothing', async () => {
    const path = file('commands.json', [ping, greet])
    const planned = await foyer(['plan', path])
    expect(planned).toMatchObject({ code: 0, err: '' })
    expect(planned.out).toContain('+ create /ping')
    const synced = await foyer(['sync', path])
    expect(synced).toMatchObject({ code: 0, err: '' })
    expect(synced.out).toContain('[2/2]')
    expect((await foyer(['sync', path])).out).toContain('Nothing to do')
    const { steps, keeps } = JSON.parse((await foyer(['plan', path, '--json'])).out)
    expect({ steps, keeps }).toMatchObject({ steps: [], keeps: expect.any(Number) })
  })

  it('sync tells what will be lost before it is lost', async () => {
    await foyer(['sync', file('two.json', [ping, greet])])
    const { out } = await foyer(['sync', file('one.json', [{ ...ping, description: 'Changed' }])])
    const lines = out.split('\n')
    const warned = lines.findIndex((line) => line.includes('“Greet” loses its permissions for good'))
    expect(warned).toBeGreaterThan(0)
    expect(lines.findIndex((line) => line.startsWith('[1/2]'))).toBeGreaterThan(warned)
  })

  it.each([
    [['--url', 'http://service.example'], 'insecure endpoint'],
    [['--application-id', 'mine'], 'applicationId'],
    [['--guild', 'tavern'], '--guild must be an id'],
  ])('%j is wrong usage: one line, and 2', async (args, words) => {
    const { code, out, err } = await foyer(['plan', file('sound.json', [ping]), ...args])
    expect({ code, out, lines: err.trim().split('\n').length }).toEqual({ code: 2, out: '', lines: 1 })
    expect(err).toContain(words)
  })

  it('says which service did not answer, and what a refusal found fault with', async () => {
    const silent = await foyer(['plan', file('sound.json', [ping]), '--url', 'http://127.0.0.1:1'])
    expect(silent).toMatchObject({ code: 1, err: expect.stringContaining('(http://127.0.0.1:1)') })
    const errors = { 0: { name: { _errors: [{ code: 'TAKEN', message: 'Somebody has it' }] } } }
    const body = { code: 50_035, message: 'Invalid Form Body', errors }
    emulator.faults({ match: { method: 'PUT', path: '*/commands' }, times: 1, effect: { status: 400, body } })
    const refused = await foyer(['sync', file('commands.json', [ping, greet])])
    expect(refused).toMatchObject({
      code: 1,
      err: expect.stringMatching(/invalid body.+answered 400\)\n.+\[0\]\.name Somebody has it TAKEN/),
    })
  })

  it('colours a refusal only where it is read by people', () => {
    const issues = [{ path: '[0].name', code: 'TAKEN', message: 'Somebody has it', level: 'error' as const }]
    const plain = '✗ error   [0].name Somebody has it TAKEN\n'
    vi.stubEnv('NO_COLOR', undefined)
    vi.stubEnv('FORCE_COLOR', undefined)
    expect(printIssues(issues, { to: { isTTY: true } })).toContain('\u001B[')
    expect(printIssues(issues, { to: { isTTY: false } })).toBe(plain)
    vi.stubEnv('NO_COLOR', '1')
    expect(printIssues(issues, { to: { isTTY: true } })).toBe(plain)
  })

  it('sends nothing for a file with faults', async () => {
    const sent = emulator.requests.length
    expect(await foyer(['sync', file('faulty.json', [{ ...ping, name: 'No Spaces' }])])).toMatchObject({ code: 1 })
    expect(emulator.requests).toHaveLength(sent)
  })

  it('ends with 1 and the reason when the service refuses, and never shows the token', async () => {
    const { code, out, err } = await foyer(['plan', file('sound.json', [ping])], { FOYER_BOT_TOKEN: 'not-the-token' })
    expect(code).toBe(1)
    expect(err).toContain('ApiError')
    expect(out + err).not.toContain('not-the-token')
  })

  it('takes the token from the environment only', async () => {
    expect(await foyer(['plan', file('sound.json', [ping])], { FOYER_BOT_TOKEN: '' })).toMatchObject({
      code: 2,
      err: expect.stringContaining('FOYER_BOT_TOKEN'),
    })
  })
})
