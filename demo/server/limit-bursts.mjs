/** Bursts of requests against the emulator's rate limits, by a client of the SDK and without one; and what the emulator counts. */
import { backendRequest, createBackendClient } from './emulator-access.mjs'

/** @import { Emulator } from 'foyer-emulator' */
/** @import { BackendClient, HeaderMode, LoadSdk, Refusals, ServerSdk } from './server-types' */
/** @typedef {{ headers: HeaderMode, isRaised: boolean, refused: Refusals, client: BackendClient | undefined }} State */
/**
 * @typedef {object} Call
 * @property {(lobby: string, user: string) => string} path
 * @property {RequestInit} init
 * @property {(client: BackendClient, lobby: string, user: string) => Promise<unknown>} send
 */

/** Largest burst; the emulator and this server share a process. */
const LARGEST = 2000
const HEADER_MODES = new Set(['visible', 'hidden', 'absent'])
/** Requests per second to which a service raises the limit of an application on request. */
const RAISED = 1200
const USUAL = 50
const SECOND = 1000

/**
 * Requests of a burst, by the name of their limit.
 *
 * @type {Record<string, Call>}
 */
const CALLS = {
  get_lobby: {
    path: (lobby) => `/lobbies/${lobby}`,
    init: { method: 'GET' },
    send: (client, lobby) => client.lobbies.get(lobby),
  },
  add_lobby_member: {
    path: (lobby, user) => `/lobbies/${lobby}/members/${user}`,
    init: { method: 'PUT', body: '{}' },
    send: (client, lobby, user) => client.lobbies.putMember(lobby, { id: user }),
  },
}

/**
 * Returns acts of the page's endpoints.
 *
 * @param {Emulator} emulator
 * @param {LoadSdk} load imports `foyer-sdk/server`
 */
export function createLimitActs(emulator, load) {
  /** @type {State} */
  const state = { headers: 'visible', isRaised: false, refused: {}, client: undefined }
  applySettings(emulator, state)
  const connect = async () => (state.client ??= createClient(await load(), emulator, state))
  const disconnect = () => {
    state.client?.close()
    state.client = undefined
  }
  /** @param {{ headers?: HeaderMode, raised?: boolean }} body */
  const set = ({ headers = state.headers, raised = state.isRaised }) => {
    if (!HEADER_MODES.has(headers)) throw new Error(`There is no such mode of headers: ${headers}.`)
    if (raised !== state.isRaised) disconnect()
    Object.assign(state, { headers, isRaised: raised })
    applySettings(emulator, state)
  }
  const reset = () => {
    disconnect()
    state.refused = {}
    emulator.limits({ profile: 'off', edge: null })
    applySettings(emulator, state)
  }
  /** @param {{ count: number, call: string, plain: boolean }} body */
  const burst = async ({ count, call, plain }) => {
    if (!Number.isInteger(count) || count < 1 || count > LARGEST)
      throw new Error(`A burst has from 1 to ${LARGEST} requests.`)
    const chosen = Object.hasOwn(CALLS, call) ? CALLS[call] : undefined
    if (!chosen) throw new Error(`There is no such call: ${call}.`)
    const own = await connect()
    // A lobby of its own, whose limit shows the burst alone. The client creates it: it has to count this request too.
    const { id } = await own.lobbies.create({})
    const begun = performance.now()
    const user = emulator.users[0]?.id ?? ''
    const send = plain
      ? plainRequests(emulator, state, chosen)
      : () => chosen.send(own, id, user).then(() => 200, statusOf)
    const statuses = await Promise.all(Array.from({ length: count }, () => send(id, user)))
    return { ...tally(statuses), ms: Math.round(performance.now() - begun) }
  }
  return { limits: () => describe(emulator, state), setLimits: set, resetLimits: reset, burst }
}

/**
 * @param {Emulator} emulator
 * @param {State} state
 */
function applySettings(emulator, { headers, isRaised }) {
  const global = { limit: isRaised ? RAISED : USUAL, per: SECOND }
  emulator.limits({ profile: 'production', global, edge: {}, '*': { headers } })
}

/**
 * @param {ServerSdk} sdk
 * @param {Emulator} emulator
 * @param {State} state
 */
function createClient(sdk, emulator, { isRaised, refused }) {
  return createBackendClient(sdk, emulator, {
    service: { host: emulator.url, ...(isRaised && { limits: { global: { limit: RAISED, per: SECOND } } }) },
    onRateLimited: ({ bucket, by }) => void (by === 'service' && addRefusal(refused, bucket)),
  })
}

/**
 * @param {Refusals} refused
 * @param {string} name
 */
function addRefusal(refused, name) {
  refused[name] = (refused[name] ?? 0) + 1
}

/**
 * Requests as a game sends them that does not count: all at once, no repetition.
 *
 * @param {Emulator} emulator
 * @param {State} state
 * @param {Call} call
 * @returns {(lobby: string, user: string) => Promise<number>}
 */
function plainRequests(emulator, { refused }, { path, init }) {
  return async (lobby, user) => {
    const response = await fetch(
      `${emulator.url}/api/v10${path(lobby, user)}`,
      backendRequest(emulator, init),
    )
    await response.arrayBuffer()
    const [name = ''] = (response.headers.get('x-emulator-rule') ?? '').split(':')
    if (response.status === 429) addRefusal(refused, name)
    return response.status
  }
}

/** @param {{ status?: number, code?: string }} error */
function statusOf({ status, code }) {
  return code === 'rate_limited' ? 429 : (status ?? 0)
}

/** @param {number[]} statuses */
function tally(statuses) {
  const refused = statuses.filter((status) => status === 429).length
  const succeeded = statuses.filter((status) => status >= 200 && status < 300).length
  return { succeeded, refused, failed: statuses.length - succeeded - refused }
}

/**
 * One entry for each limit of the service, with the use of the application, or of the player who has used most of it.
 *
 * @param {Emulator} emulator
 * @param {State} state
 */
function describe(emulator, { client, headers, isRaised, refused }) {
  const { limits, edge } = emulator.limits()
  const waiting = client?.limits() ?? []
  const described = Object.entries(limits).flatMap(([name, view]) => {
    if (view === null) return []
    const { limit, per, counts, uses } = view
    const use = uses.toSorted((one, other) => other.used - one.used)[0]
    const own = waiting.filter(({ bucket }) => bucket === name)
    return {
      name,
      limit,
      per,
      counts,
      used: use?.used ?? 0,
      ...(counts === 'player' && use && { player: use.key.split(' ').at(-1) }),
      waiting: own.reduce((sum, each) => sum + each.waiting, 0),
      nextAt: own.find((each) => each.nextAt !== null)?.nextAt ?? null,
      refused: refused[name] ?? 0,
    }
  })
  return {
    limits: described,
    edge: edge && {
      limit: edge.limit,
      per: edge.per,
      used: Math.max(0, ...edge.uses.map(({ used }) => used)),
    },
    headers,
    raised: isRaised,
  }
}
