/** The command line, as processes that really run. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { Cli } from './support/cli.js'

const folder = mkdtempSync(join(tmpdir(), 'foyer-cli-'))
afterAll(() => rmSync(folder, { recursive: true }))

function run(args: string[], env: Record<string, string> = {}) {
  return new Cli(args, { cwd: folder, env }).ended
}

const script = (code: string) => ['exec', '--', process.execPath, '-e', code]
const lines = (text: string) => text.trimEnd().split('\n')

describe('foyer-emulator start', () => {
  it('prints one line of JSON when it is ready, and is ready then', async () => {
    const cli = new Cli(['start', '--port', '0', '--json'])
    const values = await cli.ready()
    expect(Object.keys(values)).toEqual(['url', 'applicationId', 'botToken', 'clientSecret', 'publicKey', 'controlToken', 'users'])
    expect(values['publicKey']).toMatch(/^[0-9a-f]{64}$/)
    for (const name of ['botToken', 'clientSecret', 'controlToken']) expect(values[name]).toMatch(/^emu_/)
    const headers = { authorization: `Bearer ${String(values['controlToken'])}` }
    expect((await fetch(`${String(values['url'])}/_emulator/requests`, { headers })).status).toBe(200)
    const { code, out, err } = await cli.stop('SIGINT')
    expect([code, lines(out).length, err]).toEqual([0, 1, ''])
  })

  it('prints a banner for people, without colours where none are wanted', async () => {
    const cli = new Cli(['start', '--port', '0'], { env: { NO_COLOR: '1' } })
    const banner = await cli.firstOutput()
    expect(banner).toContain('http://127.0.0.1:')
    expect(banner).toContain('Ctrl-C')
    expect(banner).not.toContain('\u001B[')
    await cli.stop('SIGTERM')
  })

  it.each(['SIGINT', 'SIGTERM'] as const)('ends cleanly on %s, frees its port and leaves no file behind', async (signal) => {
    const cli = new Cli(['start', '--port', '0', '--json'], { cwd: folder, env: { TMPDIR: folder } })
    const { url } = await cli.ready()
    // A connection that is kept open must not hold the emulator back.
    await (await fetch(`${String(url)}/api/v10/oauth2/keys`)).text()
    const { code, err } = await cli.stop(signal)
    expect([code, err]).toEqual([0, ''])
    expect(readdirSync(folder)).toEqual([])
    await expect(fetch(String(url))).rejects.toThrow('fetch failed')
  })

  it('says in one line that the port is busy, and fails', async () => {
    const first = new Cli(['start', '--port', '0', '--json'])
    const { port } = new URL(String((await first.ready())['url']))
    const second = await run(['start', '--port', port, '--json'])
    expect([second.code, second.out, lines(second.err).length]).toEqual([1, '', 1])
    expect(second.err).toContain(port)
    await first.stop('SIGTERM')
  })

  it('takes a seed file, and says what is wrong with a bad one', async () => {
    const seed = join(folder, 'seed.json')
    writeFileSync(seed, JSON.stringify({ application: { id: '99' }, users: [{ id: '42', username: 'neo' }] }))
    const cli = new Cli(['start', '--port', '0', '--json', '--seed', seed])
    expect(await cli.ready()).toMatchObject({ applicationId: '99' })
    await cli.stop('SIGTERM')
    writeFileSync(seed, '{"users": [{ "id": 42 }]}')
    const bad = await run(['start', '--seed', seed])
    rmSync(seed)
    expect([bad.code, bad.err]).toEqual([1, expect.stringContaining('users[0].id')])
  })

  it('limits as it is told', async () => {
    const cli = new Cli(['start', '--port', '0', '--json', '--limits', 'development'])
    const { url, controlToken } = await cli.ready()
    const response = await fetch(`${String(url)}/_emulator/limits`, { headers: { authorization: `Bearer ${String(controlToken)}` } })
    expect(await response.json()).toMatchObject({ limits: { link_lobby: { limit: 20, per: 7_200_000 } } })
    await cli.stop('SIGTERM')
    const { code, err } = await run(['start', '--limits', 'none'])
    expect([code, err]).toEqual([2, expect.stringContaining('--limits must be production, development or off')])
  })

  it('says that a state file cannot be used', async () => {
    const { code, err } = await run(['start', '--port', '0', '--state', folder])
    expect([code, lines(err).length]).toEqual([1, 1])
  })
})

describe('foyer-emulator', () => {
  it.each([
    [['start', '--colour', 'red']],
    [['start', '--port', 'many']],
    [['start', '--port', '70000']],
    [['start', 'now']],
    [['begin']],
    [['--json']],
    [['exec']],
    [['exec', '--']],
    [['exec', '--json', '--', 'true']],
  ])('%j is a usage error: one line and status 2', async (args) => {
    const { code, out, err } = await run(args)
    expect([code, out, lines(err).length]).toEqual([2, '', 1])
  })

  it('helps and tells its version', async () => {
    expect(await run(['--help'])).toMatchObject({ code: 0, out: expect.stringContaining('--state FILE'), err: '' })
    expect(await run(['--version'])).toMatchObject({ code: 0, out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/), err: '' })
  })
})

describe('foyer-emulator exec', () => {
  it('gives the command the values in its environment, and stops with it', async () => {
    const names = ['FOYER_URL', 'FOYER_APPLICATION_ID', 'FOYER_BOT_TOKEN', 'FOYER_CLIENT_SECRET', 'FOYER_PUBLIC_KEY', 'FOYER_CONTROL_TOKEN']
    const ask = `fetch(process.env.FOYER_URL + '/api/v10/oauth2/keys').then(({ status }) => console.log(JSON.stringify([status, process.env.FOYER_URL, ...${JSON.stringify(names)}.map((name) => process.env[name] !== undefined)])))`
    const { code, out } = await run(script(ask))
    const [status, url, ...present]: unknown[] = JSON.parse(out)
    expect([code, status, present]).toEqual([0, 200, names.map(() => true)])
    await expect(fetch(String(url))).rejects.toThrow('fetch failed')
  })

  it('ends with the status of the command', async () => {
    expect((await run(script('process.exit(7)'))).code).toBe(7)
  })

  it('hands a signal on to the command, and ends as it ends', async () => {
    const cli = new Cli(script("process.on('SIGTERM', () => process.exit(9)); console.log('up'); setInterval(() => {}, 1000)"))
    await cli.firstOutput()
    expect((await cli.stop('SIGTERM')).code).toBe(9)
    const killed = new Cli(script("console.log('up'); setInterval(() => {}, 1000)"))
    await killed.firstOutput()
    expect((await killed.stop('SIGTERM')).code).toBe(143)
  })

  it('says in one line that a command cannot be started', async () => {
    const { code, err } = await run(['exec', '--', 'no-such-command-here'])
    expect([code, lines(err).length]).toEqual([2, 1])
  })
})
