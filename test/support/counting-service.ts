/** A service in the test itself, in virtual time: it counts what a backend asks, and knows honest codes and tokens by their names. */
import type { Fetch } from 'foyer-sdk'
import { settle } from './settle'
import type { ManualClock } from './manual-clock'

const HOST = 'https://service.example'
const APPLICATION = '1287654321098765433'
const WEEK = 604_800
const NOTHING = new Uint8Array()

export class CountingService {
  static readonly host = HOST
  static readonly applicationId = APPLICATION
  /** Method, path and time of each request. */
  readonly requests: { readonly line: string; readonly at: number; readonly body: string }[] = []
  /** Seconds that tokens last. */
  life = WEEK
  readonly #clock: ManualClock
  #issued = 0

  constructor(clock: ManualClock) {
    this.#clock = clock
  }

  readonly fetch: Fetch = async (url, init) => {
    const { pathname } = new URL(url)
    const body = typeof init.body === 'string' ? init.body : ''
    this.requests.push({ line: `${init.method ?? 'GET'} ${pathname}`, at: this.#clock.now(), body })
    const token = new Headers(init.headers).get('authorization')?.replace('Bearer ', '') ?? ''
    if (pathname.endsWith('/oauth2/token')) return this.#grant(new URLSearchParams(body))
    if (pathname.endsWith('/revoke')) return Response.json({})
    if (pathname.endsWith('/oauth2/keys')) return Response.json({ keys: [] })
    const lobby = /\/lobbies\/(\d+)$/.exec(pathname)?.[1]
    if (lobby !== undefined)
      return Response.json({ id: lobby, application_id: APPLICATION, metadata: null, members: [] })
    if (!/^access-\d+/.test(token))
      return Response.json({ message: '401: Unauthorized', code: 0 }, { status: 401 })
    const user = { id: playerOf(token), username: 'someone', global_name: null }
    if (pathname.endsWith('/users/@me')) return Response.json(user)
    const expires = new Date(this.#clock.now() + WEEK * 1000).toISOString()
    return Response.json({ application: { id: APPLICATION }, scopes: ['identify'], expires, user })
  }

  count(ending: string): number {
    return this.requests.filter(({ line }) => line.endsWith(ending)).length
  }

  /** The most requests in a span of time. */
  most(ending: string, ms: number): number {
    const times = this.requests.filter(({ line }) => line.endsWith(ending)).map(({ at }) => at)
    return Math.max(0, ...times.map((from) => times.filter((at) => at >= from && at < from + ms).length))
  }

  /** `honest-7` is a code of the player 7, and `refresh-7-…` a refresh token. */
  #grant(form: URLSearchParams): Response {
    const player = /^(?:honest|refresh)-(\d+)/.exec(form.get('code') ?? form.get('refresh_token') ?? '')?.[1]
    if (player === undefined) return Response.json({ error: 'invalid_grant' }, { status: 400 })
    const number = ++this.#issued
    return Response.json({
      access_token: `access-${player}-${number}`,
      refresh_token: `refresh-${player}-${number}`,
      token_type: 'Bearer',
      expires_in: this.life,
      scope: 'identify',
    })
  }
}

const playerOf = (token: string): string => String(7_000_000 + Number(/^access-(\d+)/.exec(token)?.[1] ?? 0))

/** Lets work go on that waits for nothing but the machine, such as encryption. */
export async function settleWork(): Promise<void> {
  for (let turn = 0; turn < 12; turn++) {
    // Behind what the threads that encrypt have to do, of which Node has four.
    await Promise.all(Array.from({ length: 4 }, () => crypto.subtle.digest('SHA-256', NOTHING)))
    await settle()
  }
}

/** Advances the clock in steps, with what each of them causes. */
export async function passTime(clock: ManualClock, ms: number, step = 100): Promise<void> {
  for (let passed = 0; passed < ms; passed += step) {
    clock.advance(step)
    await settleWork()
  }
}
