/** WebKitGTK, driven by its own WebDriver on a virtual display. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { drawPng } from '../draw-png'
import { listen } from '../loopback'
import { readDisplay } from './read-display'
import type { Engine, LaunchOptions } from './engine'
import { retry } from './retry'
import { type Skip, unavailable } from './unavailable'
import { command, openSession, type Session } from './webdriver'

const DRIVER = '/usr/bin/WebKitWebDriver'
const ARCHITECTURE = process.arch === 'arm64' ? 'aarch64' : 'x86_64'
const BROWSER = `/usr/lib/${ARCHITECTURE}-linux-gnu/webkit2gtk-4.1/MiniBrowser`
/** Contains the style of the browser's own controls. */
const SETTINGS = fileURLToPath(new URL('./webkit-settings', import.meta.url))
/** Without a window manager, the window under the pointer has the focus, and the pointer stands in the middle of the screen. */
const SCREENS = { focused: '1280x1024x24', long: '1600x2600x24' }
/** Renders without a graphics card. */
const ENVIRONMENT = {
  NO_AT_BRIDGE: '1',
  WEBKIT_DISABLE_DMABUF_RENDERER: '1',
  LIBGL_ALWAYS_SOFTWARE: '1',
  XDG_CONFIG_HOME: SETTINGS,
}
const capabilities = (args: readonly string[]) => ({
  'webkitgtk:browserOptions': { binary: BROWSER, args: ['--automation', ...args] },
})

/** The folder of `profile` is unused, since automated sessions store nothing. */
export async function webkit(test: Skip, { profile, takesPictures }: LaunchOptions = {}): Promise<Engine> {
  const missing = [DRIVER, BROWSER, '/usr/bin/xvfb-run', '/usr/bin/xauth'].find((path) => !existsSync(path))
  if (missing) return unavailable(test, `${missing} is not installed`)
  const port = await freePort()
  // A separate process group, so that the display and the browser end with the driver.
  const display = await mkdtemp(join(tmpdir(), 'foyer-display-'))
  // `-fbdir` keeps what the display shows in a file.
  const screen = `-screen 0 ${SCREENS[takesPictures ? 'long' : 'focused']} -fbdir ${display}`
  const driver = spawn('xvfb-run', ['-a', '-s', screen, DRIVER, '-p', String(port)], {
    detached: true,
    stdio: 'ignore',
    env: { ...process.env, ...ENVIRONMENT },
  })
  const ended = new Promise<void>((resolve) => driver.once('exit', () => resolve()))
  const address = `http://127.0.0.1:${port}`
  let session: Session | undefined
  // The driver's own command for a picture is not answered.
  const picture = async () => drawPng(readDisplay(await readFile(join(display, 'Xvfb_screen0'))))
  await retry(() => command(`${address}/status`))
  return {
    async open() {
      await session?.end()
      session = await openSession(address, {
        capabilities: capabilities(profile?.isPrivate ? ['--private'] : []),
        picture,
      })
      return session.page
    },
    async close() {
      await session?.end().catch(() => undefined)
      if (driver.pid !== undefined) process.kill(-driver.pid)
      await ended
      await rm(display, { recursive: true, force: true })
    },
  }
}

async function freePort(): Promise<number> {
  const { port, close } = await listen(createServer())
  await close()
  return port
}
