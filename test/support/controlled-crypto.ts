/** Deterministic cryptography and randomness: independent of threads, of the machine's load and of real randomness. */
import { KeyObject, sign, verify, webcrypto } from 'node:crypto'
import { vi } from 'vitest'

/** Seeded random numbers from 0 to 1 (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export interface ControlledCrypto {
  /** Number of pending operations. */
  readonly open: number
  /** Completes one random pending operation. */
  completeOne(): void
  /** Reseeds all later random numbers. */
  reseed(seed: number): void
}

/** Key pair of every service: generating one takes a thread. */
const pair = await webcrypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
  'sign',
  'verify',
])
const published = await webcrypto.subtle.exportKey('jwk', pair.publicKey)

const SIGNATURE = { dsaEncoding: 'ieee-p1363' } as const
const bytes = (data: BufferSource): Uint8Array =>
  ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data)

/** Replaces `crypto.subtle` and the random sources for the duration of the test. ES256 only. */
export function controlCrypto(): ControlledCrypto {
  let chance = createRandom(0)
  const waiting: (() => void)[] = []
  /** Queues the computation until the test calls `giveOne`. */
  const later = <T>(compute: () => T): Promise<T> =>
    new Promise((resolve, reject) => {
      waiting.push(() => {
        try {
          resolve(compute())
        } catch (error) {
          reject(error)
        }
      })
    })
  const { subtle } = globalThis.crypto
  vi.spyOn(subtle, 'generateKey').mockImplementation(async () => pair)
  vi.spyOn(subtle, 'exportKey').mockImplementation(async () => published)
  vi.spyOn(subtle, 'importKey').mockImplementation(() => later(() => pair.publicKey))
  vi.spyOn(subtle, 'sign').mockImplementation((_, key, data) =>
    later(() => {
      const made = sign('sha256', bytes(data), { key: KeyObject.from(key), ...SIGNATURE })
      return new Uint8Array(made).buffer
    }),
  )
  vi.spyOn(subtle, 'verify').mockImplementation((...[, key, signature, data]) =>
    later(() => verify('sha256', bytes(data), { key: KeyObject.from(key), ...SIGNATURE }, bytes(signature))),
  )
  vi.spyOn(Math, 'random').mockImplementation(() => chance())
  vi.spyOn(globalThis.crypto, 'getRandomValues').mockImplementation((array) => {
    const view = array as unknown as Uint8Array
    for (let index = 0; index < view.length; index++) view[index] = Math.floor(chance() * 256)
    return array
  })
  return {
    get open() {
      return waiting.length
    },
    completeOne() {
      waiting.splice(Math.floor(chance() * waiting.length), 1)[0]?.()
    },
    reseed(seed) {
      chance = createRandom(seed)
    },
  }
}
