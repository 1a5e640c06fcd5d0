/** Bodies of the API: every route that takes one refuses what has another shape, and a request that breaks off changes nothing. */
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errorPaths } from './commands/command-client'
import { changeOf, createHostileWorld } from './support/hostile-world'

let world: Awaited<ReturnType<typeof createHostileWorld>>
beforeAll(async () => {
  world = await createHostileWorld()
})
afterAll(() => world.close())

const API = '/api/v10'

/** Routes that take nothing but their path. */
const BARE = [
  'POST /applications/:application/entitlements/:entitlement/consume',
  'POST /lobbies/:lobby/members/:user/invites',
  'POST /lobbies/:lobby/members/@me/invites',
  'PUT /applications/:application/guilds/:guild/commands/permissions',
]

/** Its interaction has been answered: `interaction-responses.test.ts` sends it wrong bodies before. */
const ANSWERED = 'POST /interactions/:id/:token/callback'

interface Route {
  method: string
  path: string
}

/** Every route that may change something, without those of the authorization server and those that are not emulated. */
function routes(): Route[] {
  const found = world.targets.routes
    .filter(({ method, path }) => method !== 'GET' && method !== 'ALL' && path.startsWith(API))
    .map(({ method, path }) => ({ method, path: path.slice(API.length) }))
    .filter(({ path }) => !path.startsWith('/oauth2/'))
  return [...new Map(found.map((route) => [`${route.method} ${route.path}`, route])).values()]
}

/** Addresses of a path, with the ids that the world knows. */
function addressesOf(path: string): string[] {
  const { ids } = world.vocabulary
  const segments = path.split('/').slice(1)
  return segments.reduce<string[]>(
    (starts, segment, index) => {
      const before = segments[index - 1] ?? ''
      const named = [...(ids[before] ?? ['1']), ...(before === 'messages' ? ['@original'] : [])]
      const known = segment.startsWith(':') ? named : [segment]
      return starts.flatMap((start) => known.map((each) => `${start}/${each}`))
    },
    [''],
  )
}

interface Sent extends Route {
  body?: string
  authorization: string
}

async function send({ method, path, body, authorization }: Sent) {
  const response = await fetch(`${world.emulator.url}${API}${path}`, {
    method,
    headers: { authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body }),
  })
  const text = await response.text()
  const answer: unknown = text.startsWith('{') ? JSON.parse(text) : {}
  return { status: response.status, code: Number(Object(answer).code), body: answer }
}

const credentials = () => world.targets.operations[0]?.credentials ?? []
const WRONG = ['7.5', '"a text"', 'true', '[[7]]', '{', '[', 'nonsense']
const isOfBody = (code: number) => code === 50_035 || code === 50_109

/** What became of wrong bodies at an address, for the caller who gets furthest. */
async function verdictOf({ method, path }: Route): Promise<string> {
  const accepted: string[] = []
  let isReached = false
  for (const index of addressesOf(path).keys())
    for (const authorization of credentials())
      for (const body of WRONG) {
        await world.restore()
        const { [index]: address = '' } = addressesOf(path)
        const { status, code } = await send({ method, path: address, body, authorization })
        if (status < 300) accepted.push(body)
        isReached ||= status < 300 || isOfBody(code)
        if (status === 501) return 'not emulated'
        if (!isReached) break
      }
  if (accepted.length > 0) return `accepts ${accepted[0]}`
  return isReached ? 'refuses' : 'not reached'
}

describe('a body', () => {
  it('of another shape is refused at every route that takes one', { timeout: 240_000 }, async () => {
    const verdicts: Record<string, string> = {}
    for (const route of routes().filter(({ method }) => method !== 'DELETE'))
      verdicts[`${route.method} ${route.path}`] = await verdictOf(route)
    const others = Object.entries(verdicts).filter(([name]) => ![...BARE, ANSWERED].includes(name))
    expect(others.filter(([, verdict]) => verdict !== 'refuses' && verdict !== 'not emulated')).toEqual([])
    expect(others.length).toBeGreaterThan(20)
  })

  it('that breaks off deletes nothing', async () => {
    const bare = routes().filter(({ method }) => method === 'DELETE')
    expect(bare.length).toBeGreaterThan(5)
    for (const { path } of bare)
      for (const authorization of credentials()) {
        await world.restore()
        const before = world.state()
        for (const address of addressesOf(path)) await breakOff(address, authorization)
        expect([path, changeOf(before, world.state())]).toEqual([path, undefined])
      }
  })
})

/** Sends a DELETE whose second chunk is none, and waits for the end of the connection. */
function breakOff(path: string, authorization: string): Promise<void> {
  const { host, port, hostname } = new URL(world.emulator.url)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname)
    socket.on('error', () => undefined)
    socket.on('close', () => resolve())
    socket.resume()
    socket.write(
      `DELETE ${API}${path} HTTP/1.1\r\nhost: ${host}\r\nauthorization: ${authorization}\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\nZZ\r\n`,
    )
  })
}

const at = () => `/lobbies/${world.vocabulary.ids['lobbies']?.[0] ?? ''}`
const asPlayer = () => credentials().find((each) => each.startsWith('Bearer')) ?? ''
const asBot = () => credentials().find((each) => each.startsWith('Bot')) ?? ''
const keys = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'v']))
const post = (path: string, body: object, authorization: string) =>
  send({ method: path === '/lobbies' ? 'PUT' : 'POST', path, body: JSON.stringify(body), authorization })

/** What each dictionary of a lobby answers to a number of keys. */
const statusesOf = async (count: number) => [
  (await post(`${at()}/messages`, { content: 'x', metadata: keys(count) }, asPlayer())).status,
  (await post('/lobbies', { secret: 's', lobby_metadata: keys(count) }, asPlayer())).status,
  (await post('/lobbies', { secret: 's', member_metadata: keys(count) }, asPlayer())).status,
  (await post(`${at()}/members/bulk`, [{ id: '1', metadata: keys(count) }], asBot())).code,
]

describe('a message of a lobby', () => {
  it.each([
    ['tts', 'text', '$.tts'],
    ['allowed_mentions', 1.5, '$.allowed_mentions'],
    ['allowed_mentions', { parse: ['all'] }, '$.allowed_mentions.parse[0]'],
    ['components', [null], '$.components[0]'],
    ['components', 'a', '$.components'],
    ['embeds', 'a', '$.embeds'],
    ['embeds', [{ title: 'x', provider: [1] }], '$.embeds[0].provider'],
    ['poll', 1.5, '$.poll'],
    ['attachments', 'a', '$.attachments'],
    ['sticker_ids', ['a'], '$.sticker_ids[0]'],
    ['message_reference', {}, '$.message_reference.message_id'],
    ['shared_client_theme', 7, '$.shared_client_theme'],
    ['enforce_nonce', 'yes', '$.enforce_nonce'],
    ['nonce', 'x'.repeat(26), '$.nonce'],
  ])('with %s %j is refused there', async (name, value, path) => {
    const body = JSON.stringify({ content: 'hello', [name]: value })
    const sent = await send({
      method: 'POST',
      path: `${at()}/messages`,
      body,
      authorization: asPlayer(),
    })
    expect([sent.status, errorPaths(sent.body)]).toEqual([400, [path]])
  })

  it('has 25 keys of metadata, as every dictionary of a lobby', async () => {
    expect(await statusesOf(26)).toEqual([400, 400, 400, 50_035])
    expect(await statusesOf(25)).toEqual([201, 200, 200, 10_013])
  })

  it('keeps what the shape names, and nothing else', async () => {
    const members = [{ id: '1', additional_name: 7 }]
    const authorization = asBot()
    const { body } = await send({
      method: 'POST',
      path: '/lobbies',
      body: JSON.stringify({ members }),
      authorization,
    })
    expect(body).toMatchObject({ members: [{ id: '1', metadata: null, flags: 0 }] })
    expect(Object(body).members[0]).not.toHaveProperty('additional_name')
  })
})
