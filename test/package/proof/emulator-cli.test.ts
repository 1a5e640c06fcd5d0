/** The command line, run in real processes. */
import { spawnSync } from 'node:child_process'
import { createServer } from 'node:http'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { networkInterfaces } from 'node:os'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { Cli } from '../../emulator/support/run-cli.js'

const folder = mkdtempSync(join(tmpdir(), 'foyer-cli-'))
afterAll(() => rmSync(folder, { recursive: true }))

function run(args: string[], env: Record<string, string> = {}) {
  return new Cli(args, { cwd: folder, env }).ended
}

const script = (code: string) => ['exec', '--', process.execPath, '-e', code]
const lines = (text: string) => text.trimEnd().split('\n')

describe('foyer-emulator start', () => {
  it('prints one line of JSON when it is ready', async () => {
    const cli = new Cli(['start', '--port', '0', '--json'])
    const values = await cli.ready()
    expect(Object.keys(values)).toEqual([
      'url',
      'applicationId',
      'botToken',
      'clientSecret',
      'publicKey',
      'controlToken',
      'users',
    ])
    expect(values['publicKey']).toMatch(/^[0-9a-f]{64}$/)
    for (const name of ['botToken', 'clientSecret', 'controlToken']) expect(values[name]).toMatch(/^emu_/)
    const headers = { authorization: `Bearer ${String(values['controlToken'])}` }
    expect((await fetch(`${String(values['url'])}/_emulator/requests`, { headers })).status).toBe(200)
    const { code, out, err } = await cli.stop('SIGINT')
    expect([code, lines(out).length, err]).toEqual([0, 1, ''])
  })

  it.each([
    [['start', '--port', '0', '--local-program', 'Ada Quinn'], 1, '(did you mean ada?)'],
    [['start', '-p', '0'], 2, '(did you mean --port?)'],
    [['start', '4320'], 2, '; a port is --port 4320'],
    [['start', 'seed.json'], 2, '; a seed is --seed seed.json'],
    [['serve'], 2, '(did you mean start?): foyer-emulator start --port 4320'],
    [['start', '--seed', '--port', '0'], 2, '--seed needs a value after it'],
    [['start', '--port'], 2, '--port needs a value after it'],
  ])('ends after a wrong command line, and says what to write: %j', async (args, code, says) => {
    const ended = await run(args)
    expect([ended.code, ended.err]).toEqual([code, expect.stringContaining(says)])
  })

  it('prints a banner, without colors if NO_COLOR is set', async () => {
    const cli = new Cli(['start', '--port', '0'], { env: { NO_COLOR: '1' } })
    const banner = await cli.firstOutput()
    expect(banner).toContain('http://127.0.0.1:')
    expect(banner).toContain('Ctrl-C')
    expect(banner).not.toContain('\u001B[')
    await cli.stop('SIGTERM')
  })

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'exits with 0 on %s, frees its port and leaves no file',
    async (signal) => {
      const cli = new Cli(['start', '--port', '0', '--json', '--quiet'], {
        cwd: folder,
        env: { TMPDIR: folder },
      })
      const { url } = await cli.ready()
      // An open keep-alive connection must not delay the exit.
      await (await fetch(`${String(url)}/api/v10/oauth2/keys`)).text()
      const { code, err } = await cli.stop(signal)
      expect([code, err]).toEqual([0, ''])
      expect(readdirSync(folder)).toEqual([])
      await expect(fetch(String(url))).rejects.toThrow('fetch failed')
    },
  )

  it('reports a busy port in one line and fails', async () => {
    const first = new Cli(['start', '--port', '0', '--json'])
    const { port } = new URL(String((await first.ready())['url']))
    const second = await run(['start', '--port', port, '--json'])
    expect([second.code, second.out, lines(second.err).length]).toEqual([1, '', 1])
    expect(second.err).toContain(port)
    await first.stop('SIGTERM')
  })

  it('reads a seed file and reports errors in it', async () => {
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

  it('applies the given rate limits', async () => {
    const cli = new Cli(['start', '--port', '0', '--json', '--limits', 'development'])
    const { url, controlToken } = await cli.ready()
    const response = await fetch(`${String(url)}/_emulator/limits`, {
      headers: { authorization: `Bearer ${String(controlToken)}` },
    })
    expect(await response.json()).toMatchObject({ limits: { link_lobby: { limit: 20, per: 7_200_000 } } })
    await cli.stop('SIGTERM')
    const { code, err } = await run(['start', '--limits', 'none'])
    expect([code, err]).toEqual([
      2,
      expect.stringContaining('--limits must be production, development or off'),
    ])
  })

  it('reports an unusable state file', async () => {
    const { code, err } = await run(['start', '--port', '0', '--state', folder])
    expect([code, lines(err).length]).toEqual([1, 1])
  })
})

describe('foyer-emulator start in a terminal', () => {
  it('prints each request of a game with the violated rule to stderr, and one line of JSON to stdout', async () => {
    const cli = new Cli(['start', '--port', '0', '--json'])
    const { url, controlToken } = await cli.ready()
    const headers = { authorization: 'Bot nobody' }
    await fetch(`${String(url)}/api/v10/oauth2/keys?secret=1`)
    await fetch(`${String(url)}/chat`)
    await fetch(`${String(url)}/avatars/nobody.png`)
    await fetch(`${String(url)}/api/v10/oauth2/applications/@me`, { headers })
    await fetch(`${String(url)}/_emulator/requests`, {
      headers: { authorization: `Bearer ${String(controlToken)}` },
    })
    const { out, err } = await cli.stop('SIGTERM')
    expect(lines(out)).toHaveLength(1)
    expect(lines(err)).toEqual([
      expect.stringMatching(/^\d\d:\d\d:\d\d {2}200 {2}GET {5}\/api\/v10\/oauth2\/keys {2}\d+ ms$/),
      expect.stringMatching(/404 {2}GET {5}\/avatars\/nobody.png {2}\d+ ms/),
      expect.stringMatching(
        /401 {2}GET {5}\/api\/v10\/oauth2\/applications\/@me {2}\d+ ms {2}the bot token is not the one/,
      ),
    ])
  })

  it('prints no requests with --quiet', async () => {
    const cli = new Cli(['start', '--port', '0', '--quiet'])
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(await cli.firstOutput())?.[0]
    await fetch(`${url}/api/v10/oauth2/keys`)
    expect((await cli.stop('SIGTERM')).err).toBe('')
  })

  it('reports a busy port of the host page and still serves the Activity', async () => {
    const portHolder = createServer()
    await new Promise<void>((resolve) => portHolder.listen(0, '127.0.0.1', resolve))
    const address = portHolder.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const cli = new Cli([
      'start',
      '--port',
      '0',
      '--json',
      '--activity-url',
      'http://localhost:9/',
      '--activity-port',
      String(port),
    ])
    const { url, controlToken } = await cli.ready()
    const headers = { authorization: `Bearer ${String(controlToken)}` }
    const { url: page } = (await (await fetch(`${String(url)}/_emulator/activity`, { headers })).json()) as {
      url: string
    }
    expect((await fetch(page)).status).toBe(200)
    const { err } = await cli.stop('SIGTERM')
    expect(err).toContain(`Port ${port} is busy: the Activity's host page is at ${page} instead`)
    portHolder.close()
  })
})

async function beginWith(file: string, option = '--credentials'): Promise<Record<string, unknown>> {
  const cli = new Cli(['start', '--port', '0', '--json', option, file])
  const values = await cli.ready()
  await cli.stop('SIGKILL')
  return values
}

describe('foyer-emulator start --credentials', () => {
  const secrets = ['botToken', 'clientSecret', 'controlToken', 'publicKey', 'applicationId']
  const pick = (values: Record<string, unknown>) => secrets.map((name) => values[name])

  it('keeps the secrets across restarts in a file that only its owner can read', async () => {
    const file = join(folder, '.env.emulator')
    const first = await beginWith(file)
    expect(statSync(file).mode & 0o077).toBe(0)
    const second = await beginWith(file)
    expect(pick(second)).toEqual(pick(first))
    expect(readFileSync(file, 'utf8')).toContain(`FOYER_HOST=${String(second['url'])}\n`)
    rmSync(file)
  })

  it('is the same as --env-file, and only one of the two is taken', async () => {
    const file = join(folder, '.env.first')
    const first = await beginWith(file)
    expect(pick(await beginWith(file, '--env-file'))).toEqual(pick(first))
    const { code, err } = await run(['start', '--credentials', file, '--env-file', file])
    expect([code, err]).toEqual([2, expect.stringContaining('pass one of them')])
    rmSync(file)
  })

  it('is passed on by the Node of npx, which searches the whole command line for options of its own', () => {
    const file = join(folder, '.env.new')
    const args = ['-e', 'console.log(process.argv.length)', 'foyer-emulator', 'start', '--credentials', file]
    const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    expect([status, stdout]).toEqual([0, '5\n'])
  })

  it('keeps the other lines of the file and uses its values', async () => {
    const file = join(folder, '.env')
    writeFileSync(file, '# my game\nPORT=3000\nFOYER_CLIENT_SECRET=my-own-secret\n')
    const { clientSecret, botToken } = await beginWith(file)
    expect(clientSecret).toBe('my-own-secret')
    const text = readFileSync(file, 'utf8')
    expect(text).toMatch(/^# my game\nPORT=3000\n/)
    expect(text.match(/FOYER_CLIENT_SECRET=/g)).toHaveLength(1)
    expect(text).toContain(`FOYER_BOT_TOKEN=${String(botToken)}`)
    rmSync(file)
  })

  it.each([
    ['a secret with a space', 'FOYER_BOT_TOKEN="a b c d e f"\n', 'FOYER_BOT_TOKEN in the env file'],
    ['an invalid key', 'FOYER_EMULATOR_INTERACTION_KEY=abc\n', 'is no Ed25519 key'],
  ])('rejects %s in one line', async (_case, text, expectedText) => {
    const file = join(folder, '.env.bad')
    writeFileSync(file, text)
    const { code, out, err } = await run(['start', '--port', '0', '--json', '--credentials', file])
    expect([code, out, lines(err).length]).toEqual([1, '', 1])
    expect(err).toContain(expectedText)
    rmSync(file)
  })
})

describe('foyer-emulator start --host', () => {
  const address = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ internal, family }) => !internal && family === 'IPv4')?.address

  it('serves other devices at the given address with a warning, and the control plane at loopback only', async () => {
    // 127.0.0.2 represents another address of this machine where there is no network.
    const host = address ?? '127.0.0.2'
    const cli = new Cli(['start', '--port', '0', '--json', '--host', host])
    const { url, controlToken } = await cli.ready()
    const { port } = new URL(String(url))
    const page = (at: string, headers: Record<string, string> = {}) =>
      fetch(`http://${at}:${port}/activate`, { headers })
    expect([(await page(host)).status, (await page('127.0.0.1')).status]).toEqual([200, 200])
    const headers = { authorization: `Bearer ${String(controlToken)}` }
    expect((await fetch(`http://${host}:${port}/_emulator/clock`, { headers })).status).toBe(403)
    expect((await fetch(`http://127.0.0.1:${port}/_emulator/clock`, { headers })).status).toBe(200)
    const { err } = await cli.stop('SIGTERM')
    expect(err).toContain('Everybody in this network can sign in here as any player')
  })

  it('lists every address of the machine in its banner, and serves no other host name', async () => {
    const cli = new Cli(['start', '--port', '0', '--host', '0.0.0.0'], { env: { NO_COLOR: '1' } })
    const banner = await cli.firstOutput()
    const port = /127\.0\.0\.1:(\d+)/.exec(banner)?.[1]
    expect(banner.includes('Everybody in this network')).toBe(address !== undefined)
    expect(banner).toContain(address === undefined ? 'http://127.0.0.1:' : `http://${address}:${port}`)
    expect((await fetch(`http://127.0.0.1:${port}/activate`)).status).toBe(200)
    expect((await fetch(`http://127.0.0.2:${port}/activate`)).status).toBe(403)
    await cli.stop('SIGTERM')
  })

  it('rejects an address of another machine, and an address with a port', async () => {
    expect(await run(['start', '--port', '0', '--host', '192.0.2.1'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('is no address of this machine'),
    })
    expect(await run(['start', '--host', 'http://192.0.2.1:4320'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('--host'),
    })
  })
})

describe('foyer-emulator', () => {
  it.each([
    [['start', '--colour', 'red']],
    [['start', '--port', 'many']],
    [['start', '--port', '70000']],
    [['start', '--interactions-url', 'http://127.0.0.1:0/interactions']],
    [['start', 'now']],
    [['begin']],
    [['--json']],
    [['exec']],
    [['exec', '--']],
    [['exec', '--json', '--', 'true']],
    [['start', '--activity-mapping', '/api=8080']],
    [['start', '--activity-url', 'http://localhost:9/', '--activity-mapping', 'api=8080']],
    [['start', '--activity-url', 'http://localhost:9/', '--activity-mapping', '/api=ftp://host']],
  ])('%j is a usage error: one line and status 2', async (args) => {
    const { code, out, err } = await run(args)
    expect([code, out, lines(err).length]).toEqual([2, '', 1])
  })

  it('answers every misspelt option with the one that was meant', async () => {
    const { out } = await run(['--help'])
    const names = [...new Set(out.match(/(?<=--)[a-z]+(?:-[a-z]+)*/g))].filter((name) => name.length > 3)
    expect(names.length).toBeGreaterThan(20)
    const answers = names.map(async (name) => {
      const misspelt = name.slice(0, -2) + name.at(-1) + name.at(-2)
      return [name, (await run(['start', `--${misspelt}`, 'x'])).err]
    })
    for (const [name, err] of await Promise.all(answers)) expect(err).toContain(`(did you mean --${name}?)`)
  })

  it.each([
    [['strat'], 'unknown command "strat" (did you mean start?): there are start, exec, check'],
    [['start', '--openapi', 'x.json'], '--openapi is an option of drift. start does not take it'],
    [['sync', 'x.json', '--port', '1'], '--port is an option of start, exec. sync does not take it'],
    [['exec', 'node', '--watch', 'a.js'], "Unknown option '--watch'; write the command after --"],
    [['--port', '4320'], 'a command is missing, such as start: foyer-emulator start --port 4320'],
  ])('%j says what to write', async (args, says) => {
    expect((await run(args)).err).toContain(says)
  })

  it('names the variables that are called otherwise here', async () => {
    const env = { BOT_TOKEN: 'x', PUBLIC_KEY: 'y', FOYER_CLIENT_SECRET: 'z', CLIENT_SECRET: 'z' }
    const { err } = await run(script(''), env)
    expect(err).toContain("BOT_TOKEN is set, and is not the emulator's: the command gets FOYER_BOT_TOKEN")
    expect(err).toContain('the command gets FOYER_PUBLIC_KEY')
    expect(err).not.toContain('FOYER_CLIENT_SECRET')
    const file = join(folder, '.env.former')
    writeFileSync(file, 'PUBLIC_KEY=00\nAPPLICATION_ID=1\n')
    const started = await run(['exec', '--env-file', file, '--', process.execPath, '-e', ''])
    expect(started.err).toContain(`PUBLIC_KEY in ${file} is not read: call it FOYER_PUBLIC_KEY`)
    expect(started.err).toContain(`APPLICATION_ID in ${file} is not read: call it FOYER_APPLICATION_ID`)
    rmSync(file)
  })

  it('is started so that Node does not parse its options', () => {
    const [first] = readFileSync(
      new URL('../../../emulator/bin/foyer-emulator.js', import.meta.url),
      'utf8',
    ).split('\n')
    expect(first).toBe('#!/usr/bin/env -S node --')
  })

  it('says in a checkout without a build that it needs one', () => {
    const checkout = join(folder, 'checkout')
    cpSync(new URL('../../../emulator/bin', import.meta.url), join(checkout, 'bin'), { recursive: true })
    writeFileSync(join(checkout, 'package.json'), '{ "type": "module" }')
    const { status, stderr } = spawnSync(
      process.execPath,
      [join(checkout, 'bin/foyer-emulator.js'), 'start'],
      { encoding: 'utf8' },
    )
    expect([status, stderr]).toEqual([1, expect.stringContaining('npm run build:emulator')])
    rmSync(checkout, { recursive: true })
  })

  it('prints its help and its version', async () => {
    expect(await run(['--help'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('--state FILE'),
      err: '',
    })
    expect(await run(['--version'])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
      err: '',
    })
  })
})

/** A backend on PORT. A player uses a command; prints the port and the path of the first request. */
const BACKEND = `
const { PORT, FOYER_HOST, FOYER_APPLICATION_ID, FOYER_BOT_TOKEN, FOYER_CONTROL_TOKEN } = process.env
const post = async (path, authorization, body) => {
  const headers = { authorization, 'content-type': 'application/json' }
  const response = await fetch(FOYER_HOST + path, { method: 'POST', headers, body: JSON.stringify(body) })
  return response.text()
}
const backend = require('node:http').createServer(({ url }, response) => {
  console.log(JSON.stringify([PORT, url]))
  response.writeHead(401).end(() => process.exit())
})
backend.listen(PORT, '127.0.0.1', async () => {
  const command = { name: 'greet', description: 'Greets' }
  await post('/api/v10/applications/' + FOYER_APPLICATION_ID + '/guilds/319560327719026709/commands', 'Bot ' + FOYER_BOT_TOKEN, command)
  console.log(await post('/_emulator/interactions/use', 'Bearer ' + FOYER_CONTROL_TOKEN, { as: 'ada', command: 'greet' }))
  process.exit()
})`

/** Runs in a shell, prints its id, and stays. */
const inShell = (code: string) =>
  `"$NODE" -e 'console.log(process.pid); ${code}; setInterval(() => {}, 1000)'`

describe('foyer-emulator exec', () => {
  it('passes the values to the command in its environment and stops with it', async () => {
    const names = [
      'FOYER_HOST',
      'FOYER_APPLICATION_ID',
      'FOYER_BOT_TOKEN',
      'FOYER_CLIENT_SECRET',
      'FOYER_PUBLIC_KEY',
      'FOYER_CONTROL_TOKEN',
    ]
    const ask = `fetch(process.env.FOYER_HOST + '/api/v10/oauth2/keys').then(({ status }) => console.log(JSON.stringify([status, process.env.FOYER_HOST, ...${JSON.stringify(names)}.map((name) => process.env[name] !== undefined)])))`
    const { code, out } = await run(script(ask))
    const [status, url, ...present]: unknown[] = JSON.parse(out)
    expect([code, status, present]).toEqual([0, 200, names.map(() => true)])
    await expect(fetch(String(url))).rejects.toThrow('fetch failed')
  })

  it('chooses a free port for the backend, at which interactions arrive', async () => {
    const { out } = await run([
      'exec',
      '--interactions-url',
      'http://127.0.0.1:0/interactions',
      ...script(BACKEND).slice(1),
    ])
    const [port, path] = JSON.parse(out) as [string, string]
    expect(port).toMatch(/^[1-9]\d+$/)
    expect(path).toBe('/interactions')
  })

  it('exits with the status of the command', async () => {
    expect((await run(script('process.exit(7)'))).code).toBe(7)
  })

  it('forwards a signal to the command and exits the same way', async () => {
    const cli = new Cli(
      script("process.on('SIGTERM', () => process.exit(9)); console.log('up'); setInterval(() => {}, 1000)"),
    )
    await cli.firstOutput()
    expect((await cli.stop('SIGTERM')).code).toBe(9)
    const killed = new Cli(script("console.log('up'); setInterval(() => {}, 1000)"))
    await killed.firstOutput()
    expect((await killed.stop('SIGTERM')).code).toBe(143)
  })

  it('ends a command that ignores SIGTERM', async () => {
    const cli = new Cli(
      script("process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log('running')"),
      { cwd: folder },
    )
    await cli.firstOutput()
    expect((await cli.stop('SIGTERM')).code).toBe(137)
  })

  it.each(['SIGTERM', 'SIGHUP'] as const)(
    'ends on %s what the command started, also what ignores it',
    async (signal) => {
      // A shell ends at once, without the two below it.
      const both = `${inShell('')} & ${inShell(`process.on("${signal}", () => {})`)} & wait`
      const cli = new Cli(['exec', '--', 'sh', '-c', both], { env: { NODE: process.execPath } })
      await expect.poll(() => cli.output.trim().split('\n').length).toBe(2)
      await cli.stop(signal)
      // The machine may forget an ended process a little later.
      await expect.poll(() => lines(cli.output).filter((id) => existsSync(`/proc/${id}`))).toEqual([])
    },
  )

  it('prints the address of the Activity, where a mapped path reaches its port', async () => {
    const game = createServer(({ url }, response) => response.end(url))
    await new Promise<void>((resolve) => game.listen(0, '127.0.0.1', resolve))
    const address = game.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const cli = new Cli([
      'exec',
      '--activity-url=http://127.0.0.1:9/',
      '--activity-port=0',
      `--activity-mapping=/api=http://127.0.0.1:${port}/v1`,
      ...script("console.log('up'); setInterval(() => {}, 1000)").slice(1),
    ])
    await cli.firstOutput()
    const fetched = async (path: string) => {
      const page = /Activity (http:\S+)/.exec(cli.errors)?.[1]
      return (await fetch(new URL(path, page))).text()
    }
    expect([await fetched('/api/scores'), await fetched('/.proxy/api/scores')]).toEqual([
      '/v1/scores',
      '/v1/scores',
    ])
    await cli.stop('SIGTERM')
    game.close()
  })

  it('reports in one line that a command cannot be started', async () => {
    const { code, err } = await run(['exec', '--', 'no-such-command-here'])
    expect([code, lines(err).filter((line) => !/(Inspector|Chat) http/.test(line)).length]).toEqual([2, 1])
  })

  it('prints where its pages are, on stderr, and they open', async () => {
    const ask =
      "fetch(process.env.FOYER_HOST + '/inspector').then(({ status }) => console.log(process.env.FOYER_HOST, status))"
    const { out, err } = await run(script(ask))
    const [url, status] = out.trim().split(' ')
    expect(status).toBe('200')
    expect(lines(err)).toEqual([
      expect.stringMatching(new RegExp(`^foyer-emulator: Inspector ${url}/inspector#.+`)),
      `foyer-emulator: Chat ${url}/chat`,
    ])
  })
})

const compare = async (operations: object, ...more: string[]) => {
  const file = join(folder, 'openapi.json')
  writeFileSync(file, JSON.stringify({ openapi: '3.1.0', paths: operations }))
  return run(['drift', '--openapi', file, '--json', ...more])
}

describe('foyer-emulator drift', () => {
  const served = {
    '/oauth2/keys': { get: { responses: { 200: { description: 'keys' }, '4XX': { description: 'no' } } } },
  }
  const missing = { '/nowhere': { get: { responses: { 200: { description: 'nothing' } } } } }

  it('exits with 1 for a difference, and with 0 for one that a decision accepts', async () => {
    const { code, out, err } = await compare(missing)
    expect([code, lines(err)]).toEqual([1, ['1/1 GET /nowhere']])
    expect(JSON.parse(out)).toMatchObject({
      operations: 1,
      drifts: [{ kind: 'operation_not_served', operation: 'GET /nowhere', basis: 'absent' }],
    })
    const decisions = join(folder, 'accepted.json')
    writeFileSync(decisions, JSON.stringify({ 'operation_not_served GET /no*': 'not needed' }))
    const accepted = await compare(missing, '--accept', decisions)
    expect([accepted.code, JSON.parse(accepted.out)]).toMatchObject([
      0,
      { drifts: [{ accepted: 'not needed' }] },
    ])
  })

  it('exits with 1 for a file that is no document, and with 2 without one', async () => {
    expect(await run(['drift', '--openapi', join(folder, 'none.json')])).toMatchObject({
      code: 1,
      err: expect.stringContaining('cannot be read') as string,
    })
    expect((await run(['drift'])).code).toBe(2)
    expect((await compare(served, '--accept', join(folder, 'none.json'))).code).toBe(1)
  })
})
