/** Clients of Redis as people set them up, and servers that refuse or lose what they send: fakes that answer as the server would. */
import { keyOf } from '../support/key-of'
import { createClient } from 'redis'
import { createClient as createClient5 } from 'redis-5'
import {
  redisLobbyBroker,
  redisPurchaseStore,
  redisRateLimitStore,
  redisSessionStore,
  redisStore,
} from 'foyer-sdk/redis'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { watchConnection } from '../support/internals'
import { ManualClock } from '../support/manual-clock'
import { settled } from '../support/hub-world'

/** A server's keys, and what its connection does with commands. */
class FakeRedis {
  readonly keys = new Map<string, string>()
  readonly listeners: [string, (...args: never[]) => void][] = []
  readonly subscribed: string[] = []
  status = 'ready'
  options: object = {}
  memory: unknown = 'maxmemory:0\r\n'
  /** Runs a command: at once by default. */
  line = async (command: () => unknown): Promise<unknown> => command()
  /** Reply of scripts. */
  script = async (_action?: string, _source?: string): Promise<unknown> => 'sha'
  eval = async (..._args: unknown[]): Promise<unknown> => 1
  evalsha = (...args: unknown[]): Promise<unknown> => this.eval(...args)
  publish = async (_channel: string, _text: string): Promise<unknown> => 1
  info = async (_section: string): Promise<unknown> => this.memory

  set(key: string, value: string, ...rest: unknown[]): Promise<unknown> {
    return this.line(() => {
      if (rest.includes('NX') && this.keys.has(key)) return null
      this.keys.set(key, value)
      return 'OK'
    })
  }

  get(key: string): Promise<unknown> {
    return this.line(() => this.keys.get(key) ?? null)
  }

  del(key: string): Promise<unknown> {
    return this.line(() => Number(this.keys.delete(key)))
  }

  async getdel(key: string): Promise<unknown> {
    const text = await this.get(key)
    await this.del(key)
    return text
  }

  duplicate(): FakeRedis {
    return this
  }

  on(event: string, listener: (...args: never[]) => void): void {
    this.listeners.push([event, listener])
  }

  async subscribe(channel: string): Promise<unknown> {
    this.subscribed.push(channel)
    return 1
  }

  connect?: () => Promise<unknown>
  disconnect(): void {}
}

let redis: FakeRedis
let entries: string[]
const logger = (_level: string, step: string): void => void entries.push(step)

beforeEach(() => {
  redis = new FakeRedis()
  entries = []
})

/** Listens for notes. */
const listen = async () => {
  const failures: unknown[] = []
  let gaps = 0
  onTestFinished(
    redisLobbyBroker(redis).subscribe({
      note: () => undefined,
      gap: () => (gaps += 1),
      failed: (error) => void failures.push(error),
    }),
  )
  await settled()
  return { failures, gaps }
}

const outcome = (seen: Promise<boolean>) =>
  seen.then(String, (error: { code?: string }) => error.code ?? 'rejected')

/** Commands that wait for the connection. */
function hold() {
  const waiting: (() => void)[] = []
  redis.line = (command) => new Promise((resolve) => void waiting.push(() => resolve(command())))
  const release = async (): Promise<void> => {
    redis.line = async (command) => command()
    for (const run of waiting.splice(0)) run()
    await settled()
  }
  return { release }
}

/** Number of replacements while a server answers so for five seconds. */
async function replacementsBy(message: string): Promise<number> {
  const clock = new ManualClock()
  let count = 0
  const watch = watchConnection({ status: 'ready', disconnect: () => (count += 1) }, clock)
  for (let passed = 0; passed < 5000; passed += 250) {
    await watch(Promise.reject(new Error(message))).catch(() => undefined)
    clock.advance(250)
  }
  return count
}

const throwing = (): never => {
  throw new Error('of the logger')
}

describe('the connection that receives notes', () => {
  it('that is usable already is subscribed at once', async () => {
    expect(await listen()).toEqual({ failures: [], gaps: 1 })
  })

  it('whose subscription is refused with something that is no error says so', async () => {
    redis.subscribe = async () => Promise.reject('no pub/sub here')
    expect(await listen()).toEqual({ failures: ['no pub/sub here'], gaps: 0 })
  })

  it('that waits for a call of connect() is opened, also if that fails at first', async () => {
    redis.status = 'wait'
    let opened = 0
    redis.connect = async () => {
      opened += 1
      throw new Error('connect ECONNREFUSED')
    }
    await listen()
    expect([opened, redis.subscribed]).toEqual([1, []])
    for (const [event, listener] of redis.listeners) if (event === 'ready') listener()
    expect(redis.subscribed).toEqual(['{foyer}:hub:notes'])
  })
})

describe('the channel of notes', () => {
  it.each([
    ['no options', {}, '{foyer}:hub:notes'],
    ['database 0', { db: '0' }, '{foyer}:hub:notes'],
    ['database 3', { db: 3 }, '{foyer}:hub:notes:3'],
    ['a key prefix and a database', { keyPrefix: 'staging:', db: 1 }, 'staging:{foyer}:hub:notes:1'],
    ['no key prefix', { keyPrefix: null }, '{foyer}:hub:notes'],
  ])('is apart where the keys are: a client with %s', async (_, options, channel) => {
    redis.options = options
    onTestFinished(redisLobbyBroker(redis).subscribe({ note: () => undefined, gap: () => undefined }))
    expect(redis.subscribed).toEqual([channel])
  })

  it.each([
    ['application', 'foyer:1', 'foyer:2'],
    ['stage', 'foyer:staging:1', 'foyer:production:1'],
    ['letter case', 'foyer:Game', 'foyer:game'],
  ])('is another one for another %s in the prefix', async (_, ...prefixes) => {
    for (const prefix of prefixes)
      onTestFinished(
        redisLobbyBroker(redis, { prefix }).subscribe({ note: () => undefined, gap: () => undefined }),
      )
    expect(new Set(redis.subscribed).size).toBe(2)
  })
})

describe('a store of signatures', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
  afterEach(() => void vi.useRealTimers())

  it('accepts the repeated request whose first attempt waited in the same queue', async () => {
    const store = redisStore(redis)
    const { release } = hold()
    const first = outcome(store.seen(keyOf('event'), 60_000))
    await vi.advanceTimersByTimeAsync(800)
    expect(await first).toBe('timed_out')
    const again = outcome(store.seen(keyOf('event'), 60_000))
    await release()
    expect(await again).toBe('false')
    expect(await outcome(store.seen(keyOf('event'), 60_000))).toBe('true')
  })

  it('accepts the repeated request whose first attempt was stored, and its response lost', async () => {
    const store = redisStore(redis)
    redis.line = async (command) => {
      command()
      redis.line = async (next) => next()
      throw new Error('Connection is closed.')
    }
    expect(await outcome(store.seen(keyOf('event'), 60_000))).toBe('rejected')
    await settled()
    expect(await outcome(store.seen(keyOf('event'), 60_000))).toBe('false')
    expect(await outcome(store.seen(keyOf('event'), 60_000))).toBe('true')
  })

  it('accepts a request whose command the client has sent twice, because the connection was lost between', async () => {
    const store = redisStore(redis)
    redis.line = async (command) => {
      command()
      redis.line = async (next) => next()
      return command()
    }
    expect(await outcome(store.seen(keyOf('event'), 60_000))).toBe('false')
    expect(await outcome(store.seen(keyOf('event'), 60_000))).toBe('true')
  })

  it('lets one of two repeated requests pass', async () => {
    const store = redisStore(redis)
    const { release } = hold()
    const first = outcome(store.seen(keyOf('event'), 60_000))
    await vi.advanceTimersByTimeAsync(800)
    expect(await first).toBe('timed_out')
    const again = [1, 2].map(() => outcome(store.seen(keyOf('event'), 60_000)))
    await release()
    expect((await Promise.all(again)).toSorted()).toEqual(['false', 'true'])
  })

  it.each<[string, () => Promise<unknown>]>([
    ['rejects with a text', async () => Promise.reject('down')],
    [
      'throws',
      () => {
        throw new TypeError('client is closed')
      },
    ],
    ['never answers', () => new Promise(() => undefined)],
  ])('rejects within a second while its client %s', async (_, line) => {
    redis.line = line
    const rejected = outcome(redisStore(redis).seen(keyOf('event'), 60_000))
    await vi.advanceTimersByTimeAsync(1000)
    expect(await rejected).toMatch(/timed_out|rejected|undefined/)
  })
})

/** What Redis 6, 7.0 and 7.2 say of a command of a script. */
const inScript = (reason: string) =>
  `ERR Error running script (call to f_0a1b): @user_script:4: @user_script: 4: ${reason}`

describe.each([
  ['6', () => createClient()],
  ['5', () => createClient5()],
])('a client of node-redis %s that was not connected', (_, create) => {
  const key = keyOf('a')
  const bucket = { key: 'lobby', limit: 5, per: 60_000 }
  it.each<[string, (client: ReturnType<typeof create>) => Promise<unknown>]>([
    ['redisSessionStore', async (client) => redisSessionStore(client).get(key)],
    ['redisStore', async (client) => redisStore(client).seen(key, 1000)],
    ['redisPurchaseStore', async (client) => redisPurchaseStore(client).get(key)],
    [
      'redisRateLimitStore',
      async (client) => redisRateLimitStore(client).acquire({ buckets: [bucket], want: 1, hold: 1000 }),
    ],
    ['redisLobbyBroker', async (client) => redisLobbyBroker(client).publish('x')],
  ])('is named by %s, with the call that is missing', async (_name, use) => {
    await expect(use(create())).rejects.toMatchObject({
      code: 'connection_failed',
      message: expect.stringContaining('await client.connect()') as string,
    })
  })
})

describe('a connection', () => {
  it.each([
    ['a replica', "READONLY You can't write against a read only replica."],
    ['a replica, in a script of Redis 6', inScript("-READONLY You can't write against a read only replica.")],
    [
      'a replica, in a script of Redis 7',
      "READONLY You can't write against a read only replica. script: 0a1b, on @user_script:4.",
    ],
    [
      'a replica without its master',
      "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
    ],
    ['a server that has another password', 'NOAUTH Authentication required.'],
  ])('to %s is replaced twice a second at most', async (_, message) => {
    expect(await replacementsBy(message)).toBe(10)
  })

  it.each([
    ['that loads its data', 'LOADING Redis is loading the dataset in memory'],
    [
      'whose disk is full',
      'MISCONF Redis is configured to save RDB snapshots, but it is currently not able to persist on disk.',
    ],
    ['whose memory is full', "OOM command not allowed when used memory > 'maxmemory'."],
    ['that runs a script', 'BUSY Redis is busy running a script.'],
    ['whose reply names the word', 'ERR unknown command READONLY'],
  ])('to a server %s is kept: the next one would be refused too', async (_, message) => {
    expect(await replacementsBy(message)).toBe(0)
  })
})

describe('a user without rights', () => {
  const DENIALS = [
    "NOPERM User game has no permissions to run the 'set' command",
    'NOPERM No permissions to access a key',
    inScript("The user executing the script can't run this command or subcommand"),
    "ERR ACL failure in script: User game has no permissions to run the 'time' command script: 0a1b, on @user_script:4.",
  ]
  const WORK: [string, () => Promise<unknown>][] = [
    [
      'a rate limit store',
      async () => redisRateLimitStore(redis, { logger }).renew?.({ bucket: BUCKET, lease: 'x', hold: 1 }),
    ],
    ['a store of signatures', async () => redisStore(redis, { logger }).seen(keyOf('x'), 1000)],
    ['a store of sessions', async () => redisSessionStore(redis, { logger }).get(keyOf('x'))],
    ['a broker that reads', async () => redisLobbyBroker(redis, { logger }).getAll(['x'])],
    ['a broker that publishes', async () => redisLobbyBroker(redis, { logger }).publish('news')],
  ]
  const BUCKET = { key: 'get_lobby', limit: 50, per: 1000 }

  it.each(WORK.flatMap(([what, work]) => DENIALS.map((message) => ({ what, work, message }))))(
    'is reported by $what: $message',
    async ({ work, message }) => {
      const refuse = async (): Promise<never> => {
        throw new Error(message)
      }
      Object.assign(redis, { line: refuse, eval: refuse, script: refuse, publish: refuse })
      await expect(work()).rejects.toThrow(message)
      expect(entries).toEqual(['redis.denied'])
    },
  )
})

describe('a server that evicts keys', () => {
  it.each([
    ['a store of signatures', async () => redisStore(redis, { logger }).seen(keyOf('x'), 1000)],
    ['a store of tickets', async () => redisStore(redis, { logger }).put(keyOf('x'), 'text', 1000)],
    ['a store of sessions', async () => redisSessionStore(redis, { logger }).get(keyOf('x'))],
    ['a broker', async () => redisLobbyBroker(redis, { logger }).getAll(['x'])],
  ])('is reported by the first command of %s', async (_, work) => {
    redis.memory = '# Memory\r\nmaxmemory:104857600\r\nmaxmemory_policy:volatile-lfu\r\n'
    await work()
    await settled()
    expect(entries).toEqual(['redis.evicts_keys'])
  })

  it.each<[string, () => unknown]>([
    ['says nothing about it', () => 'redis_version:7.2.0\r\n'],
    ['answers with something else', () => undefined],
    [
      'may not be asked',
      () => {
        throw new Error("NOPERM User game has no permissions to run the 'info' command")
      },
    ],
    ['has a limit that is left out', () => 'maxmemory:0\r\nmaxmemory_policy:allkeys-lru\r\n'],
  ])('is not guessed if the server %s, and the command counts', async (_, answer) => {
    redis.info = answer as never
    expect(await redisStore(redis, { logger }).seen(keyOf('x'), 1000)).toBe(false)
    await settled()
    expect(entries).toEqual([])
  })

  it('does not fail a command because the logger throws', async () => {
    redis.memory = 'maxmemory:1\r\nmaxmemory_policy:allkeys-random\r\n'
    expect(await redisStore(redis, { logger: throwing }).seen(keyOf('x'), 1000)).toBe(false)
    await settled()
    redis.line = async () => Promise.reject(new Error('NOPERM'))
    await expect(redisStore(redis, { logger: throwing }).take(keyOf('x'))).rejects.toThrow('NOPERM')
  })
})
