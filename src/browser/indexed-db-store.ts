/** A token store in IndexedDB whose texts are sealed by a key that no script can read. */
import { isRecord } from '../foundation/encoding'
import type { TokenStore } from '../tokens/session/token-store'
import { openRecords, type Records } from './indexed-db-records'

const DATABASE = 'foyer-sessions'
const KEY = 'key'
const CIPHER = 'AES-GCM'

/**
 * Lives until it is cleared, and is the same in all tabs. The key is kept beside the texts, but not extractable: who copies the files or
 * the texts has neither. A script of the same origin can still ask for a text, as it can for everything else on the page.
 */
export function indexedDbStore(): TokenStore {
  const records = openRecords(DATABASE)
  let last: Promise<unknown> = Promise.resolve()
  /** In the order of the calls: sealing takes its own time. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work)
    last = turn.catch(() => undefined)
    return turn
  }
  return {
    get: (key) => inTurn(() => read(records, key)),
    set: (key, text) => inTurn(() => write(records, key, text)),
    delete: (key) => inTurn(() => records.update([nameOf(key)], () => ({ records: [undefined], result: undefined }))),
  }
}

const nameOf = (key: string): string => `text:${key}`

async function read(records: Records, key: string): Promise<string | undefined> {
  const [sealer, sealed] = await records.update([KEY, nameOf(key)], (found) => ({ records: found, result: found }))
  if (!(sealer instanceof CryptoKey) || !isRecord(sealed)) return undefined
  const { iv, data } = sealed
  if (!(iv instanceof Uint8Array) || !(data instanceof ArrayBuffer)) return undefined
  try {
    const opened = await crypto.subtle.decrypt(algorithm(key, new Uint8Array(iv)), sealer, data)
    return new TextDecoder().decode(opened)
  } catch {
    // Sealed by another key, for another place, or changed.
    return undefined
  }
}

async function write(records: Records, key: string, text: string): Promise<void> {
  const iv = crypto.getRandomValues(new Uint8Array(12))
  const data = await crypto.subtle.encrypt(algorithm(key, iv), await sealerOf(records), new TextEncoder().encode(text))
  await records.update([nameOf(key)], () => ({ records: [{ iv, data }], result: undefined }))
}

/** The first of all tabs to make one decides. */
async function sealerOf(records: Records): Promise<CryptoKey> {
  const fresh = await crypto.subtle.generateKey({ name: CIPHER, length: 256 }, false, ['encrypt', 'decrypt'])
  return records.update([KEY], ([kept]) => {
    const sealer = kept instanceof CryptoKey ? kept : fresh
    return { records: [sealer], result: sealer }
  })
}

/** Bound to its place: a text cannot be passed off as that of another key. */
function algorithm(key: string, iv: Uint8Array<ArrayBuffer>): AesGcmParams {
  return { name: CIPHER, iv, additionalData: new TextEncoder().encode(key) }
}
