/** Developer panel: a script for the page, and an endpoint with the emulator's state. Exists during `vite dev` only. */
import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin, ResolvedConfig } from 'vite'
import type { RunningEmulator } from './running-emulator'

const SCRIPT = '@foyer/panel.js'
const STATE = '@foyer/state'
const REFUSALS = 5

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
    configureServer({ middlewares }) {
      middlewares.use((request, response, next) => {
        const emulator = findEmulator()
        const path = request.url?.split('?')[0]?.replace(config.base, '')
        if (!emulator || (path !== SCRIPT && path !== STATE)) return next()
        if (path === SCRIPT) send(response, 'text/javascript', readScript())
        else answer(emulator, request, response)
      })
    },
    transformIndexHtml: () =>
      findEmulator() ? [{ tag: 'script', attrs: { type: 'module', src: `${config.base}${SCRIPT}` }, injectTo: 'body' }] : [],
  }
}

const readScript = (): string => readFileSync(join(dirname(fileURLToPath(import.meta.url)), 'panel/developer-panel-script.js'), 'utf8')

/** Addresses and host names of this machine. */
const LOOPBACK_ADDRESS = /^(?:::1|(?:::ffff:)?127(?:\.\d{1,3}){3})$/
const LOOPBACK_HOST = /^(?:(?:[\w-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/

/**
 * True for a page of this dev server in a browser on this machine. Other sites cannot send the custom header without permission, and
 * browsers name the site of the page. With `vite --host` the network can connect too, and with `allowedHosts: true` any name may lead here.
 */
function isOwnPage({ headers, socket }: IncomingMessage): boolean {
  const isLocal =
    LOOPBACK_ADDRESS.test(socket.remoteAddress ?? '') && LOOPBACK_HOST.test(headers.host ?? String(headers[':authority'] ?? ''))
  return isLocal && headers['x-foyer-panel'] === '1' && [undefined, 'same-origin', 'none'].includes(headers['sec-fetch-site']?.toString())
}

function answer(emulator: RunningEmulator, request: IncomingMessage, response: ServerResponse): void {
  if (!isOwnPage(request)) return void response.writeHead(403).end()
  const action = new URLSearchParams(request.url?.split('?')[1]).get('do')
  if (request.method === 'POST') act(emulator, action ?? '')
  send(response, 'application/json', JSON.stringify(stateOf(emulator)))
}

function act(emulator: RunningEmulator, action: string): void {
  const fault = Object.hasOwn(FAULTS, action) ? FAULTS[action] : undefined
  if (fault) emulator.faults(fault)
  else if (action === 'expire' || action === 'revoke') emulator.users.forEach(({ id: user }) => emulator.tokens({ user, action }))
}

function stateOf(emulator: RunningEmulator) {
  const { url, application, users, requests } = emulator
  const names = new Map(users.map(({ id, username }) => [id, username]))
  const uses = Object.entries(emulator.limits().limits).flatMap(([name, view]) =>
    (view?.uses ?? []).map(({ key, used }) => ({ name, player: names.get(key) ?? key, used, limit: view?.limit })),
  )
  const refusals = requests.filter(({ status }) => status === 0 || status >= 400).slice(-REFUSALS)
  return { url, applicationId: application.id, uses: uses.filter(({ used }) => used > 0), refusals }
}

function send(response: ServerResponse, type: string, text: string): void {
  response.setHeader('content-type', type)
  response.setHeader('cache-control', 'no-store')
  response.end(text)
}
