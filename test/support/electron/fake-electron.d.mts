/** Types of the fake Electron for tests in the same process. */
import type { EventEmitter } from 'node:events'
import type { Page } from 'playwright'

interface App extends EventEmitter {
  /** Resolves when the app is ready. A test may replace it. */
  ready: Promise<unknown>
  /** Arguments passed to `setAsDefaultProtocolClient`. */
  registrations: unknown[][]
  /** Releases the lock and removes every listener. */
  releaseSingleInstanceLock(): void
}

export const app: App
export const crossed: string[]
export const ipcMain: EventEmitter & {
  handlers: Map<string, (event: unknown, text: unknown) => Promise<string>>
}
export const net: { fetch(url: string, init: RequestInit): Promise<Response> }
export const shell: { opened: string[] }
export const safeStorage: {
  calls: string[]
  /** Set by the app to allow encryption with a publicly known password. */
  plain: boolean
  getSelectedStorageBackend?: () => string
  setUsePlainTextEncryption(plain: boolean): void
  encryptString(text: string): Buffer
  decryptString(content: Buffer): string
}

export class WebContents extends EventEmitter {
  constructor(post: (message: unknown) => void)
}

export class BrowserWindow extends EventEmitter {
  static getAllWindows(): BrowserWindow[]
  constructor(options?: {
    webPreferences?: { preload?: string; contextIsolation?: boolean; nodeIntegrationInSubFrames?: boolean }
  })
  readonly webContents: WebContents
  readonly page: Page
  loadURL(url: string): Promise<void>
  destroy(): Promise<void>
}
