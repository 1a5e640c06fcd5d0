/** The demo's main process: the client with its tokens, a protocol that serves the page, and one window. */
import { readFile } from 'node:fs/promises'
import { extname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { app, BrowserWindow, protocol } from 'electron'
import { createMainClient, installDeepLinks } from 'foyer-sdk/electron/main'
import { serveSetupChecks } from './setup/serve-checks'
import { EMPTY_PAGE } from './setup/test-callers'

// Installed first: a link that starts the app arrives immediately.
const scheme = installDeepLinks('mygame')

const ORIGIN = 'app://demo'
const PAGE = fileURLToPath(new URL('page/', import.meta.url))
const PRELOAD = join(PAGE, '../preload.cjs')
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
}

/** Addresses of the service, set by `npm run demo:electron`; a game hard-codes them here. */
const { FOYER_HOST: host = '', FOYER_APPLICATION_ID: applicationId = '' } = process.env

protocol.registerSchemesAsPrivileged([{ scheme: 'app', privileges: { standard: true, secure: true } }])
const OPTIONS = { applicationId, service: { host }, scheme, windows: [{ origin: ORIGIN }] }
const client = createMainClient(OPTIONS)
serveSetupChecks({ client, options: OPTIONS, origin: ORIGIN, preload: PRELOAD })

app.on('window-all-closed', () => app.quit())
app.on('second-instance', () => BrowserWindow.getAllWindows()[0]?.focus())
// Not awaited here: Electron becomes ready only after this module has run.
void app.whenReady().then(openWindow)

async function openWindow(): Promise<void> {
  protocol.handle('app', (request) => serve(new URL(request.url).pathname))
  const window = new BrowserWindow({ width: 720, height: 760, webPreferences: { preload: PRELOAD } })
  // A compromised page can neither navigate away nor open windows.
  window.webContents.on('will-navigate', (event) => event.preventDefault())
  window.webContents.setWindowOpenHandler(() => ({ action: 'deny' }))
  await window.loadURL(`${ORIGIN}/`)
}

/** Serves the files of the page, and no other file of the machine. */
async function serve(pathname: string): Promise<Response> {
  if (pathname === EMPTY_PAGE) return page('<!doctype html><title>Empty</title>', 'text/html')
  const path = normalize(join(PAGE, pathname.endsWith('/') ? `${pathname}index.html` : pathname))
  const type = TYPES[extname(path)]
  const body =
    path.startsWith(PAGE) && type !== undefined ? await readFile(path).catch(() => undefined) : undefined
  return body === undefined || type === undefined
    ? new Response('', { status: 404 })
    : page(new Uint8Array(body), type)
}

function page(body: BodyInit, type: string): Response {
  return new Response(body, { headers: { 'content-type': type, 'x-content-type-options': 'nosniff' } })
}
