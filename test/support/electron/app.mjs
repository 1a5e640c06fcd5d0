/** `app` of the fake Electron: a socket as the lock, a second process as the second instance, and schemes registered by `xdg-mime`. */
import { execFileSync, spawnSync } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import process from 'node:process'
import { settings } from './sandbox-settings.mjs'

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
    return settings().userData
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

  /** Synchronous, as in Electron: when it returns, the first instance has received the arguments. */
  requestSingleInstanceLock(additionalData = {}) {
    const { userData } = settings()
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

  /** Electron on Linux ignores the path: the desktop entry written by the installer names the command. */
  setAsDefaultProtocolClient(...registration) {
    this.registrations.push(registration)
    const [scheme] = registration
    const { desktopFile } = settings()
    if (!desktopFile) return false
    execFileSync('xdg-mime', ['default', desktopFile, `x-scheme-handler/${scheme}`])
    return this.isDefaultProtocolClient(scheme)
  }

  isDefaultProtocolClient(scheme) {
    const { desktopFile } = settings()
    if (!desktopFile) return false
    const handler = execFileSync('xdg-mime', ['query', 'default', `x-scheme-handler/${scheme}`], {
      encoding: 'utf8',
    })
    return handler.trim() === desktopFile
  }
}

export const app = new App()
