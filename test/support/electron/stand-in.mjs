/**
 * Stands in for the module `electron` of a main process, where Electron's own binary cannot be had. Its parts are real: pages are pages of
 * Chromium with the preload script in an isolated world, links are opened by `xdg-open`, schemes are registered with `xdg-mime`, a second
 * instance is a second process. What it is not: Electron's own context bridge and key store.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import process from 'node:process'
import { openWindow } from './window.mjs'

/** What a test says of the machine: `{ userData, keyStore, desktopFile, argv }`. */
const machine = () => JSON.parse(process.env['STAND_IN'] ?? '{}')

/** What went between pages and the main process, either way: every text, in the order in which it went. */
export const crossed = []

const CONNECT = `const [path, text] = process.argv.slice(1)
const socket = require('node:net').connect(path, () => socket.end(text))
socket.on('error', () => process.exit(1)).on('close', () => process.exit(0)).resume()`

class App extends EventEmitter {
  ready = new Promise((resolve) => setImmediate(resolve))
  registrations = []
  #server

  whenReady() {
    return this.ready
  }

  isReady() {
    return true
  }

  getPath() {
    return machine().userData
  }

  focus() {
    this.emit('test-focus')
  }

  exit(code) {
    process.exit(code)
  }

  quit() {
    this.#server?.close()
    this.emit('will-quit')
  }

  /** Synchronous, as Electron's is: the arguments have reached the first instance when it returns. */
  requestSingleInstanceLock(additionalData = {}) {
    const { userData } = machine()
    mkdirSync(userData, { recursive: true })
    const path = join(userData, 'instance.sock')
    if (existsSync(path)) {
      const message = JSON.stringify({ argv: process.argv, additionalData })
      if (spawnSync(process.execPath, ['-e', CONNECT, path, message]).status === 0) return false
      rmSync(path, { force: true })
    }
    this.#server = createServer((socket) => {
      let text = ''
      socket.on('data', (data) => (text += data))
      socket.on('end', () => {
        const { argv, additionalData: data } = JSON.parse(text)
        socket.end()
        this.emit('second-instance', {}, argv, '/', data)
      })
    })
    this.#server.listen(path).unref()
    return true
  }

  releaseSingleInstanceLock() {
    this.#server?.close()
    this.removeAllListeners()
  }

  /** Electron on Linux ignores the path: the desktop entry that the installer wrote says what is run. */
  setAsDefaultProtocolClient(...registration) {
    this.registrations.push(registration)
    const [scheme] = registration
    const { desktopFile } = machine()
    if (!desktopFile) return false
    execFileSync('xdg-mime', ['default', desktopFile, `x-scheme-handler/${scheme}`])
    return this.isDefaultProtocolClient(scheme)
  }

  isDefaultProtocolClient(scheme) {
    const { desktopFile } = machine()
    if (!desktopFile) return false
    const handler = execFileSync('xdg-mime', ['query', 'default', `x-scheme-handler/${scheme}`], { encoding: 'utf8' })
    return handler.trim() === desktopFile
  }
}

export const app = new App()

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
    if (machine().browser === 'none') throw new Error('No application found to open URL')
    // Electron on Linux does not wait for the browser either, and does not learn whether one opened.
    spawn('xdg-open', [url], { stdio: 'ignore', detached: true }).unref()
  },
}

export const powerMonitor = new EventEmitter()
export const net = {
  isOnline: () => true,
  /** Of files, with the type that their names tell. */
  async fetch(url) {
    const type = { html: 'text/html', js: 'text/javascript' }[url.split('.').at(-1)] ?? 'application/octet-stream'
    return new Response(readFileSync(new URL(url)), { headers: { 'content-type': type } })
  },
}

/** Encrypts by a key in a file, which stands for the system's key store. */
export const safeStorage = {
  calls: [],
  plain: false,
  isEncryptionAvailable() {
    safeStorage.calls.push('isEncryptionAvailable')
    const { keyStore } = machine()
    // A password that everybody knows counts only where the app has asked for it.
    return keyStore === 'basic_text' ? safeStorage.plain : keyStore !== 'none'
  },
  getSelectedStorageBackend: () => {
    const { keyStore = 'gnome_libsecret' } = machine()
    return keyStore === 'none' ? 'unknown' : keyStore
  },
  setUsePlainTextEncryption(plain) {
    safeStorage.plain = plain
  },
  encryptString(text) {
    const nonce = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', key(), nonce)
    return Buffer.concat([Buffer.from('v11'), nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
  },
  decryptString(content) {
    const cipher = createDecipheriv('aes-256-gcm', key(), content.subarray(3, 15))
    cipher.setAuthTag(content.subarray(-16))
    return Buffer.concat([cipher.update(content.subarray(15, -16)), cipher.final()]).toString('utf8')
  },
}

function key() {
  const path = join(machine().userData, 'key-store')
  mkdirSync(machine().userData, { recursive: true })
  if (!existsSync(path)) writeFileSync(path, randomBytes(32), { mode: 0o600 })
  return readFileSync(path)
}

/** Chromium knows no scheme of an app's own: its pages are fetched from a host that stands for it. */
export const protocol = {
  handlers: new Map(),
  registerSchemesAsPrivileged: () => undefined,
  handle: (scheme, handler) => protocol.handlers.set(scheme, handler),
}

export class WebContents extends EventEmitter {
  destroyed = false
  #post

  constructor(post) {
    super()
    this.#post = post
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
    this.webContents = new WebContents((message) => this.#page?.post(message))
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
        // Of an error that is thrown, a page gets the words.
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
