// The game in a window of its own: `npm run electron`, while `npm run dev` runs for its emulator and for a player in a browser.
// The client and its tokens are here, in the main process; the page is the same.
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { app, BrowserWindow, net, protocol } from 'electron'
import { lobbyStream } from 'foyer-sdk'
import { createMainClient, installDeepLinks } from 'foyer-sdk/electron/main'

const applicationId = process.env.FOYER_APPLICATION_ID ?? '1287654321098765433' // the emulator's; later your own
// First of all: a link that starts the app arrives immediately. `launch` starts it for an accepted invitation.
const scheme = installDeepLinks('com.example.fourinarow', { launch: `service-${applicationId}` })
const host = process.env.FOYER_HOST ?? 'http://127.0.0.1:4320' // the emulator's; later the service's https:// address
createMainClient({
  applicationId,
  service: { host },
  lobbyUpdates: lobbyStream(`${host}/lobby-stream`), // the emulator's; later that of your backend's hub, with `backendOrigins`
  scheme,
  windows: [{ origin: 'app://game' }],
  localProgram: true, // friends see a board, and join it: the page asks the player first
})

protocol.registerSchemesAsPrivileged([{ scheme: 'app', privileges: { standard: true, secure: true } }])
const PAGE = join(import.meta.dirname, 'dist/')

function serve({ url }) {
  const path = join(PAGE, decodeURIComponent(new URL(url).pathname))
  return path.startsWith(PAGE) ? net.fetch(pathToFileURL(path).href) : new Response('', { status: 404 })
}

// Not awaited: Electron is not ready before this file has run.
void app.whenReady().then(() => {
  protocol.handle('app', serve)
  const preload = createRequire(import.meta.url).resolve('foyer-sdk/electron/preload')
  const window = new BrowserWindow({ width: 720, height: 780, webPreferences: { preload } })
  window.webContents.on('will-navigate', (event) => event.preventDefault())
  window.webContents.setWindowOpenHandler(() => ({ action: 'deny' }))
  return window.loadURL('app://game/index.html')
})
