/** Lobbies of a backend over real HTTP: create, read, edit, delete, members and metadata. */
import { Pool } from 'undici'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  ApplicationClient,
  clientCredentials,
  MemoryRateLimitStores,
  undiciTransport,
  ValidationError,
} from 'foyer-sdk/server'
import { LobbyService } from './fake-lobby-service'

let service: LobbyService
let pool: Pool
let client: ApplicationClient

beforeEach(async () => {
  service = await new LobbyService().open()
  pool = new Pool(service.url, { connections: 8 })
  client = service.client({
    transport: undiciTransport(pool),
    rateLimitStore: new MemoryRateLimitStores().store(),
  })
})
afterEach(async () => {
  client.close()
  await pool.destroy()
  await service.close()
})

const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  )

describe.each(['fetch', 'undici'])('a lobby, by %s', (transport) => {
  beforeEach(() => {
    if (transport === 'fetch') client = service.client()
  })

  test('is created, read, edited and deleted', async () => {
    const { id, ...made } = await client.lobbies.create({
      metadata: { mode: 'ränked 🎲' },
      idle_timeout_seconds: 600,
    })
    expect(made).toMatchObject({ metadata: { mode: 'ränked 🎲' }, members: [] })
    expect((await client.lobbies.get(id)).id).toBe(id)
    expect((await client.lobbies.edit(id, { metadata: null })).metadata).toBeNull()
    await client.lobbies.delete(id)
    await client.lobbies.delete(id)
    expect(await rejection(client.lobbies.get(id))).toMatchObject({
      name: 'ApiError',
      code: 'unknown_lobby',
      apiCode: 10_031,
      status: 404,
    })
    expect(service.calls).toEqual([
      'POST /lobbies',
      `GET /lobbies/${id}`,
      `PATCH /lobbies/${id}`,
      `DELETE /lobbies/${id}`,
      `DELETE /lobbies/${id}`,
      `GET /lobbies/${id}`,
    ])
    expect(service.seen[0]).toMatchObject({
      headers: {
        authorization: 'Bot secret',
        'content-type': 'application/json',
        accept: 'application/json',
      },
      body: { metadata: { mode: 'ränked 🎲' }, idle_timeout_seconds: 600 },
    })
  })

  test('gets members one by one and in bulk', async () => {
    const { id } = await client.lobbies.create()
    expect(
      await client.lobbies.putMember(id, { id: '77', metadata: { team: 'red' }, flags: 1 }),
    ).toMatchObject({ id: '77', flags: 1 })
    expect(await client.lobbies.putMember(id, { id: '77', flags: 0 })).toMatchObject({
      flags: 0,
      metadata: { team: 'red' },
    })
    await client.lobbies.removeMember(id, '77')
    await client.lobbies.removeMember(id, '77')
    const put = await client.lobbies.updateMembers(id, [{ id: '78' }, { id: '79', remove_member: true }])
    expect(put.map((each) => each.id)).toEqual(['78'])
    expect(service.seen[1]?.body).toEqual({ metadata: { team: 'red' }, flags: 1 })
    expect(service.calls.at(-1)).toBe(`POST /lobbies/${id}/members/bulk`)
    expect(await rejection(client.lobbies.removeMember('404', '77'))).toMatchObject({ code: 'unknown_lobby' })
  })

  test('rejects a cancelled call, and a call to a silent service', async () => {
    const silent = service.client({
      requestTimeout: 100,
      transport: () => ({ answer: new Promise(() => {}), abort: () => undefined }),
    })
    expect(await rejection(silent.lobbies.create())).toMatchObject({
      name: 'NetworkError',
      code: 'timed_out',
    })
    expect(await rejection(client.lobbies.create({}, { signal: AbortSignal.abort() }))).toMatchObject({
      code: 'aborted',
    })
    const controller = new AbortController()
    service.fault = () => {
      controller.abort()
      return undefined
    }
    const aborted = await rejection(client.lobbies.create({}, { signal: controller.signal }))
    expect(aborted).toMatchObject({ name: 'NetworkError', code: 'aborted', retryable: false })
    silent.close()
  })

  test('is requested again after a dropped connection, and created only once', async () => {
    let dropped = 0
    service.fault = () => (dropped++ === 0 ? 'drop' : undefined)
    expect(await rejection(client.lobbies.create())).toMatchObject({
      name: 'NetworkError',
      code: 'connection_failed',
    })
    expect(service.calls).toEqual(['POST /lobbies'])
    const { id } = await client.lobbies.create()
    dropped = 0
    expect((await client.lobbies.get(id)).id).toBe(id)
    expect(service.calls.slice(2)).toEqual([`GET /lobbies/${id}`, `GET /lobbies/${id}`])
  })

  test('is rejected as malformed if the response is no lobby', async () => {
    for (const body of [
      {},
      { id: 1 },
      { id: '1', application_id: '2', metadata: { a: 1 }, members: [] },
      [],
      'x',
    ]) {
      service.fault = () => ({ status: 200, body })
      expect(await rejection(client.lobbies.get('1'))).toMatchObject({
        name: 'ProtocolError',
        code: 'malformed_response',
      })
    }
  })
})

describe('validation before a request rejects', () => {
  test('an invalid lobby with all issues', async () => {
    const members = Array.from({ length: 26 }, (_, index) => ({ id: String(index) }))
    const error = await rejection(
      client.lobbies.create({ metadata: { k: 'v'.repeat(1000) }, members, idle_timeout_seconds: 4 }),
    )
    expect(error).toBeInstanceOf(ValidationError)
    expect(
      error instanceof ValidationError && error.issues.map(({ path, code }) => `${path} ${code}`),
    ).toEqual(['metadata too_large', 'members too_many', 'idle_timeout_seconds out_of_range'])
    const strangers = await rejection(
      client.lobbies.create({ members: JSON.parse(JSON.stringify(Array(26).fill(null))) }),
    )
    // One for the length, and one for each of the members that are allowed.
    expect(strangers instanceof ValidationError && strangers.issues).toHaveLength(26)
    expect(await rejection(client.lobbies.updateMembers('1', []))).toMatchObject({ code: 'invalid_body' })
    expect(await rejection(client.lobbies.putMember('1', { id: '2', additional_name: '' }))).toMatchObject({
      code: 'invalid_body',
    })
    expect(service.calls).toEqual([])
  })

  test('invalid IDs with the reason', async () => {
    // @ts-expect-error A number loses digits.
    const error = await rejection(client.lobbies.removeMember(1_234_567, '../x'))
    expect(error).toMatchObject({
      name: 'ValidationError',
      code: 'invalid_argument',
      issues: [
        { path: 'lobbyId', code: 'number_id' },
        { path: 'userId', code: 'wrong_type' },
      ],
    })
    expect(String(error)).toContain('a number loses the last digits of an id')
    expect(await rejection(client.lobbies.updateMetadata('', () => ({})))).toMatchObject({
      code: 'invalid_argument',
    })
    expect(service.calls).toEqual([])
  })
})

test('an edit that replaces members warns and continues', async () => {
  const { id } = await client.lobbies.create({ members: [{ id: '1000000000000000001' }] })
  await client.lobbies.edit(id, { members: [{ id: '1000000000000000002' }] })
  expect(service.seen.at(-1)).toMatchObject({
    call: `PATCH /lobbies/${id}`,
    body: { members: [{ id: '1000000000000000002' }] },
  })
})

describe('a change of metadata keys', () => {
  test('keeps the changes of all callers of one client, even without a store', async () => {
    const alone = service.client()
    const { id } = await alone.lobbies.create({ metadata: { count: '0' } })
    const add = () => alone.lobbies.updateMetadata(id, ({ count }) => ({ count: String(Number(count) + 1) }))
    await Promise.all([add(), add(), add()])
    expect((await alone.lobbies.get(id)).metadata).toEqual({ count: '3' })
  })

  test('sets and removes single keys, and keeps the others', async () => {
    const { id } = await client.lobbies.create({ metadata: { map: 'moor', round: '1', host: 'ada' } })
    const { metadata } = await client.lobbies.updateMetadata(id, ({ round }) => ({
      round: String(Number(round) + 1),
      host: null,
    }))
    expect(metadata).toEqual({ map: 'moor', round: '2' })
    expect(service.calls.slice(1)).toEqual([
      `GET /lobbies/${id}`,
      `PATCH /lobbies/${id}`,
      `GET /lobbies/${id}`,
    ])
  })

  test('sends nothing for keys that are already as requested', async () => {
    const { id } = await client.lobbies.create({ metadata: { map: 'moor' } })
    await client.lobbies.updateMetadata(id, () => ({ map: 'moor', other: null }))
    expect(service.calls.slice(1)).toEqual([`GET /lobbies/${id}`])
  })

  test('keeps the changes of all clients, one after another for a lobby', async () => {
    const { id } = await client.lobbies.create({ metadata: { count: '0' } })
    const add = () => client.lobbies.updateMetadata(id, ({ count }) => ({ count: String(Number(count) + 1) }))
    await Promise.all(Array.from({ length: 8 }, add))
    expect(service.lobbies.get(id)?.metadata).toEqual({ count: '8' })
  })

  test('does not wait for another lobby', async () => {
    const [a, b] = [await client.lobbies.create(), await client.lobbies.create()]
    const gate = new EventTarget()
    const opened = new Promise((resolve) => gate.addEventListener('open', resolve))
    const slow = client.lobbies.updateMetadata(a.id, () => opened.then(() => ({ a: '1' })))
    expect((await client.lobbies.updateMetadata(b.id, () => ({ b: '1' }))).metadata).toEqual({ b: '1' })
    gate.dispatchEvent(new Event('open'))
    expect((await slow).metadata).toEqual({ a: '1' })
  })

  test('is repeated if a foreign writer changed the lobby meanwhile', async () => {
    const { id } = await client.lobbies.create({ metadata: { count: '1' } })
    let writes = 0
    service.answered = (call) => {
      const lobby = service.lobbies.get(id)
      if (call.startsWith('PATCH') && writes++ === 0 && lobby)
        lobby.metadata = { count: '10', host: 'ada', other: 'x' }
    }
    const { metadata } = await client.lobbies.updateMetadata(id, ({ count }) => ({
      count: String(Number(count) + 1),
      host: 'ada',
    }))
    expect(metadata).toEqual({ count: '11', host: 'ada', other: 'x' })
  })

  test('is given up if that happens each time', async () => {
    const { id } = await client.lobbies.create()
    service.answered = () => void Object.assign(service.lobbies.get(id) ?? {}, { metadata: null })
    const error = await rejection(client.lobbies.updateMetadata(id, () => ({ mine: '1' })))
    expect(error).toMatchObject({ name: 'ConfigurationError', code: 'contended', retryable: true })
    expect(service.calls.filter((call) => call.startsWith('PATCH'))).toHaveLength(3)
  })

  test('releases the lock if the change fails or is too large', async () => {
    const { id } = await client.lobbies.create()
    const fault = new Error('mine')
    expect(await rejection(client.lobbies.updateMetadata(id, () => Promise.reject(fault)))).toBe(fault)
    expect(await rejection(client.lobbies.updateMetadata(id, () => ({ k: 'v'.repeat(1000) })))).toMatchObject(
      { code: 'invalid_body' },
    )
    expect((await client.lobbies.updateMetadata(id, () => ({ k: 'v' }))).metadata).toEqual({ k: 'v' })
  })

  test('accepts the names of Object.prototype members as keys', async () => {
    const { id } = await client.lobbies.create({
      metadata: JSON.parse('{"__proto__":"a","constructor":"b"}'),
    })
    await client.lobbies.updateMetadata(id, () => ({ x: '1', constructor: null }))
    expect(JSON.stringify(service.seen.at(-2)?.body)).toBe('{"metadata":{"__proto__":"a","x":"1"}}')
  })

  test('can be cancelled while another writer has the lock', async () => {
    const { id } = await client.lobbies.create()
    const controller = new AbortController()
    const first = client.lobbies.updateMetadata(id, () => new Promise(() => {}), {
      signal: controller.signal,
    })
    const second = client.lobbies.updateMetadata(id, () => ({}), { signal: controller.signal })
    await expect.poll(() => service.calls.length).toBe(2)
    controller.abort()
    expect(await rejection(second)).toMatchObject({ code: 'aborted' })
    expect(await rejection(first)).toMatchObject({ code: 'aborted' })
  })
})

test('a listener hears of each lobby that a call may have changed, until it unsubscribes', async () => {
  const changed: string[] = []
  const unsubscribe = client.lobbies.onChanged((id) => changed.push(id))
  const { id } = await client.lobbies.create()
  await client.lobbies.edit(id, { metadata: null })
  expect([...new Set(changed)]).toEqual([id])
  unsubscribe()
  const before = changed.length
  await client.lobbies.edit(id, { metadata: { a: 'b' } })
  expect(changed).toHaveLength(before)
})

describe('an application with client credentials', () => {
  const ID = '1234567890123456789'

  test.each<[string, (lobbies: ApplicationClient['lobbies']) => Promise<unknown>]>([
    ['create', (lobbies) => lobbies.create()],
    ['get', (lobbies) => lobbies.get('1')],
    ['edit', (lobbies) => lobbies.edit('1', {})],
    ['delete', (lobbies) => lobbies.delete('1')],
    ['putMember', (lobbies) => lobbies.putMember('1', { id: '2' })],
    ['updateMetadata', (lobbies) => lobbies.updateMetadata('1', () => ({}))],
  ])('is rejected before a request: %s', async (_, call) => {
    const credentials = clientCredentials({ clientId: ID, clientSecret: 'secret' })
    const other = new ApplicationClient({ applicationId: ID, service: { host: service.url }, credentials })
    expect(await rejection(call(other.lobbies))).toMatchObject({
      name: 'ConfigurationError',
      code: 'invalid_argument',
      message: expect.stringContaining('Lobbies need botToken(…)') as string,
    })
    other.close()
    expect(service.seen).toEqual([])
  })
})
