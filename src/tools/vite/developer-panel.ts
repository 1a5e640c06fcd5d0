/** Developer panel: a script for the page, and an endpoint with the emulator's state. Exists during `vite dev` only. */
import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin, ResolvedConfig } from 'vite'
import type { RunningEmulator } from './running-emulator'
import { serveSecondName } from './second-name'

const SCRIPT = '@foyer/panel.js'
const STATE = '@foyer/state'
const INSPECTOR = '@foyer/inspector'
const PATHS = [SCRIPT, STATE, INSPECTOR] as const
const SHOWN_REQUESTS = 6

/** Rules of the buttons, by name. */
const FAULTS: Readonly<Record<string, object>> = {
  unavailable: { times: 1, match: { path: '/api/*' }, effect: { status: 503 } },
  slow: { times: 1, match: { path: '/api/*' }, effect: { delay: 3000 } },
  offline: { times: 1, match: { path: '/api/*' }, effect: { drop: true } },
}

export function developerPanel(findEmulator: () => RunningEmulator | undefined): Plugin {
  let config: ResolvedConfig
  return {
    name: 'foyer:developer-panel',
    apply: 'serve',
    configResolved(resolved) {
      config = resolved
    },
    configureServer({ middlewares, httpServer }) {
      if (httpServer && findEmulator()) httpServer.once('listening', () => serveSecondName(httpServer))
      middlewares.use((request, response, next) => {
        const emulator = findEmulator()
        const path = request.url?.split('?')[0]?.replace(config.base, '') ?? ''
        if (!emulator || !PATHS.some((own) => own === path)) return next()
        if (path === SCRIPT) send(response, 'text/javascript', readScript())
        else if (path === INSPECTOR) redirectToInspector(emulator, request, response)
        else void answer(emulator, request, response)
      })
    },
    transformIndexHtml: () =>
      findEmulator()
        ? [{ tag: 'script', attrs: { type: 'module', src: `${config.base}${SCRIPT}` }, injectTo: 'body' }]
        : [],
  }
}

const readScript = (): string =>
  readFileSync(join(dirname(fileURLToPath(import.meta.url)), 'panel/developer-panel-script.js'), 'utf8')

/** Addresses and host names of this machine. */
const LOOPBACK_ADDRESS = /^(?:::1|(?:::ffff:)?127(?:\.\d{1,3}){3})$/
const LOOPBACK_HOST = /^(?:(?:[\w-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/

/**
 * True for a page of this dev server in a browser on this machine. Other sites cannot send the custom header without permission, and
 * browsers name the site of the page. With `vite --host` the network can connect too, and with `allowedHosts: true` any name may lead here.
 */
function isOwnPage(request: IncomingMessage): boolean {
  const { headers } = request
  return (
    isLocal(request) &&
    headers['x-foyer-panel'] === '1' &&
    [undefined, 'same-origin', 'none'].includes(headers['sec-fetch-site']?.toString())
  )
}

function isLocal({ headers, socket }: IncomingMessage): boolean {
  return (
    LOOPBACK_ADDRESS.test(socket.remoteAddress ?? '') &&
    LOOPBACK_HOST.test(headers.host ?? String(headers[':authority'] ?? ''))
  )
}

/**
 * Hands the control token over in the fragment, which is sent to no server, and only to a link of this page that is followed. A script
 * that fetches the address sees no redirect.
 */
function redirectToInspector(
  emulator: RunningEmulator,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const { 'sec-fetch-site': site, 'sec-fetch-mode': mode, 'sec-fetch-dest': target } = request.headers
  const isLink = isLocal(request) && site === 'same-origin' && mode === 'navigate' && target === 'document'
  if (!isLink) return void response.writeHead(403).end()
  response
    .writeHead(302, {
      location: `${emulator.url}/inspector#${emulator.controlToken}`,
      'cache-control': 'no-store',
    })
    .end()
}

async function answer(
  emulator: RunningEmulator,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (!isOwnPage(request)) return void response.writeHead(403).end()
  const action = new URLSearchParams(request.url?.split('?')[1]).get('do')
  if (request.method === 'POST') act(emulator, action ?? '')
  // An emulator that ends meanwhile has no state.
  const state = await stateOf(emulator).catch(() => undefined)
  if (state === undefined) response.writeHead(503).end()
  else send(response, 'application/json', JSON.stringify(state))
}

function act(emulator: RunningEmulator, action: string): void {
  const fault = Object.hasOwn(FAULTS, action) ? FAULTS[action] : undefined
  if (fault) emulator.faults(fault)
  else if (action === 'expire' || action === 'revoke')
    emulator.users.forEach(({ id: user }) => emulator.tokens({ user, action }))
}

async function stateOf(emulator: RunningEmulator) {
  const { url, application, users, requests, activity } = emulator
  const names = new Map(users.map(({ id, username, globalName }) => [id, globalName ?? username]))
  const uses = Object.entries(emulator.limits().limits).flatMap(([name, view]) =>
    (view?.uses ?? []).flatMap(({ key, used }) => {
      // The key of what is counted: the application, and the player if each has a budget.
      const [counted, player] = key.split(' ')
      const who = player === undefined ? 'all players' : (names.get(player) ?? player)
      return counted === application.id && used > 0 ? [{ name, player: who, used, limit: view?.limit }] : []
    }),
  )
  const signedIn = await readSignedIn(emulator)
  return {
    url,
    applicationId: application.id,
    activity: activity.url,
    players: signedIn.map((id) => names.get(id) ?? id),
    uses,
    // A preflight is the browser's, not the game's.
    requests: requests
      .filter(({ ownPage, method }) => ownPage !== true && method !== 'OPTIONS')
      .slice(-SHOWN_REQUESTS),
  }
}

/** Players with a token that is valid. */
async function readSignedIn({ url, controlToken }: RunningEmulator): Promise<string[]> {
  const response = await fetch(`${url}/_emulator/overview`, {
    headers: { authorization: `Bearer ${controlToken}` },
  }).catch(() => undefined)
  if (!response?.ok) return []
  const { tokens }: { tokens: { player: string }[] } = await response.json()
  return [...new Set(tokens.map(({ player }) => player))]
}

function send(response: ServerResponse, type: string, text: string): void {
  response.setHeader('content-type', type)
  response.setHeader('cache-control', 'no-store')
  response.end(text)
}
