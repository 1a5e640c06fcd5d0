import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { app, BrowserWindow, net, protocol } from 'electron'
import { createMainClient, installDeepLinks } from 'foyer-sdk/electron/main'

// The address of Vite's server during development; undefined in the built game.
const server = process.env.ELECTRON_RENDERER_URL
const scheme = installDeepLinks('com.example.mygame') // first of all: a link that starts the app arrives immediately

createMainClient({
  applicationId: process.env.FOYER_APPLICATION_ID ?? '1287654321098765433', // the emulator's; later your own
  service: { host: process.env.FOYER_HOST ?? 'http://127.0.0.1:4320' }, // the emulator's; later the service's https:// address
  scheme,
  windows: [{ origin: server ? new URL(server).origin : 'app://game' }],
})

protocol.registerSchemesAsPrivileged([
  { scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true } },
])
const PAGE = join(import.meta.dirname, '../renderer/')

function serve({ url }) {
  const { pathname } = new URL(url)
  const path = join(PAGE, decodeURIComponent(pathname === '/' ? '/index.html' : pathname))
  return path.startsWith(PAGE) ? net.fetch(pathToFileURL(path).href) : new Response('', { status: 404 })
}

// Not awaited: Electron is not ready before this file has run.
void app.whenReady().then(() => {
  protocol.handle('app', serve)
  const window = new BrowserWindow({
    webPreferences: { preload: join(import.meta.dirname, '../preload/index.cjs') },
  })
  window.webContents.on('will-navigate', (event) => event.preventDefault())
  window.webContents.setWindowOpenHandler(() => ({ action: 'deny' }))
  return window.loadURL(server ?? 'app://game/')
})

app.on('second-instance', () => BrowserWindow.getAllWindows()[0]?.focus())
