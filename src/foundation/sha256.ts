/** SHA-256 of text (FIPS 180-4), synchronously: browsers hash asynchronously only. */

type Words = readonly number[]
/** Of eight words. */
type State = readonly [number, number, number, number, number, number, number, number]

/** Bytes that are hashed at a time. */
const BLOCK = 64

export function sha256(text: string): Uint8Array {
  const [rounds, initial] = constants()
  const message = pad(new TextEncoder().encode(text))
  let state = initial
  for (let at = 0; at < message.byteLength; at += BLOCK) state = compress(state, rounds, schedule(message, at))
  const digest = new DataView(new ArrayBuffer(32))
  state.forEach((word, index) => digest.setInt32(index * 4, word))
  return new Uint8Array(digest.buffer)
}

/** Sections 4.2.2 and 5.3.3: what stands behind the point in the cube roots, and in the square roots, of the first primes. */
function constants(): readonly [rounds: Words, initial: State] {
  const primes: number[] = []
  for (let number = 2; primes.length < BLOCK; number++) if (primes.every((prime) => number % prime)) primes.push(number)
  return [
    primes.map((prime) => behindPoint(Math.cbrt(prime))),
    [root(2), root(3), root(5), root(7), root(11), root(13), root(17), root(19)],
  ]
}

const root = (number: number): number => behindPoint(Math.sqrt(number))

/** The first 32 bits; `| 0` drops the ones before the point. */
const behindPoint = (number: number): number => (number * 2 ** 32) | 0

/** Section 5.1.1: a one, zeros, and the length in bits. */
function pad(bytes: Uint8Array): DataView {
  const { length } = bytes
  const end = Math.ceil((length + 9) / BLOCK) * BLOCK
  const message = new Uint8Array(end)
  message.set(bytes)
  message[length] = 0x80
  const view = new DataView(message.buffer)
  view.setUint32(end - 8, length / 2 ** 29)
  view.setUint32(end - 4, length * 8)
  return view
}

/** Section 6.2.2, step 1. */
function schedule(message: DataView, at: number): Words {
  const words: number[] = []
  const before = (count: number) => words[words.length - count] ?? 0
  while (words.length < 16) words.push(message.getInt32(at + words.length * 4))
  while (words.length < BLOCK) {
    const [old, late] = [before(15), before(2)]
    const mixed = (turn(old, 7) ^ turn(old, 18) ^ (old >>> 3)) + (turn(late, 17) ^ turn(late, 19) ^ (late >>> 10))
    words.push((mixed + before(7) + before(16)) | 0)
  }
  return words
}

/** Section 6.2.2, steps 2 to 4. */
function compress(before: State, rounds: Words, words: Words): State {
  let [a, b, c, d, e, f, g, h] = before
  for (const [index, word] of words.entries()) {
    const first = h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + (rounds[index] ?? 0) + word
    const second = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))
    ;[a, b, c, d, e, f, g, h] = [(first + second) | 0, a, b, c, (d + first) | 0, e, f, g]
  }
  const [A, B, C, D, E, F, G, H] = before
  return [(a + A) | 0, (b + B) | 0, (c + C) | 0, (d + D) | 0, (e + E) | 0, (f + F) | 0, (g + G) | 0, (h + H) | 0]
}

const turn = (word: number, bits: number): number => (word << (32 - bits)) | (word >>> bits)
