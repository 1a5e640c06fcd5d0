/** Messages of a lobby from a stream of events, by polling, and by reads that a stream causes. */
import { ApiError, type LobbyMessage } from 'foyer-sdk'
import { describe, expect, it } from 'vitest'
import { createEventParser, MessagePulls, readMessage, watch } from '../../support/internals'
import { ManualClock } from '../../support/manual-clock'
import { rejection, settle } from '../../support/settle'
import { lobbyCacheOf } from '../../support/lobby-cache-of'

const author = { id: '80351110224678912', username: 'ada' }
const messageOf = (id: number): LobbyMessage =>
  readMessage({ id: String(id), lobby_id: '1001', content: 'Hi', author }, 'GET /x')
/** Messages with these ids, newest first. */
const listOf = (...ids: number[]) => ids.map((id) => messageOf(id))
const range = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, index) => from - index)

function openCache() {
  const seen: number[] = []
  const message = ({ id }: LobbyMessage) => void seen.push(Number(id))
  return {
    seen,
    cache: lobbyCacheOf({ message }),
  }
}

const listed = (events: { name: string; data: string; id: string }[]) =>
  events.map(({ name, data, id }) => [name, data, id])

describe('a stream of events', () => {
  it.each([
    ['data: a\n\n', [['message', 'a', '']]],
    [
      'data:a\n\ndata:  b\n\n',
      [
        ['message', 'a', ''],
        ['message', ' b', ''],
      ],
    ],
    [
      'event: x\ndata: a\ndata: b\nid: 7\n\ndata: c\n\n',
      [
        ['x', 'a\nb', '7'],
        ['message', 'c', '7'],
      ],
    ],
    [
      'data: a\r\n\r\ndata: b\r\rdata: c\n\n',
      [
        ['message', 'a', ''],
        ['message', 'b', ''],
        ['message', 'c', ''],
      ],
    ],
    ['event: x\n\ndata: a\n\n', [['message', 'a', '']]],
    [': comment\nretry: 5\nelse\ndata\ndata: a:b\n\n', [['message', '\na:b', '']]],
    ['id: 1\0\ndata: a\n\n', [['message', 'a', '']]],
    ['data: a\n', []],
    ['\n\n', []],
  ])('%j has its events', (text, expected) => {
    expect(listed(createEventParser()(text))).toEqual(expected)
    const parse = createEventParser()
    expect(listed(Array.from(text).flatMap((character) => parse(character)))).toEqual(expected)
  })

  it('has events of a million characters at most', async () => {
    const [part, parse] = ['x'.repeat(1024 * 1024 - 7), createEventParser()]
    expect(parse(`data: ${part}`)).toEqual([])
    expect(await rejection(() => parse('xx'))).toBeInstanceOf(RangeError)
    const lines = createEventParser()
    expect(lines(`data: ${part}\n`)).toEqual([])
    expect(lines('data: a')).toEqual([])
    expect(await rejection(() => lines('b'))).toBeInstanceOf(RangeError)
    expect(createEventParser()(`data: ${part}\n\n`)).toHaveLength(1)
  })
})

/** Polls a lobby whose newest messages are these; records the limits of all requests. */
async function openPoll(messages: LobbyMessage[], interval = 2000) {
  const { seen, cache } = openCache()
  const clock = new ManualClock(0)
  const controller = new AbortController()
  const lobby = { messages, limits: [] as number[], fail: undefined as Error | undefined }
  const fetch = async (limit: number) => {
    lobby.limits.push(limit)
    if (lobby.fail) throw lobby.fail
    return lobby.messages.slice(0, limit)
  }
  await watch({ clock, cache, fetch }, { interval, signal: controller.signal })
  const pass = async (ms: number) => {
    clock.advance(ms)
    await settle()
  }
  return { seen, clock, lobby, pass, stop: () => controller.abort() }
}

describe('polling a lobby', () => {
  it('emits what is newer than the first poll, oldest first, and nothing twice', async () => {
    const { seen, lobby, pass } = await openPoll(listOf(12, 11))
    lobby.messages = listOf(14, 13, 12, 11)
    await pass(1999)
    expect(lobby.limits).toEqual([50])
    await pass(1)
    expect([seen, lobby.limits]).toEqual([
      [13, 14],
      [50, 50],
    ])
    await pass(2000)
    expect([seen, lobby.limits]).toEqual([
      [13, 14],
      [50, 50, 50],
    ])
  })

  it('emits everything of a lobby that was empty, also after an empty poll', async () => {
    const { seen, lobby, pass } = await openPoll([])
    await pass(2000)
    lobby.messages = listOf(2, 1)
    await pass(2000)
    lobby.messages = []
    await pass(2000)
    lobby.messages = listOf(3, 2, 1)
    await pass(2000)
    expect(seen).toEqual([1, 2, 3])
  })

  it('reads 200 messages if all of 50 are new', async () => {
    const { seen, lobby, pass } = await openPoll(listOf(10))
    lobby.messages = listOf(...range(70, 10))
    await pass(2000)
    expect([lobby.limits, seen]).toEqual([[50, 50, 200], range(70, 11).toReversed()])
    lobby.messages = listOf(...range(119, 10))
    await pass(2000)
    expect(lobby.limits.slice(3)).toEqual([50])
    lobby.messages = listOf(...range(140, 120))
    await pass(2000)
    expect(lobby.limits.slice(4)).toEqual([50])
    expect(seen).toHaveLength(130)
  })

  it('comes once a second at most', async () => {
    for (const interval of [0, 999, Number.NaN]) {
      const { lobby, pass } = await openPoll([], interval)
      await pass(999)
      expect(lobby.limits).toHaveLength(1)
      await pass(1)
      expect(lobby.limits).toHaveLength(2)
    }
  })

  it('goes on after a failure, and ends when the service refuses the player', async () => {
    const { clock, seen, lobby, pass } = await openPoll([])
    for (const fail of [
      new Error('x'),
      new ApiError('http_503', 'GET /x', { status: 503, remedy: '', retryable: true }),
    ]) {
      lobby.fail = fail
      await pass(2000)
    }
    lobby.fail = undefined
    lobby.messages = listOf(1)
    await pass(2000)
    expect(seen).toEqual([1])
    lobby.fail = new ApiError('missing_access', 'GET /x', { status: 403, remedy: '' })
    await pass(2000)
    expect(clock.waiting).toBe(0)
  })

  it('ends with its signal, also during a poll, and leaves no timer', async () => {
    const first = await openPoll([])
    first.stop()
    expect(first.clock.waiting).toBe(0)
    const second = await openPoll([])
    second.lobby.messages = listOf(1)
    second.clock.advance(2000)
    second.stop()
    await settle()
    expect([second.seen, second.clock.waiting]).toEqual([[], 0])
  })
})

/** Reads of a lobby that wait until they are answered. */
function openPulls() {
  const { seen, cache } = openCache()
  const reads: {
    limit: number
    answer: (messages: LobbyMessage[]) => Promise<void>
    fail: () => Promise<void>
  }[] = []
  const fetch = (_: string, limit: number) =>
    new Promise<LobbyMessage[]>((resolve, reject) => {
      reads.push({
        limit,
        answer: (messages) => (resolve(messages), settle()),
        fail: () => (reject(new Error('x')), settle()),
      })
    })
  return {
    seen,
    cache,
    reads,
    pulls: new MessagePulls({ clock: new ManualClock(), cache, fetch }),
    enter: (id: string) => cache.put({ id, applicationId: '1', metadata: {}, members: [] } as never),
  }
}

describe('a pending message', () => {
  it('is read, with later ones and without earlier ones', async () => {
    const { seen, reads, pulls } = openPulls()
    pulls.pull('1001', '12')
    await settle()
    await reads[0]?.answer(listOf(13, 12, 11))
    await settle()
    expect([reads[0]?.limit, seen]).toEqual([50, [12, 13]])
    pulls.pull('1001', '15')
    await settle()
    await reads[1]?.answer(listOf(15, 14, 13, 12, 11))
    await settle()
    expect(seen).toEqual([12, 13, 14, 15])
  })

  it('is read once while others are reported, and then those', async () => {
    const { seen, reads, pulls } = openPulls()
    for (const id of ['1', '2', '3']) pulls.pull('1001', id)
    await settle()
    expect(reads).toHaveLength(1)
    await reads[0]?.answer(listOf(1))
    await settle()
    expect([reads.length, seen]).toEqual([2, [1]])
    await reads[1]?.answer(listOf(3, 2, 1))
    await settle()
    expect([reads.length, seen]).toEqual([2, [1, 2, 3]])
    pulls.pull('1002', '9')
    await settle()
    expect(reads).toHaveLength(3)
  })

  it('without an id is read from the mark of the join, also if nothing was read before', async () => {
    const { seen, reads, pulls, enter } = openPulls()
    pulls.pull('1001')
    await settle()
    expect(reads).toHaveLength(0)
    enter('1001')
    pulls.begin('1001')
    await settle()
    await reads[0]?.answer(listOf(4, 3))
    pulls.pull('1001')
    await settle()
    await reads[1]?.answer(listOf(6, 5, 4, 3))
    await settle()
    expect(seen).toEqual([5, 6])
  })

  it('is delivered once in a lobby that had no message at the join', async () => {
    const { seen, reads, pulls, enter } = openPulls()
    enter('1001')
    pulls.begin('1001')
    pulls.begin('1001')
    await settle()
    await reads[0]?.answer([])
    for (const count of [1, 2]) {
      pulls.pull('1001')
      await settle()
      await reads[count]?.answer(listOf(1))
      await settle()
    }
    expect([reads.length, seen]).toEqual([3, [1]])
  })

  it('has its mark at the first read that succeeds', async () => {
    const { seen, reads, pulls, enter } = openPulls()
    enter('1001')
    pulls.begin('1001')
    await settle()
    await reads[0]?.fail()
    pulls.pull('1001')
    await settle()
    await reads[1]?.answer(listOf(1))
    pulls.pull('1001')
    await settle()
    await reads[2]?.answer(listOf(2, 1))
    await settle()
    expect(seen).toEqual([2])
  })

  it('is found behind many others of a long gap', async () => {
    const { seen, reads, pulls, enter } = openPulls()
    enter('1001')
    pulls.begin('1001')
    await settle()
    await reads[0]?.answer(listOf(1))
    pulls.pull('1001')
    await settle()
    await reads[1]?.answer(listOf(...range(120, 71)))
    await settle()
    await reads[2]?.answer(listOf(...range(120, 1)))
    await settle()
    expect([reads[2]?.limit, seen.length, seen[0]]).toEqual([200, 119, 2])
  })

  it('of a lobby that the player has left is not emitted', async () => {
    const { seen, reads, pulls } = openPulls()
    pulls.pull('1001', '5')
    await settle()
    pulls.end('1001')
    await reads[0]?.answer(listOf(5))
    await settle()
    expect(seen).toEqual([])
  })

  it('does not make older messages new', async () => {
    const { seen, reads, pulls, enter } = openPulls()
    enter('1001')
    pulls.pull('1001', '9')
    await settle()
    await reads[0]?.answer(listOf(9))
    await settle()
    pulls.pull('1001', '5')
    await settle()
    await reads[1]?.answer(listOf(9, 8, 5))
    await settle()
    expect(seen).toEqual([9, 5])
    pulls.pull('1001')
    await settle()
    await reads[2]?.answer(listOf(9, 8, 5))
    await settle()
    expect(seen).toEqual([9, 5])
    pulls.pull('1001', '12')
    await settle()
    await reads[3]?.answer(listOf(12, 9, 8, 5))
    await settle()
    pulls.pull('1001')
    await settle()
    await reads[4]?.answer(listOf(12, 9, 8))
    await settle()
    expect(seen).toEqual([9, 5, 12])
  })

  it('is read again after a failure', async () => {
    const { seen, reads, pulls } = openPulls()
    pulls.pull('1001', '1')
    await settle()
    await reads[0]?.fail()
    await settle()
    pulls.pull('1001', '2')
    await settle()
    await reads[1]?.answer(listOf(2, 1))
    await settle()
    expect(seen).toEqual([1, 2])
  })

  it('is dropped if the player signed out meanwhile', async () => {
    const { seen, cache, reads, pulls } = openPulls()
    pulls.pull('1001', '1')
    await settle()
    cache.clear('signed_out')
    await reads[0]?.answer(listOf(1))
    await settle()
    expect(seen).toEqual([])
  })
})
