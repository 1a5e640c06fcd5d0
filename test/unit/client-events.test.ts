/** Events of a client: every name can be listened to, and no other. */
import { Client, type ClientEvents } from 'foyer-sdk'
import { EventEmitter } from 'eventemitter3'
import { describe, expect, expectTypeOf, it, onTestFinished } from 'vitest'
import { codeOf, rejection } from '../support/settle'
import { strayErrors } from '../support/stray-errors'

/** Every event. The type check fails if one is missing. */
const EVENTS: Record<keyof ClientEvents, true> = {
  statusChanged: true,
  sessionChanged: true,
  tokenExpiring: true,
  tokenRefreshed: true,
  maybeClosed: true,
  rateLimited: true,
  rateLimitDelayed: true,
  browserUnavailable: true,
  activityLaunched: true,
  activityParticipants: true,
  activityJoin: true,
  activityLobby: true,
  activityClosed: true,
  lobbyCreated: true,
  lobbyUpdated: true,
  lobbyDeleted: true,
  lobbyMessage: true,
  log: true,
}

/** A client whose events the test emits. */
class EmittingClient extends Client {
  send(name: keyof ClientEvents): void {
    this.emit(name, {} as never)
  }
}

function createClient() {
  const client = new EmittingClient({ service: { host: 'https://service.test' } })
  onTestFinished(() => client.close())
  return client
}

const NAMES = Object.keys(EVENTS) as (keyof ClientEvents)[]

it.each(NAMES)(
  'the event %s can be listened to until the listener is removed, or the signal aborts',
  (name) => {
    const client = createClient()
    const seen: string[] = []
    const stop = new AbortController()
    const off = client.on(name, () => seen.push('first'))
    client.on(name, () => seen.push('signal'), { signal: stop.signal })
    client.on(name, () => seen.push('last'))
    client.send(name)
    off()
    off()
    client.send(name)
    stop.abort()
    client.send(name)
    expect(seen).toEqual(['first', 'signal', 'last', 'signal', 'last', 'last'])
  },
)

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}

describe('a listener', () => {
  it('is removed by its own function alone, also if it was added twice', () => {
    const client = createClient()
    let count = 0
    const listener = () => (count += 1)
    const off = client.on('statusChanged', listener)
    client.on('statusChanged', listener)
    off()
    client.send('statusChanged')
    off()
    client.send('statusChanged')
    expect(count).toBe(2)
  })

  it('is never called with a signal that was aborted before', () => {
    const client = createClient()
    const seen: string[] = []
    client.on('statusChanged', () => seen.push('called'), { signal: AbortSignal.abort() })()
    client.send('statusChanged')
    expect(seen).toEqual([])
  })

  it('that was removed is not held by its signal', () => {
    const stop = new AbortController()
    const held = new Set<unknown>()
    const { signal } = stop
    signal.addEventListener = (_: string, listener: unknown) => void held.add(listener)
    signal.removeEventListener = (_: string, listener: unknown) => void held.delete(listener)
    const off = createClient().on('statusChanged', () => undefined, { signal })
    expect(held.size).toBe(1)
    off()
    expect(held.size).toBe(0)
  })

  it('that throws keeps no other from the event, and the page receives the error', async () => {
    using stray = strayErrors()
    const client = createClient()
    const seen: string[] = []
    client.on('statusChanged', () => {
      throw new Error('of the game')
    })
    client.on('statusChanged', () => seen.push('second'))
    client.send('statusChanged')
    client.send('statusChanged')
    expect(seen).toEqual(['second', 'second'])
    expect(await stray.errors()).toEqual(['Error: of the game', 'Error: of the game'])
  })

  it('may add and remove listeners while it is called', () => {
    const client = createClient()
    const seen: string[] = []
    const off = client.on('statusChanged', () => {
      seen.push('once')
      off()
      client.on('statusChanged', () => seen.push('added'))
    })
    client.send('statusChanged')
    client.send('statusChanged')
    expect(seen).toEqual(['once', 'added'])
  })

  it('is not called any more once the client is closed', () => {
    const client = createClient()
    const seen: string[] = []
    client.on('statusChanged', () => seen.push('called'))
    client.close()
    client.send('statusChanged')
    expect(seen).toEqual([])
  })

  it.each<[string, unknown, unknown]>([
    ['is no function', 'render', undefined],
    ['is missing', undefined, undefined],
    ['has a controller instead of its signal', () => undefined, { signal: new AbortController() }],
    ['has text as options', () => undefined, 'signal'],
    ['has a signal instead of the options', () => undefined, new AbortController().signal],
    ['has options that cannot be read', () => undefined, revoked()],
    ['has a misspelt option', () => undefined, { singal: new AbortController().signal }],
  ])('that %s is refused, and not added', async (_, given, options) => {
    const client = createClient()
    let isCalled = false
    const listener = typeof given === 'function' ? () => (isCalled = true) : given
    expect(await codeOf(() => client.on('statusChanged', listener as never, options as never))).toBe(
      'invalid_argument',
    )
    client.send('statusChanged')
    expect(isCalled).toBe(false)
  })
})

describe('an unknown event', () => {
  it.each([
    ['sesionChanged', 'Did you mean event sessionChanged?'],
    ['lobbymessage', 'Did you mean event lobbyMessage?'],
    ['lobby_created', 'Did you mean event lobbyCreated?'],
    ['myOwnEvent', 'Events: statusChanged, sessionChanged'],
    ['', 'Events: statusChanged'],
    ['toString', 'Events: statusChanged'],
    [undefined, 'Events: statusChanged'],
  ])('%j is refused with what was meant, or with all names', async (name, remedy) => {
    const error = await rejection(() => createClient().on(name as never, () => undefined))
    expect(error).toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining(remedy) as unknown,
    })
  })
})

it('a client has no method of the event library but on', () => {
  expectTypeOf<Extract<keyof Client, keyof EventEmitter | 'subscribe'>>().toEqualTypeOf<'on'>()
  const client = createClient()
  // `emit` is for the clients of other environments, which extend this one.
  const foreign = Object.getOwnPropertyNames(EventEmitter.prototype).filter(
    (name) => name in client && !(name in Object.prototype),
  )
  expect(foreign.toSorted()).toEqual(['emit', 'on'])
  expect(['subscribe', '_events', '_eventsCount'].filter((name) => name in client)).toEqual([])
})
