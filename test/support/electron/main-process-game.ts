/** A game's main process inside the test process: with a temporary home, a stopped clock, and no browser. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  createMainClient,
  type DeepLinks,
  installDeepLinks,
  type MainClientOptions,
} from 'foyer-sdk/electron/main'
import type { LogEntry } from 'foyer-sdk'
import { afterEach, beforeEach } from 'vitest'
import { ManualClock } from '../manual-clock'
import { filesAtRest } from './files-at-rest'
import { app, ipcMain, safeStorage, shell } from './fake-electron.mjs'

export const SERVICE = 'https://service.test'

/** Registers the hooks of the calling file. */
export function useMainProcessGame() {
  const undo: (() => void)[] = []
  const file = {
    home: '',
    /** Sets the key store that Linux reports, and whether a browser opens. */
    machine(machine: { keyStore?: string; browser?: 'none' } = {}): void {
      process.env['FAKE_ELECTRON'] = JSON.stringify({
        userData: join(file.home, 'user-data'),
        browser: 'none',
        ...machine,
      })
    },
    /** Installs the deep links of this process, as its first lines would. */
    links(scheme = 'com.example.game', options: { clock?: ManualClock; launch?: string } = {}): DeepLinks {
      return installDeepLinks(scheme, options)
    },
    start(options: Partial<MainClientOptions> = {}) {
      const clock = new ManualClock()
      const log: LogEntry[] = []
      const client = createMainClient({
        applicationId: '1234567890123456789',
        service: { host: SERVICE },
        roads: ['loopback', 'scheme', 'paste'],
        clock,
        logger: (entry) => log.push(entry),
        ...options,
      })
      undo.push(() => client.close())
      const steps = () => log.map(({ step }) => step)
      return { client, clock, log, steps }
    },
  }
  beforeEach(() => {
    file.home = mkdtempSync(join(tmpdir(), 'foyer-main-'))
    file.machine()
    shell.opened.splice(0)
    safeStorage.calls.splice(0)
    safeStorage.setUsePlainTextEncryption(false)
  })
  afterEach(async () => {
    for (const step of undo.splice(0)) step()
    app.releaseSingleInstanceLock()
    ipcMain.removeAllListeners()
    await filesAtRest()
    rmSync(file.home, { recursive: true, force: true })
  })
  return file
}

/** Resolves with the next authorize URL that is opened in the browser. */
export async function openedUrl(seen = 0): Promise<URL> {
  while (shell.opened.length <= seen) await new Promise((resolve) => setImmediate(resolve))
  return new URL(shell.opened[seen] ?? '')
}

/** Returns the callback URL for an authorize URL. */
export function callbackFor(url: URL, changes: Record<string, string> = {}): string {
  const query = new URLSearchParams({
    code: 'the-code',
    state: url.searchParams.get('state') ?? '',
    iss: SERVICE,
    ...changes,
  })
  return `${url.searchParams.get('redirect_uri')}?${query}`
}
