/** Token store in IndexedDB, encrypted with a non-extractable key. */
import { isRecord } from '../../shared/foundation/untrusted-values'
import type { TokenStore } from '../session/token-store'
import { openRecords, type Records } from './indexed-db-records'

const DATABASE = 'foyer-sessions'
const KEY = 'key'
const CIPHER = 'AES-GCM'

/**
 * Creates a token store in IndexedDB, shared by all tabs and persistent until site data are cleared. Values are encrypted with a
 * non-extractable key, so copied files or values are useless. Scripts of the same origin can still read the store.
 */
export function indexedDbStore(): TokenStore {
  const records = openRecords(DATABASE)
  let last: Promise<unknown> = Promise.resolve()
  /** Keeps the call order, because encryption is asynchronous. */
  const inOrder = <T>(work: () => Promise<T>): Promise<T> => {
    const result = last.then(work)
    last = result.catch(() => undefined)
    return result
  }
  return {
    get: (key) => inOrder(() => read(records, key)),
    set: (key, text) => inOrder(() => write(records, key, text)),
    delete: (key) =>
      inOrder(() => records.update([nameOf(key)], () => ({ records: [undefined], result: undefined }))),
  }
}

const nameOf = (key: string): string => `text:${key}`

async function read(records: Records, key: string): Promise<string | undefined> {
  const [cryptoKey, encrypted] = await records.update([KEY, nameOf(key)], (found) => ({
    records: found,
    result: found,
  }))
  if (!(cryptoKey instanceof CryptoKey) || !isRecord(encrypted)) return undefined
  const { iv, data } = encrypted
  if (!(iv instanceof Uint8Array) || !(data instanceof ArrayBuffer)) return undefined
  try {
    const decrypted = await crypto.subtle.decrypt(algorithm(key, new Uint8Array(iv)), cryptoKey, data)
    return new TextDecoder().decode(decrypted)
  } catch {
    // Encrypted with another key, moved from another record, or modified.
    return undefined
  }
}

async function write(records: Records, key: string, text: string): Promise<void> {
  const iv = crypto.getRandomValues(new Uint8Array(12))
  const data = await crypto.subtle.encrypt(
    algorithm(key, iv),
    await getCryptoKey(records),
    new TextEncoder().encode(text),
  )
  await records.update([nameOf(key)], () => ({ records: [{ iv, data }], result: undefined }))
}

/** The first tab to create a key wins. */
async function getCryptoKey(records: Records): Promise<CryptoKey> {
  const fresh = await crypto.subtle.generateKey({ name: CIPHER, length: 256 }, false, ['encrypt', 'decrypt'])
  return records.update([KEY], ([stored]) => {
    const cryptoKey = stored instanceof CryptoKey ? stored : fresh
    return { records: [cryptoKey], result: cryptoKey }
  })
}

/** Authenticates the record key, so that a value cannot be moved to another record. */
function algorithm(key: string, iv: Uint8Array<ArrayBuffer>): AesGcmParams {
  return { name: CIPHER, iv, additionalData: new TextEncoder().encode(key) }
}
