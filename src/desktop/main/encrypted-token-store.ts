/** Token store of an Electron app: an encrypted file, or memory without a system key store. */
import { app, safeStorage } from 'electron'
import type { Log } from '../../shared/foundation/log-entry'
import { memoryStore, type TokenStore } from '../../client/session/token-store'
import { readPrivateFile, removeLeftovers, writePrivateFile } from './atomic-file'

/** `encrypted`: with a key of the system's key store. `weak`: with a publicly known key. `memory`: not stored. */
export type EncryptionKind = 'encrypted' | 'weak' | 'memory'

export interface EncryptedTokenStoreOptions {
  file: string
  /** Allows `weak` instead of `memory`. */
  allowWeak: boolean
  log: Log
}

/** State of the system's key store. */
export interface KeyStore {
  kind: EncryptionKind
  /** True if the system can encrypt, possibly with the publicly known key. */
  available: boolean
  /** Linux only. */
  backend: string | undefined
}

/** Call it after `ready`. Two Linux backends do not encrypt: Chromium then uses a password from its source code. */
export function openKeyStore({ allowWeak }: Pick<EncryptedTokenStoreOptions, 'allowWeak'>): KeyStore {
  const backend = process.platform === 'linux' ? safeStorage.getSelectedStorageBackend() : undefined
  if (allowWeak && backend !== undefined && !safeStorage.isEncryptionAvailable())
    safeStorage.setUsePlainTextEncryption(true)
  const available = safeStorage.isEncryptionAvailable()
  const isStrong = available && backend !== 'basic_text' && backend !== 'unknown'
  return { kind: isStrong ? 'encrypted' : available && allowWeak ? 'weak' : 'memory', available, backend }
}

/** Accesses the key store only after `ready` and on first use, because macOS may show a dialog. */
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
  const { kind, backend } = openKeyStore(options)
  options.log(kind === 'encrypted' ? 'info' : 'warn', 'vault.opened', {
    kind,
    ...(backend !== undefined && { backend }),
  })
  return kind === 'memory' ? memoryStore() : fileStore(options)
}

/** Serializes operations; each one reads the current file. */
function fileStore({ file, log }: EncryptedTokenStoreOptions): TokenStore {
  let last: Promise<unknown> = removeLeftovers(file)
  const inOrder = <T>(work: () => Promise<T>): Promise<T> => {
    const result = last.then(work)
    last = result.catch(() => undefined)
    return result
  }
  const write = (texts: Map<string, string>) =>
    writePrivateFile(file, safeStorage.encryptString(JSON.stringify([...texts])))
  return {
    get: (key) => inOrder(async () => (await readTexts(file, log))?.get(key)),
    set: (key, text) =>
      inOrder(async () => {
        const texts = await readTexts(file, log)
        await write(new Map(texts).set(key, text))
        if (!texts) log('warn', 'vault.replaced')
      }),
    delete: (key) =>
      inOrder(async () => {
        const texts = await readTexts(file, log)
        if (texts?.delete(key)) await write(texts)
      }),
  }
}

/**
 * Returns undefined for undecryptable content (another account or machine, a lost key, a locked key store): the player signs in again. The
 * file stays until then, since its key may come back.
 */
async function readTexts(file: string, log: Log): Promise<Map<string, string> | undefined> {
  const content = await readPrivateFile(file)
  if (!content) return new Map()
  try {
    const entries: unknown = JSON.parse(safeStorage.decryptString(content))
    if (Array.isArray(entries) && entries.every(isEntry)) return new Map(entries)
  } catch {
    // Logged below, without the system's message, which may quote the content.
  }
  log('warn', 'vault.unreadable')
  return undefined
}

function isEntry(value: unknown): value is [string, string] {
  return Array.isArray(value) && value.length === 2 && value.every((item) => typeof item === 'string')
}
