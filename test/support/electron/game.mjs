/** Main process of a test game: two windows, one client, and a socket through which a test controls it. */
import { rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { createRequire } from 'node:module'
import process from 'node:process'
import vm from 'node:vm'

/** `electron` and `sdk`: the modules, as loaded by the main process. */
export function runGame(electron, sdk) {
  const { app, BrowserWindow } = electron
  const {
    applicationId,
    host,
    origin,
    schemeName,
    launchName,
    windows: count = 1,
    options = {},
    control,
    preload,
  } = JSON.parse(process.env['GAME'])
  // A real Electron stores its data elsewhere, and has one instance per data folder.
  const { userData, desktopFile } = JSON.parse(process.env['FAKE_ELECTRON'])
  if (process.versions.electron) app.setPath('userData', userData)
  // Name under which it registers its scheme: Electron has no other source for it.
  if (process.versions.electron && desktopFile) app.setDesktopName(desktopFile)
  const scheme = schemeName && sdk.installDeepLinks(schemeName, { launch: launchName })
  const log = []
  const client = sdk.createMainClient({
    applicationId,
    service: { host },
    windows: [{ origin, tokens: ({ mayHaveTokens }) => mayHaveTokens === true }],
    logger: (entry) => log.push(entry),
    ...(scheme && { scheme }),
    ...options,
  })
  const secrets = []
  client.on('activityJoin', ({ secret }) => secrets.push(secret))
  const windows = []
  const door = { client, windows, log, secrets, electron, sdk, scheme }
  const open = async () => {
    const path = preload ?? createRequire(import.meta.url).resolve('foyer-sdk/electron/preload')
    for (let i = 0; i < count; i++) {
      const window = new BrowserWindow({ webPreferences: { preload: path } })
      windows.push(window)
      await window.loadURL(`${origin}/`)
    }
    listen(control, door)
  }
  void app.whenReady().then(open)
}

/** Reads one line of JSON, `{ page?: number, code }`, and writes one line, `{ value }` or `{ error }`. */
export function listen(path, door) {
  rmSync(path, { force: true })
  const server = createServer((socket) => {
    let text = ''
    socket.on('error', () => undefined)
    socket.on('data', (data) => {
      text += data
      const lines = text.split('\n')
      text = lines.pop() ?? ''
      for (const line of lines) {
        const { id, page, code } = JSON.parse(line)
        run(door, page, code).then(
          (value) => socket.write(`${JSON.stringify({ id, value })}\n`),
          (error) => socket.write(`${JSON.stringify({ id, error: String(error?.code ?? error) })}\n`),
        )
      }
    })
  })
  server.listen(path)
}

async function run(door, page, code) {
  if (page === undefined) return vm.runInThisContext(`(${code})`)(door)
  const window = door.windows[page]
  return window.page ? window.page.evaluate(code) : window.webContents.executeJavaScript(code)
}
