/** Token store of an Electron app: an encrypted file, or memory without a system key store. */
import { app, safeStorage } from 'electron'
import type { Log } from '../../shared/foundation/log-entry'
import { memoryStore, type TokenStore } from '../../client/session/token-store'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { systemClock } from '../../shared/foundation/clock'
import { isRecord } from '../../shared/foundation/untrusted-values'
import { randomText, sha256 } from '../../shared/foundation/crypto'
import type { MainClientOptions } from './main-client-options'

/** `encrypted`: with a key of the system's key store. `weak`: with a publicly known key. `memory`: not stored. */
export type EncryptionKind = 'encrypted' | 'weak' | 'memory'

interface EncryptedTokenStoreOptions {
  file: string
  /** Allows `weak` instead of `memory`. */
  allowWeak: boolean
  log: Log
}

/** State of the system's key store. */
interface KeyStore {
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

/** Maximum size in bytes; larger files are not from this SDK. */
const MAX_SIZE = 8 * 1024 * 1024
/** Error codes on Windows while a virus scanner or an indexer has the file open. */
const IN_USE: ReadonlySet<unknown> = new Set(['EPERM', 'EACCES', 'EBUSY'])
/** Delays in ms between attempts to replace the file. */
const RETRY_DELAYS = [20, 50, 100, 200, 400]

/** Returns undefined if the file does not exist. Rejects with the errors of `node:fs`. */
async function readPrivateFile(path: string): Promise<Buffer | undefined> {
  try {
    const { size } = await stat(path)
    return size > MAX_SIZE ? Buffer.alloc(0) : await readFile(path)
  } catch (error) {
    if (isRecord(error) && error['code'] === 'ENOENT') return undefined
    throw error
  }
}

/** Rejects with the errors of `node:fs`; the old file then stays. */
async function writePrivateFile(path: string, content: Buffer): Promise<void> {
  const temporary = `${path}.${randomText().slice(0, 8)}.tmp`
  await mkdir(dirname(path), { recursive: true })
  try {
    await writeThrough(temporary, content)
    await replaceFile(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  await syncFolder(dirname(path))
}

/** Removes temporary files of processes that ended during a write. Never rejects. */
async function removeLeftovers(path: string): Promise<void> {
  const names = await readdir(dirname(path)).catch(() => [])
  const left = names.filter((name) => name.startsWith(`${basename(path)}.`) && name.endsWith('.tmp'))
  await Promise.all(left.map((name) => rm(join(dirname(path), name), { force: true }).catch(() => undefined)))
}

async function replaceFile(temporary: string, path: string): Promise<void> {
  for (const pause of RETRY_DELAYS) {
    try {
      return await rename(temporary, path)
    } catch (error) {
      if (!isRecord(error) || !IN_USE.has(error['code'])) throw error
    }
    await new Promise<void>((go) => void systemClock.after(pause, go))
  }
  return rename(temporary, path)
}

async function writeThrough(path: string, content: Buffer): Promise<void> {
  // `wx`: fails if the path exists, so it never follows a planted link.
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Flushes the directory entry. Windows neither supports nor requires it. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => undefined)
  await folder?.sync().catch(() => undefined)
  await folder?.close()
}

const FILE = 'foyer-vault'

/** One file per profile, so that two clients of one app do not overwrite each other's data. */
export function tokenStoreFile({ profile }: Pick<MainClientOptions, 'profile'>): string {
  const isDefault = profile === undefined || profile === 'default'
  return join(
    app.getPath('userData'),
    isDefault ? FILE : `${FILE}-${Buffer.from(sha256(profile)).toString('hex').slice(0, 16)}`,
  )
}
