/** Endpoints of the demo's server through which the page controls the emulator: named faults, for its own origin alone. The control token stays in this process. */
import { createLobby } from './emulator-access.mjs'

/** @import { IncomingMessage, ServerResponse } from 'node:http' */
/** @import { Emulator } from 'foyer-emulator' */
/** @import { Act, Acts, Handle } from './server-types' */

/** A hundred commands of the maximum size fit. */
const BODY_LIMIT = 2_000_000
const MESSAGES = '/api/v10/lobbies/*/messages'
const REFUSAL = {
  status: 429,
  headers: { 'Retry-After': '3', 'X-RateLimit-Scope': 'user' },
  body: { message: 'You are being rate limited.', retry_after: 3, global: false },
}

/**
 * Creates the endpoints. `ahead` returns the offset of the emulator's clock, in ms.
 *
 * @param {Emulator} emulator
 * @param {string} origin
 * @param {Acts} commands further endpoints, under `/commands/`
 */
export function createFaultEndpoints(emulator, origin, commands) {
  let ahead = 0
  /** @param {{ ms: number }} body */
  const sleep = ({ ms }) => {
    emulator.advance(ms)
    ahead += ms
  }
  /** @type {Acts} */
  const faults = {
    /** @param {{ url: string, as: string }} body */
    authorize: ({ url, as }) => emulator.authorize(url, { as }),
    /** @param {{ user: string }} body */
    expire: ({ user }) => emulator.tokens({ user, action: 'expire' }),
    /** @param {{ user: string }} body */
    revoke: ({ user }) => emulator.tokens({ user, action: 'revoke' }),
    /** @param {{ user: string }} body becomes a member who may link it */
    lobby: async ({ user }) => ({
      id: (await createLobby(emulator, { members: [{ id: user, flags: 1 }] })).id,
    }),
    sleep,
    refuse: () => void emulator.faults({ match: { method: 'POST', path: MESSAGES }, effect: REFUSAL }),
    cut: () => void emulator.faults({ match: { path: '/api/v10/*' }, times: 1000, effect: { drop: true } }),
    mend: () => void emulator.faults([]),
    armed: () => ({ isArmed: emulator.faults().some(isRefusal) }),
    disarm: () => void emulator.faults(emulator.faults().filter((rule) => !isRefusal(rule))),
  }
  /** @type {Handle} */
  const handle = async (request, response) => {
    const { pathname } = new URL(request.url ?? '', origin)
    const [, group, name = ''] = /^\/(faults|commands)\/(\w+)$/.exec(pathname) ?? []
    if (group === undefined) return false
    const acts = group === 'faults' ? faults : commands
    const act = Object.hasOwn(acts, name) ? acts[name] : undefined
    if (!isOwn(request, origin)) answer(response, 403)
    else if (pathname === '/faults/events' && request.method === 'GET') stream(emulator, request, response)
    else if (act && request.method === 'POST') await perform(act, request, response)
    else answer(response, 404)
    return true
  }
  return { handle, ahead: () => ahead }
}

/** @param {ReturnType<Emulator['faults']>[number]} rule */
function isRefusal({ match }) {
  return match?.path === MESSAGES
}

/**
 * Checks the origin: a page of another origin may neither inject faults nor receive events.
 *
 * @param {IncomingMessage} request
 * @param {string} origin
 */
function isOwn({ headers, method }, origin) {
  if (headers.host !== new URL(origin).host) return false
  return headers.origin === undefined
    ? method === 'GET' && headers['sec-fetch-site'] === 'same-origin'
    : headers.origin === origin
}

/**
 * @param {Act} inject
 * @param {IncomingMessage} request
 * @param {ServerResponse} response
 */
async function perform(inject, request, response) {
  try {
    answer(response, 200, Object(await inject(await readJson(request))))
  } catch (error) {
    answer(response, 400, { message: error instanceof Error ? error.message : String(error) })
  }
}

/**
 * @template Body
 * @param {IncomingMessage} request
 * @returns {Promise<Body>} what the act expects
 */
async function readJson(request) {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) {
    text += chunk
    if (text.length > BODY_LIMIT) throw new Error('The body is too large.')
  }
  return JSON.parse(text || '{}')
}

/**
 * @param {ServerResponse} response
 * @param {number} status
 * @param {object} [body]
 */
function answer(response, status, body = {}) {
  response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' })
  response.end(JSON.stringify(body))
}

/**
 * Streams lobby events to the page, as a game's own backend would forward them.
 *
 * @param {Emulator} emulator
 * @param {IncomingMessage} request
 * @param {ServerResponse} response
 */
function stream(emulator, request, response) {
  response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' })
  response.write(': listening\n\n')
  const undo = emulator.subscribe(({ name, data }) => {
    if (name.startsWith('lobby.')) response.write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`)
  })
  request.once('close', undo)
}
