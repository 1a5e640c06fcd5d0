/** Cryptography and chance in a test's hand: nothing of it depends on threads, on the machine's load, or on real randomness. */
import { KeyObject, sign, verify, webcrypto } from 'node:crypto'
import { vi } from 'vitest'

/** A repeatable source of numbers from 0 to 1 (mulberry32). */
export function createChance(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export interface ControlledCrypto {
  /** Signatures and the like that have been asked for and not been given. */
  readonly open: number
  /** Gives one of them, whichever chance picks. */
  giveOne(): void
  /** All later random numbers. */
  reseed(seed: number): void
}

/** The key pair of every service: making one takes a thread. */
const pair = await webcrypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify'])
const published = await webcrypto.subtle.exportKey('jwk', pair.publicKey)

const SIGNATURE = { dsaEncoding: 'ieee-p1363' } as const
const bytes = (data: BufferSource): Uint8Array =>
  ArrayBuffer.isView(data) ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : new Uint8Array(data)

/** Takes the place of `crypto.subtle` and of chance, for as long as the test lasts. ES256 alone. */
export function controlCrypto(): ControlledCrypto {
  let chance = createChance(0)
  const waiting: (() => void)[] = []
  /** Computed at once, and given when the test says so. */
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
    giveOne() {
      waiting.splice(Math.floor(chance() * waiting.length), 1)[0]?.()
    },
    reseed(seed) {
      chance = createChance(seed)
    },
  }
}
