/** Comparison of the emulator with a running service: another emulator behind a proxy that plants differences. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { createEmulator, type Emulator, EmulatorError } from 'foyer-emulator'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { compareWithService, printComparison, readTarget } from '../../support/emulator-internals'
import { listen } from '../../support/loopback.js'
import { Cli } from '../../emulator/support/run-cli.js'

interface Exchange {
  /** `GET /lobbies/0`: ids are 0. */
  route: string
  sent: string
  status: number
  headers: Record<string, string>
  text: string
}

type Plant = (exchange: Exchange) => Partial<Exchange> | undefined

const folder = mkdtempSync(join(tmpdir(), 'foyer-drift-'))
const envFile = join(folder, 'service.env')
let service: Emulator
let stop: (() => Promise<void>)[] = []

beforeEach(async () => {
  service = await createEmulator({ limits: 'off', seed: { application: { id: '777000777' } } })
  stop = [() => service.close()]
  writeEnv()
})
afterEach(async () => {
  for (const close of stop.toReversed()) await close()
})
afterAll(() => rmSync(folder, { recursive: true }))

/** A value may be absent: `undefined`. */
function writeEnv(changes: Record<string, string | undefined> = {}): void {
  const { id, botToken, clientSecret } = service.application
  const values = {
    FOYER_APPLICATION_ID: id,
    FOYER_BOT_TOKEN: botToken,
    FOYER_CLIENT_SECRET: clientSecret,
    ...changes,
  }
  writeFileSync(
    envFile,
    Object.entries(values)
      .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}\n`]))
      .join(''),
  )
}

/** The service, with other responses. */
async function serveWith(...plants: Plant[]): Promise<string> {
  const server = createServer((incoming, outgoing) => void answer(incoming, outgoing, plants))
  const { port, close } = await listen(server)
  stop.push(close)
  return `http://127.0.0.1:${port}`
}

async function answer(incoming: IncomingMessage, outgoing: ServerResponse, plants: Plant[]): Promise<void> {
  const { method = '', url = '' } = incoming
  const { host: _, connection: __, 'content-length': ___, ...headers } = incoming.headers
  const sent = (await buffer(incoming)).toString()
  const init = { method, headers: headers as Record<string, string>, ...(sent === '' ? {} : { body: sent }) }
  const response = await fetch(service.url + url, init)
  const route = `${method} ${url.replace('/api/v10', '').replaceAll(/\/\d+/g, '/0')}`
  const kept = Object.fromEntries(
    [...response.headers].filter(([name]) => !/length|encoding|connection|keep-alive/.test(name)),
  )
  const exchange: Exchange = {
    route,
    sent,
    status: response.status,
    headers: kept,
    text: await response.text(),
  }
  for (const plant of plants) Object.assign(exchange, plant({ ...exchange }))
  // Status 0: no response at all.
  if (exchange.status === 0) return void outgoing.destroy()
  outgoing.writeHead(exchange.status, exchange.headers).end(exchange.text)
}

const changed = (text: string, change: (body: Record<string, unknown>) => object) =>
  JSON.stringify(change(JSON.parse(text) as Record<string, unknown>))

/** Differences, each with what must be found. */
const PLANTED: readonly [finding: string, plant: Plant][] = [
  [
    'header_differs may a page read its player access-control-allow-headers',
    ({ route, headers }) =>
      route === 'OPTIONS /users/@me'
        ? { headers: { ...headers, 'access-control-allow-headers': 'authorization, user-agent' } }
        : undefined,
  ],
  [
    'header_differs may a page join a lobby access-control-allow-methods',
    ({ route, headers }) =>
      route === 'OPTIONS /lobbies'
        ? { headers: { ...headers, 'access-control-allow-methods': 'GET, POST' } }
        : undefined,
  ],
  [
    'type_differs reads the signing keys keys',
    ({ route }) => (route === 'GET /oauth2/keys' ? { text: '{"keys":{}}' } : undefined),
  ],
  [
    'status_differs reads its user without a token',
    ({ route, status }) => (route === 'GET /users/@me' && status === 401 ? { status: 403 } : undefined),
  ],
  [
    'field_absent reads its application flags',
    ({ route, text }) =>
      route === 'GET /oauth2/applications/@me'
        ? { text: changed(text, (body) => ({ ...body, flags: undefined })) }
        : undefined,
  ],
  [
    'status_differs reads its commands',
    ({ route }) => (route === 'GET /applications/0/commands' ? { status: 206 } : undefined),
  ],
  [
    'error_differs creates a command without a name errors.name._errors.0.code',
    ({ route, text }) =>
      route === 'POST /applications/0/commands'
        ? { text: text.replace('_REQUIRED"', '_NEEDED"') }
        : undefined,
  ],
  [
    'error_differs sends an empty body as JSON code',
    ({ route, text }) =>
      route === 'DELETE /applications/0/commands/0'
        ? { text: changed(text, (body) => ({ ...body, code: 50_035 })) }
        : undefined,
  ],
  [
    'field_unknown creates a lobby region',
    ({ route, status, text }) =>
      route === 'POST /lobbies' && status === 201
        ? { text: changed(text, (body) => ({ ...body, region: 'moon' })) }
        : undefined,
  ],
  [
    'type_differs changes the lobby metadata.drift',
    ({ route, text }) =>
      route === 'PATCH /lobbies/0'
        ? { text: changed(text, (body) => ({ ...body, metadata: { drift: 2 } })) }
        : undefined,
  ],
  [
    'error_differs refreshes with a wrong token error',
    ({ route }) => (route === 'POST /oauth2/token' ? { text: '{"error":"no"}' } : undefined),
  ],
]

async function compare(url: string, decisions?: Record<string, string>) {
  const comparison = await compareWithService(readTarget({ against: url, envFile }), decisions)
  const found = comparison.differences.map(({ kind, operation, at }) => `${kind} ${operation} ${at}`.trim())
  return { ...comparison, found, printed: printComparison(comparison) }
}

const runCli = (url: string, ...more: string[]) =>
  new Cli(['drift', '--against', url, '--env-file', envFile, ...more]).ended

/** Lobbies that a run left at the service. */
const lobbiesLeft = () => JSON.stringify(service.snapshot()).match(/"drift"/g) ?? []

describe('a comparison with a running service', () => {
  it('of the same behavior finds nothing, and leaves nothing behind', async () => {
    const { code, out, err } = await runCli(service.url)
    expect([code, out, err]).toEqual([0, '20 steps: 0 differences, 0 accepted, 0 not compared.\n', ''])
    const changes = service.requests.filter(
      ({ method, status }) => !['GET', 'OPTIONS'].includes(method) && status < 300,
    )
    expect(changes.map(({ method }) => method)).toEqual(['POST', 'PATCH', 'DELETE'])
    expect(lobbiesLeft()).toEqual([])
  })

  it('finds each planted difference, and nothing else', async () => {
    const { found, skipped } = await compare(await serveWith(...PLANTED.map(([, plant]) => plant)))
    expect(found.toSorted()).toEqual(PLANTED.map(([finding]) => finding).toSorted())
    expect(skipped).toEqual([])
  })

  it('accepts the differences that have a decision', async () => {
    const planted = PLANTED.filter(([finding]) => /^field_unknown|metadata/.test(finding)).map(
      ([, plant]) => plant,
    )
    const decisions = {
      'field_unknown creates a lobby *': 'not needed',
      'type_differs * metadata.*': 'a decision',
    }
    const { differences, printed } = await compare(await serveWith(...planted), decisions)
    expect(differences.map(({ accepted }) => accepted)).toEqual(['not needed', 'a decision'])
    expect(printed).toContain('20 steps: 0 differences, 2 accepted, 0 not compared.')
  })

  it('prints no secret that the service repeats in names, values and errors', async () => {
    const { botToken, clientSecret } = service.application
    const url = await serveWith(({ route, text, sent }) => {
      if (route === 'GET /oauth2/applications/@me')
        return { text: changed(text, (body) => ({ ...body, [`\u001B[31m${botToken}`]: 1 })) }
      if (route === 'POST /oauth2/token')
        return { text: JSON.stringify({ error: `${'a'.repeat(40)}${clientSecret} in ${sent}` }) }
      return route === 'GET /oauth2/keys' ? { text: botToken } : undefined
    })
    const [text, json] = [await runCli(url), await runCli(url, '--json')]
    expect([text.code, json.code]).toEqual([1, 1])
    expect(JSON.parse(json.out)).toMatchObject({ steps: 20, differences: [{}, {}, {}] })
    expect(text.out).toContain('reads its application: ?[31m***: only the service sends it')
    for (const printed of [text.out, text.err, json.out, json.err])
      for (const secret of [botToken, clientSecret]) expect(printed).not.toContain(secret.slice(0, 16))
  })

  it('sends nothing to where a service redirects', async () => {
    const elsewhere: string[] = []
    const thief = createServer((incoming, outgoing) => {
      elsewhere.push(incoming.url ?? '')
      outgoing.end()
    })
    const { port, close } = await listen(thief)
    stop.push(close)
    const url = await serveWith(() => ({
      status: 307,
      headers: { location: `http://127.0.0.1:${port}/` },
      text: '',
    }))
    const { found } = await compare(url)
    expect([elsewhere, found[0]]).toEqual([[], 'status_differs may a page read its player'])
  })

  it('deletes the lobby of a service that is silent for a moment', async () => {
    const { skipped } = await compare(
      await serveWith(({ route }) => (route === 'PATCH /lobbies/0' ? { status: 0 } : undefined)),
    )
    expect(skipped[0]).toEqual({
      step: 'changes the lobby',
      reason: 'the service: no response (UND_ERR_SOCKET)',
    })
    expect(lobbiesLeft()).toEqual([])
  })

  it('says what it could not compare, since too many requests were sent', async () => {
    const url = await serveWith(({ route }) =>
      route === 'POST /lobbies' ? { status: 429, text: '{"retry_after":1}' } : undefined,
    )
    const { found, skipped } = await compare(url)
    const withoutLobby = [
      'reads the lobby',
      'changes the lobby',
      'deletes the lobby',
      'reads the deleted lobby',
    ]
    expect(found).toEqual([])
    expect(skipped.map(({ step }) => step)).toEqual([
      'creates a lobby with a number as its metadata',
      'creates a lobby',
      ...withoutLobby,
    ])
  })

  it('takes the root of an API at another path', async () => {
    const { found } = await compare(`${service.url}/api/v10/`)
    expect(found).toEqual([])
    const other = await compare(`${service.url}/game/v1`)
    expect(other.found[0]).toMatch(/^status_differs|^error_differs/)
    expect(service.requests.at(-1)?.path).toContain('/game/v1/nothing-here')
  })

  it('with a service that does not respond ends at once, with the code of the network error', async () => {
    const { port, close } = await listen(createServer())
    await close()
    const { code, out } = await runCli(`http://127.0.0.1:${port}`)
    expect(out.match(/the service: no response \(ECONNREFUSED\)/g)).toHaveLength(20)
    expect([code, out.split('\n').at(-2)]).toEqual([
      1,
      '20 steps: 0 differences, 0 accepted, 20 not compared.',
    ])
  })
})

function errorOf(act: () => unknown): EmulatorError {
  try {
    act()
  } catch (error) {
    if (error instanceof EmulatorError) return error
  }
  throw new Error('no EmulatorError was thrown')
}

describe('a comparison is refused', () => {
  it.each([
    ['http://service.example', 'must be an https: URL'],
    ['ftp://127.0.0.1', 'must be an https: URL'],
    ['service.example', 'must be an https: URL'],
    ['https://me:secret-of-mine@service.example', 'must not contain credentials'],
    ['https://service.example/api?token=secret-of-mine', 'must have no query'],
  ])('for the address %s, without repeating it', (against, reason) => {
    const error = errorOf(() => readTarget({ against, envFile }))
    expect([error.code, error.message]).toEqual(['bad_request', expect.stringContaining(reason)])
    expect(error.message).not.toContain('secret-of-mine')
  })

  it.each([
    ['FOYER_APPLICATION_ID', undefined],
    ['FOYER_APPLICATION_ID', 'secret-of-mine'],
    ['FOYER_BOT_TOKEN', undefined],
    ['FOYER_BOT_TOKEN', '"Bot secret-of-mine"'],
    ['FOYER_CLIENT_SECRET', '"secret of mine"'],
  ])('for %s %s in the env file, which the error names without its value', (name, value) => {
    writeEnv({ [name]: value })
    const error = errorOf(() => readTarget({ against: service.url, envFile }))
    expect([error.code, error.message]).toEqual(['env_file_unusable', expect.stringContaining(name)])
    expect(error.message).not.toMatch(/secret.of.mine/)
  })

  it.each([
    [['--against', 'https://service.example'], '--credentials'],
    [['--against', 'https://service.example', '--openapi', 'file.json', '--env-file', 'a.env'], 'not both'],
    [[], '--against URL --credentials FILE'],
  ])('for the arguments %j, as a wrong usage', async (args, reason) => {
    const { code, err } = await new Cli(['drift', ...args]).ended
    expect([code, err]).toEqual([2, expect.stringContaining(reason)])
  })
})
