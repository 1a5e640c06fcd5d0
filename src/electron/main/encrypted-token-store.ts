/** The token store of an Electron app: one file, encrypted by the system's own key store, or memory where there is no such thing. */
import { app, safeStorage } from 'electron'
import type { Log } from '../../foundation/log'
import { memoryStore, type TokenStore } from '../../tokens/session/token-store'
import { readPrivateFile, removeLeftovers, writePrivateFile } from './atomic-file'

/**
 * `encrypted`: by a key that the system keeps for the player. `weak`: by a key that every program knows, which hides tokens from nobody.
 * `memory`: forgotten when the app ends.
 */
type EncryptionKind = 'encrypted' | 'weak' | 'memory'

export interface EncryptedTokenStoreOptions {
  file: string
  /** Whether `weak` is better than `memory`. */
  allowWeak: boolean
  log: Log
}

/** What the system offers. `backend`: Linux only. */
interface KeyStore {
  available: boolean
  backend: string | undefined
}

/** Two of Linux's answers are no encryption: Chromium then uses a password that stands in its source. */
function encryptionKind({ available, backend }: KeyStore, { allowWeak }: Pick<EncryptedTokenStoreOptions, 'allowWeak'>): EncryptionKind {
  if (available && backend !== 'basic_text' && backend !== 'unknown') return 'encrypted'
  return available && allowWeak ? 'weak' : 'memory'
}

/** Nothing is asked of the system before the app is ready and a text is needed: macOS may show the player a question. */
export function createEncryptedTokenStore(options: EncryptedTokenStoreOptions): TokenStore {
  let store: Promise<TokenStore> | undefined
  const opened = () => (store ??= app.whenReady().then(() => openStore(options)))
  return {
    get: async (key) => (await opened()).get(key),
    set: async (key, text) => (await opened()).set(key, text),
    delete: async (key) => (await opened()).delete(key),
  }
}

function openStore(options: EncryptedTokenStoreOptions): TokenStore {
  const backend = process.platform === 'linux' ? safeStorage.getSelectedStorageBackend() : undefined
  if (options.allowWeak && backend !== undefined && !safeStorage.isEncryptionAvailable()) safeStorage.setUsePlainTextEncryption(true)
  const kind = encryptionKind({ available: safeStorage.isEncryptionAvailable(), backend }, options)
  options.log(kind === 'encrypted' ? 'info' : 'warn', 'vault.opened', { kind, ...(backend !== undefined && { backend }) })
  return kind === 'memory' ? memoryStore() : fileStore(options)
}

/** One operation after another, each on the file as it is then. */
function fileStore({ file, log }: EncryptedTokenStoreOptions): TokenStore {
  let last: Promise<unknown> = removeLeftovers(file)
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = last.then(work)
    last = result.catch(() => undefined)
    return result
  }
  const change = (decide: (texts: Map<string, string>) => void) =>
    inTurn(async () => {
      const texts = await readTexts(file, log)
      decide(texts)
      await writePrivateFile(file, safeStorage.encryptString(JSON.stringify([...texts])))
    })
  return {
    get: (key) => inTurn(async () => (await readTexts(file, log)).get(key)),
    set: (key, text) => change((texts) => void texts.set(key, text)),
    delete: (key) => change((texts) => void texts.delete(key)),
  }
}

/** What cannot be decrypted (another account, another machine, a lost key) is as good as nothing: the player signs in again. */
async function readTexts(file: string, log: Log): Promise<Map<string, string>> {
  const content = await readPrivateFile(file)
  if (!content) return new Map()
  try {
    const entries: unknown = JSON.parse(safeStorage.decryptString(content))
    if (Array.isArray(entries) && entries.every(isEntry)) return new Map(entries)
  } catch {
    // Told below, without the system's words: they may quote the content.
  }
  log('warn', 'vault.unreadable')
  return new Map()
}

function isEntry(value: unknown): value is [string, string] {
  return Array.isArray(value) && value.length === 2 && value.every((item) => typeof item === 'string')
}
