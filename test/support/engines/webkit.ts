/** WebKitGTK, driven by its own WebDriver on a virtual display. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { listen } from '../loopback'
import type { Engine } from './engine'
import { type Skip, unavailable } from './unavailable'
import { command, openSession, type WebDriverPage } from './webdriver'

const DRIVER = '/usr/bin/WebKitWebDriver'
const BROWSER = '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser'
/** Renders without a graphics card. */
const ENVIRONMENT = { NO_AT_BRIDGE: '1', WEBKIT_DISABLE_DMABUF_RENDERER: '1', LIBGL_ALWAYS_SOFTWARE: '1' }
const CAPABILITIES = { 'webkitgtk:browserOptions': { binary: BROWSER, args: ['--automation'] } }
/** Maximum start-up time of the driver, in ms. */
const TIMEOUT = 60_000

export async function webkit(test: Skip): Promise<Engine> {
  const missing = [DRIVER, BROWSER, '/usr/bin/xvfb-run'].find((path) => !existsSync(path))
  if (missing) return unavailable(test, `${missing} is not installed`)
  const port = await freePort()
  // A separate process group, so that the display and the browser end with the driver.
  const driver = spawn('xvfb-run', ['-a', DRIVER, '-p', String(port)], {
    detached: true,
    stdio: 'ignore',
    env: { ...process.env, ...ENVIRONMENT },
  })
  const ended = new Promise<void>((resolve) => driver.once('exit', () => resolve()))
  const address = `http://127.0.0.1:${port}`
  const pages: WebDriverPage[] = []
  await untilReady(address)
  return {
    async open() {
      const page = await openSession(address, CAPABILITIES)
      pages.push(page)
      return page
    },
    async close() {
      await Promise.allSettled(pages.map((page) => page.close()))
      if (driver.pid !== undefined) process.kill(-driver.pid)
      await ended
    },
  }
}

async function freePort(): Promise<number> {
  const { port, close } = await listen(createServer())
  await close()
  return port
}

async function untilReady(address: string): Promise<void> {
  for (const end = Date.now() + TIMEOUT; ; await wait(50)) {
    try {
      return await command(`${address}/status`)
    } catch (error) {
      if (Date.now() > end) throw error
    }
  }
}
