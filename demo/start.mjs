/** Starts the emulator and the demo page together: `npm run demo`, or `npm run dev` with a page that follows its source. Ctrl-C stops both. */
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCommandEndpoints } from './server/slash-commands.mjs'
import { createFaultEndpoints } from './server/fault-endpoints.mjs'
import { buildPage, loadServerSdk, serveFolder } from './server/serve-built-page.mjs'
import { serveSource } from './server/serve-source.mjs'
import { codeOf, messageOf, readOptions, StartFailure } from './server/start-options.mjs'

/** @import { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http' */
/** @import { Emulator } from 'foyer-emulator' */
/** @import { LoadSdk } from './server/server-types' */
/** @typedef {(() => unknown)[]} Undo */
/** @typedef {ReturnType<typeof readOptions>} Options */
/** @typedef {(request: IncomingMessage, response: ServerResponse) => unknown} Listener */

const HOST = 'localhost'
const APPLICATION_ID = '1287654321098765433'
/** Number of ports to try, the preferred one included. */
const PORTS = 20

/**
 * @param {Server} server
 * @param {number} port
 * @returns {Promise<number>}
 */
function listen(server, port) {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, HOST, () => {
      server.off('error', reject)
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : port)
    })
  })
}

/**
 * Finds the preferred port, or the next free one.
 *
 * @param {Server} server
 * @param {number} preferred
 */
async function listenNear(server, preferred) {
  const last = preferred === 0 ? 0 : Math.min(preferred + PORTS - 1, 65_535)
  for (let port = preferred; port <= last; port++) {
    try {
      return await listen(server, port)
    } catch (error) {
      if (codeOf(error) !== 'EADDRINUSE')
        throw new StartFailure(`The page cannot use port ${port}: ${messageOf(error)}`)
    }
  }
  throw new StartFailure(
    `Ports ${preferred} to ${last} are all in use: name another one with --port, or --port 0 for any.`,
  )
}

async function loadEmulator() {
  try {
    const { createEmulator } = await import('foyer-emulator')
    return createEmulator
  } catch (error) {
    if (codeOf(error) !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new StartFailure('The emulator is not built yet: run `npm ci`, then `npm run build:emulator`.')
  }
}

/**
 * Redirect URIs of this page, and those of an installed game: a loopback port and two custom schemes.
 *
 * @param {string} origin
 */
function redirectUrisOf(origin) {
  const pages = ['', 'callback.html', 'copy-callback.html'].map((path) => `${origin}/${path}`)
  return [
    ...pages,
    'http://127.0.0.1/callback',
    `service-${APPLICATION_ID}:/authorize/callback`,
    'mygame:/authorize/callback',
  ]
}

/**
 * @param {Options} options
 * @param {string} origin
 */
async function startEmulator({ emulatorPort: port, activityPort }, origin) {
  const createEmulator = await loadEmulator()
  const seed = { application: { id: APPLICATION_ID, redirectUris: redirectUrisOf(origin) } }
  try {
    // No delay: a command that was just registered is in the chat at once.
    return await createEmulator({
      port,
      activityPort,
      seed,
      activityUrl: `${origin}/`,
      commands: { globalDelay: 0 },
    })
  } catch (error) {
    throw new StartFailure(`The emulator does not start: ${messageOf(error)}`)
  }
}

/**
 * Configuration for the page. All of it is public: a game ships the same values in its code.
 *
 * @param {Emulator} emulator
 * @param {{ ahead: number, run: string }} state
 */
function describe({ url, application, users, activity }, { ahead, run }) {
  const players = users.map(({ id, username, globalName }) => ({ id, name: globalName ?? username }))
  const { id: applicationId, name, redirectUris } = application
  return JSON.stringify({
    host: url,
    applicationId,
    name,
    redirectUris,
    players,
    activity: activity.url,
    ahead,
    run,
  })
}

/**
 * Hands the control token over in the fragment, which is sent to no server, and only to a link of this page.
 *
 * @param {IncomingMessage} request
 * @param {ServerResponse} response
 * @param {Emulator} emulator
 */
function redirectToInspector({ headers }, response, { url, controlToken }) {
  const token = headers['sec-fetch-site'] === 'same-origin' ? `#${controlToken}` : ''
  response.writeHead(302, { Location: `${url}/inspector${token}`, 'Cache-Control': 'no-store' }).end()
}

/**
 * Origins that may frame the page: the host window of an Activity, and the chat, which frames that window.
 *
 * @param {Emulator} emulator
 */
function framingOrigins({ activity, url }) {
  return [new URL(activity.url ?? url).origin, url, `http://localhost:${new URL(url).port}`].join(' ')
}

/**
 * Returns the listener of the page's server.
 *
 * @param {Listener} serveFile has the files of the page
 * @param {{ emulator: Emulator, origin: string }} demo
 * @returns {Listener}
 */
function createPage(serveFile, { emulator, origin }) {
  // Changes with each start: the page recognizes by it that the emulator lost its state.
  const run = randomUUID()
  /** @type {ReturnType<LoadSdk> | undefined} */
  let sdk
  const load = () => (sdk ??= loadServerSdk())
  const commandEndpoints = createCommandEndpoints(emulator, { load, origin })
  const faultEndpoints = createFaultEndpoints(emulator, origin, commandEndpoints.acts)
  return async (request, response) => {
    response.setHeader('Referrer-Policy', 'no-referrer')
    response.setHeader('X-Content-Type-Options', 'nosniff')
    response.setHeader('Content-Security-Policy', `frame-ancestors ${framingOrigins(emulator)}`)
    if (await faultEndpoints.handle(request, response)) return
    if (await commandEndpoints.handle(request, response)) return
    if (request.url === '/inspector') redirectToInspector(request, response, emulator)
    else if (request.url !== '/preset.json') serveFile(request, response)
    else
      response
        .setHeader('Content-Type', 'application/json')
        .end(describe(emulator, { ahead: faultEndpoints.ahead(), run }))
  }
}

/**
 * Answers what cannot be served: a request of any page must not end the process.
 *
 * @param {Listener} handle
 * @returns {(request: IncomingMessage, response: ServerResponse) => Promise<void>}
 */
function guarded(handle) {
  return async (request, response) => {
    try {
      if (URL.canParse(request.url ?? '', `http://${HOST}`)) await handle(request, response)
      else response.writeHead(400).end('This is no address.')
    } catch (error) {
      console.error(error)
      if (response.headersSent) response.destroy()
      else response.writeHead(500).end('The demo failed to answer. Its terminal shows the error.')
    }
  }
}

/** @type {RequestListener} */
function refuse(_request, response) {
  response.writeHead(503).end()
}

/**
 * Serves the page from its source, from a folder, or from a new build that the end of the demo deletes.
 *
 * @param {Options} options
 * @param {{ server: Server, undo: Undo }} demo
 * @returns {Promise<Listener>}
 */
async function servePage({ dev, page }, { server, undo }) {
  if (!dev) return serveFolder(page ?? (await buildTemporaryPage(undo)))
  const { serveFile, close } = await serveSource(server)
  undo.unshift(close)
  return serveFile
}

/** @param {Undo} undo */
async function buildTemporaryPage(undo) {
  console.log('  Building the page …')
  const folder = await mkdtemp(join(tmpdir(), 'foyer-demo-'))
  undo.unshift(() => rm(folder, { recursive: true, force: true }))
  await buildPage(folder)
  return folder
}

/**
 * Starts everything in order.
 *
 * @param {Undo} undo the cleanups, last first
 */
async function start(undo) {
  const options = readOptions()
  const server = createHttpServer()
  // A page of an earlier start tries again until everything is there.
  server.on('request', refuse)
  const origin = `http://${HOST}:${await listenNear(server, options.port)}`
  undo.unshift(async () => {
    server.closeAllConnections()
    server.close()
  })
  const emulator = await startEmulator(options, origin)
  undo.unshift(() => emulator.close())
  const handle = guarded(createPage(await servePage(options, { server, undo }), { emulator, origin }))
  server.off('request', refuse)
  server.on('request', (...exchange) => void handle(...exchange))
  return { origin, emulator, dev: options.dev }
}

/**
 * @param {Undo} undo
 * @param {number} exitCode
 */
async function stop(undo, exitCode) {
  for (const step of undo.splice(0)) await Promise.resolve(step()).catch((error) => console.error(error))
  process.exit(exitCode)
}

/** @type {Undo} */
const undo = []
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void stop(undo, 0))
try {
  const { origin, emulator, dev } = await start(undo)
  const inspector = `${emulator.url}/inspector#${emulator.controlToken}`
  if (dev)
    console.log(
      `The demo is at ${origin}/ and follows its source. Its emulator is at ${inspector} . Ctrl-C stops both.`,
    )
  else
    console.log(
      `\n  Foyer demo   ${origin}/\n  Emulator     ${emulator.url}/\n  Inspector    ${inspector}\n  To stop      Ctrl-C\n`,
    )
} catch (error) {
  console.error(error instanceof StartFailure ? error.message : error)
  await stop(undo, 1)
}
