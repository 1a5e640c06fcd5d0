/** Arguments of a player's lobby calls, and the order of joins and leaves. */
import { describe, expect, it } from 'vitest'
import {
  joinBody,
  LobbyCallQueue,
  LobbyCallQueues,
  messageBody,
  requireIds,
  requireLimit,
  validateModeration,
} from '../../support/internals'
import { ManualClock } from '../../support/manual-clock'
import { rejection } from '../../support/settle'

const LOBBY = '1001'

/** The issues of a call, as path and code; empty if it was accepted. */
async function issuesOf(call: () => unknown): Promise<string[]> {
  const error = await rejection(call)
  return ((Reflect.get(Object(error), 'issues') ?? []) as { path: string; code: string }[]).map(
    ({ path, code }) => `${path} ${code}`,
  )
}

const ofLength = (length: number) => ({ key: 'x'.repeat(length) })

describe('the arguments of a player', () => {
  it('make the body of a join', () => {
    expect(joinBody('s', {}).value).toEqual({ secret: 's' })
    expect(joinBody('s', { metadata: { a: 'b' }, member: {}, idleTimeout: 5001 }).value).toEqual({
      secret: 's',
      lobby_metadata: { a: 'b' },
      member_metadata: {},
      idle_timeout_seconds: 6,
    })
  })

  it.each([
    ['s', []],
    ['s'.repeat(250), []],
    ['😀'.repeat(250), []],
    ['s'.repeat(251), ['secret length']],
    ['', ['secret length']],
    ['  ', ['secret length']],
    [7, ['secret wrong_type']],
  ])('have a secret of 1 to 250 characters: %s', async (secret, expected) => {
    expect(await issuesOf(() => joinBody(secret, {}))).toEqual(expected)
  })

  it.each([
    [5000, []],
    [604_800_000, []],
    [4999, ['idleTimeout out_of_range']],
    [604_800_001, ['idleTimeout out_of_range']],
    [Number.NaN, ['idleTimeout out_of_range']],
  ])('have an idle time-out of five seconds to seven days: %d', async (idleTimeout, expected) => {
    expect(await issuesOf(() => joinBody('s', { idleTimeout }))).toEqual(expected)
  })

  it('have an idle time-out whose issue has the figures in ms', async () => {
    const error = await rejection(() => joinBody('s', { idleTimeout: 1 }))
    expect(error).toMatchObject({
      issues: [{ path: 'idleTimeout', params: { min: 5000, max: 604_800_000 } }],
    })
  })

  it('have metadata of a thousand characters in all', async () => {
    expect(await issuesOf(() => joinBody('s', { metadata: ofLength(997), member: ofLength(997) }))).toEqual(
      [],
    )
    expect(await issuesOf(() => joinBody('s', { metadata: ofLength(998), member: ofLength(998) }))).toEqual([
      'metadata too_large',
      'member too_large',
    ])
    expect(await issuesOf(() => messageBody('Hi', ofLength(998)))).toEqual(['metadata too_large'])
    expect(await issuesOf(() => joinBody('s', { metadata: { "a'b\\": 7 } as never }))).toEqual([
      "metadata['a\\'b\\\\'] wrong_type",
    ])
    expect(await issuesOf(() => joinBody('s', { metadata: [] as never }))).toEqual(['metadata wrong_type'])
  })

  it('make the body of a message', async () => {
    expect(messageBody('Hi', undefined).value).toEqual({ content: 'Hi' })
    expect(messageBody('Hi', { a: 'b' }).value).toEqual({ content: 'Hi', metadata: { a: 'b' } })
    expect(await issuesOf(() => messageBody('x'.repeat(2000), undefined))).toEqual([])
    expect(await issuesOf(() => messageBody('x'.repeat(2001), undefined))).toEqual(['content length'])
    // Half of an emoji, as `slice` leaves it.
    expect(await issuesOf(() => messageBody('♞ 🐎'.slice(0, 3), undefined))).toEqual([
      'content lone_surrogate',
    ])
    expect(await issuesOf(() => messageBody('♞ 🐎', undefined))).toEqual([])
  })

  it('have ids that are text', async () => {
    expect(await issuesOf(() => requireIds({ a: '1', b: 1, c: undefined, d: null, e: 'x', f: {} }))).toEqual([
      'b number_id',
      'c required',
      'd required',
      'e wrong_type',
      'f wrong_type',
    ])
  })

  it.each([
    [1, []],
    [200, []],
    [0, ['limit out_of_range']],
    [201, ['limit out_of_range']],
    [1.5, ['limit out_of_range']],
    ['1', ['limit out_of_range']],
  ])('ask for 1 to 200 messages: %s', async (limit, expected) => {
    expect(await issuesOf(() => requireLimit(limit))).toEqual(expected)
  })
})

const codes = (metadata: unknown) => validateModeration(metadata).map(({ path, code }) => `${path} ${code}`)

const keys = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, '']))

describe('moderation metadata', () => {
  it('has five keys of 1 to 1,024 characters and values of 2,000', () => {
    expect(codes(keys(5))).toEqual([])
    expect(codes(keys(6))).toEqual([' too_many'])
    expect(codes({ ['k'.repeat(1024)]: 'x'.repeat(2000), ['😀'.repeat(1000)]: '😀'.repeat(2000) })).toEqual(
      [],
    )
    expect(codes({ ['k'.repeat(1025)]: '' })).toEqual([`['${'k'.repeat(32)}'] length`])
    expect(codes({ '': '' })).toEqual(["[''] length"])
    expect(codes({ a: 'x'.repeat(2001), "b'": 7 })).toEqual(["['a'] length", "['b\\''] wrong_type"])
    expect(codes('x')).toEqual([' wrong_type'])
  })
})

const settle = () => new Promise<void>((resolve) => void setImmediate(resolve))

/** A queue, and its calls in the order in which they start. */
function openQueue(queue = new LobbyCallQueue(new ManualClock())) {
  const started: string[] = []
  const enter = (route: string, signal?: AbortSignal) =>
    queue.enter({ route, signal }).then(
      (known) => started.push(`${route}${known ? ' joined' : ''}`),
      (error: { code: string }) => started.push(error.code),
    )
  return { queue, started, enter }
}

describe('joins and leaves of one lobby', () => {
  const joined = { lobbyId: LOBBY, sent: '{}', generation: 0 }
  it('start one after the other, in the order of the calls', async () => {
    const { queue, started, enter } = openQueue()
    for (const route of ['PUT 1', 'DELETE 2', 'PUT 3']) void enter(route)
    await settle()
    expect([started, queue.isIdle]).toEqual([['PUT 1'], false])
    queue.exit({ succeeded: false })
    await settle()
    queue.exit({ succeeded: false })
    await settle()
    expect(started).toEqual(['PUT 1', 'DELETE 2', 'PUT 3'])
    queue.exit({ succeeded: true })
    expect(queue.isIdle).toBe(true)
  })

  it('pause for 20 ms after a join, in which a leave comes first', async () => {
    const clock = new ManualClock()
    const { queue, started, enter } = openQueue(new LobbyCallQueue(clock))
    for (const route of ['PUT 1', 'PUT 2']) void enter(route)
    await settle()
    queue.joined = joined
    queue.exit({ succeeded: true })
    for (const route of ['PUT 3', 'DELETE 4']) void enter(route)
    clock.advance(19)
    await settle()
    expect(started).toEqual(['PUT 1'])
    clock.advance(1)
    await settle()
    expect(started).toEqual(['PUT 1', 'DELETE 4'])
    void enter('DELETE 5')
    for (let i = 0; i < 3; i++) {
      queue.exit({ succeeded: false })
      await settle()
    }
    expect(started).toEqual(['PUT 1', 'DELETE 4', 'PUT 2 joined', 'PUT 3', 'DELETE 5'])
  })

  it('do not wait after a join if no other call waits, and a stored join keeps the queue', async () => {
    const clock = new ManualClock()
    const queue = new LobbyCallQueue(clock)
    await queue.enter({ route: 'PUT', signal: undefined })
    queue.joined = joined
    queue.exit({ succeeded: true })
    expect([clock.waiting, queue.isIdle]).toEqual([0, false])
    expect(await queue.enter({ route: 'PUT', signal: undefined })).toBeUndefined()
  })

  it('can be aborted while they wait, and before', async () => {
    const { queue, started, enter } = openQueue()
    const controller = new AbortController()
    void enter('PUT 1')
    void enter('PUT 2', controller.signal)
    void enter('PUT 3')
    controller.abort()
    await settle()
    queue.exit({ succeeded: false })
    await settle()
    expect(started).toEqual(['PUT 1', 'aborted', 'PUT 3'])
    await enter('PUT 4', AbortSignal.abort())
    expect(started.at(-1)).toBe('aborted')
    queue.exit({ succeeded: false })
    expect(queue.isIdle).toBe(true)
  })

  it('continue at once when the pause is ended', async () => {
    const clock = new ManualClock()
    const queues = new LobbyCallQueues(clock)
    const { queue, started, enter } = openQueue(queues.find({ secret: 's' }))
    for (const route of ['PUT 1', 'PUT 2']) void enter(route)
    await settle()
    queue.exit({ succeeded: true })
    expect(clock.waiting).toBe(1)
    queues.clear()
    await settle()
    expect([started, clock.waiting]).toEqual([['PUT 1', 'PUT 2'], 0])
    queue.endPause()
    await settle()
    expect(queue.isIdle).toBe(false)
    expect(queues.find({ secret: 's' })).not.toBe(queue)
  })

  it('have one queue per secret and per id, until it is idle', async () => {
    const queues = new LobbyCallQueues(new ManualClock())
    const queue = queues.find({ secret: 's' })
    expect([queues.find({ secret: 's' }) === queue, queues.find({ lobbyId: 's' }) === queue]).toEqual([
      true,
      false,
    ])
    await queue.enter({ route: 'PUT', signal: undefined })
    queues.name(queue, LOBBY)
    queues.deleteIdle()
    expect(queues.find({ lobbyId: LOBBY })).toBe(queue)
    queue.exit({ succeeded: false })
    queues.deleteIdle()
    expect(queues.find({ lobbyId: LOBBY })).not.toBe(queue)
  })
})
