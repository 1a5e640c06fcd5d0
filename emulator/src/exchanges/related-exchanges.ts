/** Finds requests that belong together: of one sign-in, of one access token, lobby or player. */
import type { Exchange } from './record-exchange.js'
import { readMessages } from './view-exchange.js'
import { visitMessage } from './rewrite-message.js'
import type { ShownMessage } from './exchange-view.js'

/** An exchange with its number and player. */
export interface NumberedExchange {
  serial: number
  /** Epoch milliseconds. */
  at: number
  player?: string | undefined
  exchange: Exchange
}

export type Relation = 'same sign-in' | 'same access token' | 'same lobby' | 'same player'

export interface RelatedExchange {
  serial: number
  because: Relation
}

/** Milliseconds around a request in which others of the same lobby or player are listed. */
const NEARBY = 60_000
const MAX_RELATED = 50

/** Names of values that lead from one request of a sign-in to the next. */
const CHAIN: Readonly<Partial<Record<string, string>>> = {
  code: 'code',
  state: 'state',
  refresh_token: 'refresh',
  device_code: 'device',
  user_code: 'device',
}

type Links = ReadonlySet<string>

export class RelatedExchanges {
  readonly #links = new WeakMap<Exchange, Links>()

  /** Returns the related ones in their order, the nearest if there are many. */
  find(of: NumberedExchange, all: readonly NumberedExchange[]): RelatedExchange[] {
    const chain = this.#chainOf(of, all)
    const own = this.#linksOf(of)
    const isNear = ({ at }: NumberedExchange) => Math.abs(at - of.at) <= NEARBY
    const relationOf = (other: NumberedExchange): Relation | undefined => {
      if (chain.has(other)) return 'same sign-in'
      const links = this.#linksOf(other)
      if (shares(own, links, 'token')) return 'same access token'
      if (isNear(other) && shares(own, links, 'lobby')) return 'same lobby'
      return isNear(other) && of.player !== undefined && other.player === of.player
        ? 'same player'
        : undefined
    }
    return all
      .filter(({ serial }) => serial !== of.serial)
      .flatMap((other) => {
        const because = relationOf(other)
        return because === undefined ? [] : [{ serial: other.serial, because }]
      })
      .toSorted((a, b) => Math.abs(a.serial - of.serial) - Math.abs(b.serial - of.serial))
      .slice(0, MAX_RELATED)
      .toSorted((a, b) => a.serial - b.serial)
  }

  /** Follows state, code and refresh tokens from request to request. */
  #chainOf(of: NumberedExchange, all: readonly NumberedExchange[]): ReadonlySet<NumberedExchange> {
    const known = new Set([...this.#linksOf(of)].filter(isChained))
    const chain = new Set<NumberedExchange>()
    for (let size = -1; size < known.size;) {
      size = known.size
      for (const each of all) {
        const links = [...this.#linksOf(each)].filter(isChained)
        if (!links.some((link) => known.has(link))) continue
        chain.add(each)
        for (const link of links) known.add(link)
      }
    }
    return chain
  }

  #linksOf({ exchange }: NumberedExchange): Links {
    const links = this.#links.get(exchange) ?? linksIn(exchange)
    this.#links.set(exchange, links)
    return links
  }
}

const isChained = (link: string): boolean => !/^(?:token|lobby) /.test(link)

function shares(one: Links, other: Links, kind: string): boolean {
  return [...one].some((link) => link.startsWith(`${kind} `) && other.has(link))
}

/** Path of a sign-in, whose messages lead from one to the next. */
const SIGN_IN = /\/oauth2\//

/**
 * Values by which a request belongs to one sender: those that lead from one request of a sign-in to the next, and its token. `state` is
 * none: a game may send the same one for every player.
 */
export function chainLinksOf(exchange: Exchange): string[] {
  const sent = exchange.requestHeaders.find(([name]) => name.toLowerCase() === 'authorization')?.[1] ?? ''
  const [, scheme = '', credentials = ''] = /^(\w+) (.{6,})$/.exec(sent) ?? []
  // Basic credentials are those of the application, which sends them for every player.
  const own = /^(?:Bearer|Bot)$/.test(scheme) ? [`secret ${credentials}`] : []
  if (!SIGN_IN.test(exchange.target)) return own
  const links = [...linksIn(exchange)]
    .filter((link) => /^(?:attempt|code|refresh|device|token) /.test(link) && link !== `token ${credentials}`)
    .map((link) => link.replace(/^(?:refresh|token) /, 'secret '))
  return [...links, ...own]
}

function linksIn(exchange: Exchange): Links {
  const { request, response } = readMessages(exchange)
  const links = new Set<string>()
  const [, lobby] = /\/lobbies\/(\d+)/.exec(request.line) ?? []
  if (lobby !== undefined) links.add(`lobby ${lobby}`)
  // Only bodies of a sign-in lead on, and there may be a thousand long ones.
  const isSignIn = SIGN_IN.test(request.line)
  for (const message of [request, response])
    if (message) addLinks(links, isSignIn ? message : { ...message, body: { kind: 'none', size: 0 } })
  return links
}

/** Addresses of the consent page have a one-time segment. */
const ATTEMPT = /\/oauth2\/(?:authorize|sign-in)\/([\w-]{6,})/g

function addLinks(links: Set<string>, message: ShownMessage): void {
  const location = message.headers.find(([name]) => name.toLowerCase() === 'location')?.[1] ?? ''
  for (const [, attempt] of `${message.line} ${location}`.matchAll(ATTEMPT)) links.add(`attempt ${attempt}`)
  visitMessage(message, ({ names, value, isScalar }) => {
    const name = (names.at(-1) ?? '').toLowerCase()
    const kind = /^(?:access_token|authorization|token)$/.test(name)
      ? 'token'
      : Object.hasOwn(CHAIN, name)
        ? CHAIN[name]
        : undefined
    if (kind !== undefined && isScalar !== true && value.length >= 6) links.add(`${kind} ${value}`)
    return undefined
  })
}
