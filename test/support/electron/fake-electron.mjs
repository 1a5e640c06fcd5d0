/**
 * Replaces the module `electron` of a main process where Electron's binary is not available. Its parts are real: pages are pages of
 * Chromium with the preload script in an isolated world, links are opened by `xdg-open`, schemes are registered with `xdg-mime`, a second
 * instance is a second process. Not covered: Electron's own context bridge and key store.
 */
import { spawn } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { readFileSync } from 'node:fs'
import { settings } from './sandbox-settings.mjs'
import { openWindow } from './window.mjs'

export { app } from './app.mjs'
export { safeStorage } from './safe-storage.mjs'

/** Every message between pages and the main process, in both directions, in order. */
export const crossed = []

class IpcMain extends EventEmitter {
  handlers = new Map()

  handle(channel, handler) {
    if (this.handlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`)
    this.handlers.set(channel, handler)
  }

  removeHandler(channel) {
    this.handlers.delete(channel)
  }
}

export const ipcMain = new IpcMain()

export const shell = {
  opened: [],
  async openExternal(url) {
    shell.opened.push(url)
    if (settings().browser === 'none') throw new Error('No application found to open URL')
    // Electron on Linux does not wait for the browser either, nor detect whether one opened.
    spawn('xdg-open', [url], { stdio: 'ignore', detached: true }).unref()
  },
}

export const powerMonitor = new EventEmitter()
/** What Chromium says instead of Node's codes. */
const CHROMIUM_ERRORS = {
  ECONNREFUSED: 'CONNECTION_REFUSED',
  ENOTFOUND: 'NAME_NOT_RESOLVED',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'CERT_AUTHORITY_INVALID',
}

export const net = {
  isOnline: () => true,
  /** Fetches from a server, or a file with the content type of its extension. */
  async fetch(url, init) {
    if (!url.startsWith('file:'))
      return fetch(url, init).catch((error) => {
        throw init?.signal?.aborted
          ? error
          : new Error(`net::ERR_${CHROMIUM_ERRORS[error.cause?.code] ?? 'FAILED'}`)
      })
    const type =
      { html: 'text/html', js: 'text/javascript', css: 'text/css' }[url.split('.').at(-1)] ??
      'application/octet-stream'
    return new Response(readFileSync(new URL(url)), { headers: { 'content-type': type } })
  },
}

/** Chromium does not support an app's own scheme: its pages are fetched from a host that represents it. */
export const protocol = {
  handlers: new Map(),
  registerSchemesAsPrivileged: () => undefined,
  handle: (scheme, handler) => protocol.handlers.set(scheme, handler),
}

export class WebContents extends EventEmitter {
  destroyed = false
  #post
  #evaluate

  constructor(post, evaluate) {
    super()
    this.#post = post
    this.#evaluate = evaluate
  }

  /** Runs in the page, whatever its content policy. */
  async executeJavaScript(code) {
    return this.#evaluate(code)
  }

  setWindowOpenHandler() {}

  isDestroyed() {
    return this.destroyed
  }

  send(channel, ...args) {
    crossed.push(...args)
    this.#post({ channel, args })
  }
}

export class BrowserWindow extends EventEmitter {
  static #all = []
  #options
  #page

  static getAllWindows() {
    return BrowserWindow.#all
  }

  constructor(options = {}) {
    super()
    this.#options = options
    BrowserWindow.#all.push(this)
    this.webContents = new WebContents(
      (message) => this.#page?.post(message),
      (code) => this.page?.evaluate(code),
    )
  }

  get page() {
    return this.#page?.page
  }

  async loadURL(url) {
    this.#page ??= await openWindow(this.#options.webPreferences ?? {}, this.webContents, {
      invoke: async (event, channel, args) => {
        crossed.push(...args)
        const handler = ipcMain.handlers.get(channel)
        if (!handler) throw new Error(`No handler registered for '${channel}'`)
        // A page receives only the message of an error that is thrown.
        const answer = await handler(event, ...args).catch((error) => {
          crossed.push(String(error))
          throw error
        })
        crossed.push(answer)
        return answer
      },
      send: (event, channel, args) => {
        crossed.push(...args)
        ipcMain.emit(channel, event, ...args)
      },
    })
    await this.#page.load(url, protocol.handlers)
    this.loaded = true
  }

  focus() {}

  async destroy() {
    this.webContents.destroyed = true
    this.webContents.emit('destroyed')
    await this.#page?.page.close()
  }
}
