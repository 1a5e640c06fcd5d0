/** A window of the fake Electron: a page of Chromium, with the preload script in an isolated world of each frame that would have one in Electron. */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { chromium } from 'playwright'
import { isolatedHalf, pageHalf } from './context-bridge.mjs'

const STAND = /^https:\/\/([^./]+)\.([a-z]+)\.stand-in\.test\//
const toStand = (url) => url.replace(/^([a-z]+):\/\/([^/]+)\//, 'https://$2.$1.stand-in.test/')
const fromStand = (url) => url.replace(STAND, '$2://$1/')
const WORLD = 'ElectronPreload'
let browser

/** One browser for all windows of a process. */
async function launch() {
  browser ??= chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: [
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
    ],
  })
  return browser
}

export async function closeWindows() {
  await (await browser)?.close()
  browser = undefined
}

/** `ipc`: receiver of `invoke` and `send` of the preload script. */
export async function openWindow(preferences, webContents, ipc) {
  const { preload, contextIsolation = true, nodeIntegrationInSubFrames = false } = preferences
  const page = await (await launch()).newPage()
  page.setDefaultTimeout(90_000)
  const session = await page.context().newCDPSession(page)
  const worlds = new Map()
  await session.send('Page.enable')
  await session.send('Runtime.enable')
  session.on('Runtime.executionContextCreated', ({ context }) => {
    if (context.name === WORLD) worlds.set(context.id, context.auxData.frameId)
  })
  session.on('Runtime.executionContextDestroyed', ({ executionContextId }) =>
    worlds.delete(executionContextId),
  )
  const { frameTree } = await session.send('Page.getFrameTree')
  const top = frameTree.frame.id
  const frames = new Map()
  session.on('Page.frameNavigated', ({ frame }) => {
    frames.set(frame.id, frame)
    if (frame.id === top) webContents.emit('did-navigate', {}, frame.url)
  })

  const frameOf = (id) => {
    const { url = 'about:blank', parentId } = frames.get(id) ?? {}
    const { origin, protocol, host } = new URL(fromStand(url))
    return {
      url,
      origin: origin === 'null' ? `${protocol}//${host}` : origin,
      parent: parentId ? frameOf(parentId) : null,
    }
  }
  Object.defineProperty(webContents, 'mainFrame', { configurable: true, get: () => frameOf(top) })

  const post = (contextId, message) =>
    session
      .send('Runtime.evaluate', {
        contextId,
        expression: `electronStandIn.receive(${JSON.stringify(JSON.stringify(message))})`,
      })
      .catch(() => undefined)
  session.on('Runtime.bindingCalled', ({ payload, executionContextId }) => {
    const { id, channel, args } = JSON.parse(payload)
    const event = { sender: webContents, senderFrame: frameOf(worlds.get(executionContextId)) }
    if (id === undefined) {
      ipc.send(event, channel, args)
      return
    }
    ipc.invoke(event, channel, args).then(
      (value) => post(executionContextId, { id, value }),
      (error) =>
        post(executionContextId, {
          id,
          error: `Error invoking remote method '${channel}': ${String(error)}`,
        }),
    )
  })
  if (preload) {
    const token = randomBytes(12).toString('hex')
    const source = isolatedHalf(token, readFileSync(preload, 'utf8'), {
      contextIsolation,
      inSubFrames: nodeIntegrationInSubFrames,
    })
    await session.send('Page.addScriptToEvaluateOnNewDocument', { source: pageHalf(token) })
    await session.send('Runtime.addBinding', { name: 'electronSend', executionContextName: WORLD })
    await session.send('Page.addScriptToEvaluateOnNewDocument', {
      source,
      ...(contextIsolation && { worldName: WORLD }),
    })
  }
  return {
    page,
    async load(url, handlers) {
      const handler = handlers.get(new URL(url).protocol.slice(0, -1))
      if (handler) {
        const { origin } = new URL(toStand(url))
        await page.route(
          (each) => each.origin === origin,
          async (route) => {
            const response = await handler(new Request(fromStand(route.request().url())))
            const headers = Object.fromEntries(response.headers)
            await route.fulfill({
              status: response.status,
              headers,
              body: Buffer.from(await response.arrayBuffer()),
            })
          },
        )
      }
      await page.goto(handler ? toStand(url) : url)
    },
    /** Sends to the preload script of the top frame. */
    post(message) {
      for (const [contextId, frameId] of worlds) if (frameId === top) void post(contextId, message)
    },
  }
}
