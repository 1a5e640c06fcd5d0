/** Order of waiting requests, and the timers that resume them. */
import { describe, expect, it } from 'vitest'
import { FairQueue, monotonic, type Priority, TimerQueue, Waiter, WaitQueue } from '../../support/internals'
import { ManualClock } from '../../support/manual-clock'

const waiter = (sequence: number) =>
  new Waiter({
    sequence,
    deadline: Number.POSITIVE_INFINITY,
    start: () => undefined,
    reject: () => undefined,
  })
const sequences = (queue: WaitQueue) => [...queue.waiters()].map(({ sequence }) => sequence)

/** A queue of one bucket with waiters of these sequence numbers. */
function queueOf(...numbers: number[]) {
  const bucket = { waiting: 0 }
  const queue = new WaitQueue('a', [bucket], 'normal')
  const waiters = numbers.map((number) => waiter(number))
  for (const each of waiters) queue.add(each)
  return { bucket, queue, waiters }
}

describe('requests for the same buckets', () => {
  it('wait in the order in which they came, with a retry in its old place', () => {
    const { bucket, queue } = queueOf(2, 5, 9, 4, 1, 10, 3)
    expect(sequences(queue)).toEqual([1, 2, 3, 4, 5, 9, 10])
    expect([queue.length, bucket.waiting, queue.first?.sequence]).toEqual([7, 7, 1])
  })

  it.each([
    ['the first', 0, [2, 3]],
    ['the middle', 1, [1, 3]],
    ['the last', 2, [1, 2]],
  ])('can be removed: %s', (_, index, left) => {
    const { bucket, queue, waiters } = queueOf(1, 2, 3)
    const removed = waiters[index] ?? waiter(0)
    expect([queue.remove(removed), queue.remove(removed), removed.isWaiting]).toEqual([true, false, false])
    expect([sequences(queue), queue.length, bucket.waiting]).toEqual([left, 2, 2])
    queue.add(waiter(9))
    queue.add(waiter(0))
    expect(sequences(queue)).toEqual([0, ...left, 9])
  })

  it('leave an empty queue', () => {
    const { bucket, queue, waiters } = queueOf(1, 2)
    for (const each of waiters) queue.remove(each)
    expect([queue.first, queue.length, bucket.waiting]).toEqual([undefined, 0, 0])
    queue.add(waiter(7))
    expect(sequences(queue)).toEqual([7])
  })

  it('may be removed while they are listed', () => {
    const { queue, waiters } = queueOf(1, 2, 3)
    const seen: number[] = []
    for (const { sequence } of queue.waiters()) {
      seen.push(sequence)
      for (const each of waiters.slice(0, 2)) queue.remove(each)
    }
    expect(seen).toEqual([1, 3])
  })
})

const push = (queue: FairQueue, priority: Priority, id: string) => queue.push(new WaitQueue(id, [], priority))

const shiftAll = (queue: FairQueue) => Array.from({ length: queue.size }, () => queue.shift()?.id)

describe('queues for the same resource', () => {
  it('take turns in their order', () => {
    const queue = new FairQueue()
    for (const id of ['a', 'b', 'c']) push(queue, 'normal', id)
    expect([queue.size, [...queue.queues()].map(({ id }) => id)]).toEqual([3, ['a', 'b', 'c']])
    expect([queue.shift()?.id, queue.size, [...queue.queues()].length]).toEqual(['a', 2, 2])
    push(queue, 'normal', 'a')
    expect(shiftAll(queue)).toEqual(['b', 'c', 'a'])
    expect([queue.shift(), queue.size]).toEqual([undefined, 0])
  })

  it('get eight, four and one turns by priority', () => {
    const queue = new FairQueue()
    for (let i = 0; i < 20; i++)
      for (const priority of ['low', 'normal', 'high'] as const) push(queue, priority, priority[0] ?? '')
    expect(shiftAll(queue).join('')).toBe(
      `${'hhhhhhhhnnnnl'.repeat(2)}hhhhnnnnl${'nnnnl'.repeat(2)}${'l'.repeat(15)}`,
    )
  })

  it('of a low priority go at once if no other waits', () => {
    const queue = new FairQueue()
    for (const id of ['a', 'b', 'c']) push(queue, 'low', id)
    expect(shiftAll(queue)).toEqual(['a', 'b', 'c'])
  })

  it('keep their order over hundreds of turns', () => {
    const queue = new FairQueue()
    for (let id = 0; id < 500; id++) push(queue, 'normal', String(id))
    const shifted = Array.from({ length: 400 }, () => queue.shift()?.id)
    expect(shifted).toEqual(Array.from({ length: 400 }, (_, id) => String(id)))
    expect([...queue.queues()].map(({ id }) => id)).toEqual(
      Array.from({ length: 100 }, (_, id) => String(400 + id)),
    )
    push(queue, 'normal', 'last')
    expect(shiftAll(queue).at(-1)).toBe('last')
  })
})

function openTimers() {
  const clock = new ManualClock(0)
  const timers = new TimerQueue(monotonic(clock))
  const ran: number[] = []
  return { clock, timers, ran, add: (at: number) => timers.add(at, () => ran.push(at)) }
}

describe('timers', () => {
  it('run in order at their times, with a single timer of the platform', () => {
    const { clock, timers, ran, add } = openTimers()
    const times = Array.from({ length: 200 }, (_, index) => ((index * 73) % 199) + 1)
    for (const at of times) add(at)
    expect([timers.size, clock.waiting]).toEqual([200, 1])
    for (let now = 1; now <= 200; now++) {
      clock.advance(1)
      expect(ran).toEqual(times.filter((at) => at <= now).sort((a, b) => a - b))
    }
    expect([timers.size, clock.waiting]).toEqual([0, 0])
  })

  it('run no earlier than at a fraction of a millisecond', () => {
    const { clock, ran, add } = openTimers()
    add(10.4)
    clock.advance(10)
    expect(ran).toEqual([])
    clock.advance(1)
    expect(ran).toEqual([10.4])
  })

  it('run at once if their time has passed', () => {
    const { clock, ran, add } = openTimers()
    clock.advance(100)
    add(50)
    clock.advance(0)
    expect(ran).toEqual([50])
  })

  it('may be added by one that runs, and an earlier one comes first', () => {
    const { clock, timers, ran, add } = openTimers()
    add(30)
    timers.add(10, () => {
      add(20)
      add(5)
    })
    clock.advance(10)
    expect(ran).toEqual([5])
    clock.advance(20)
    expect(ran).toEqual([5, 20, 30])
  })

  it('are gone when they are cleared', () => {
    const { clock, timers, ran, add } = openTimers()
    add(10)
    timers.clear()
    expect([timers.size, timers.epoch, clock.waiting]).toEqual([0, 1, 0])
    add(20)
    clock.advance(30)
    expect(ran).toEqual([20])
  })
})
