/** The hash that PKCE and ID tokens stand on, against the one of Node. */
import { createHash } from 'node:crypto'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { sha256 } from '../../src/foundation/sha256'

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
const byNode = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex')

test('it gives what FIPS 180-4 gives for its own examples', () => {
  expect(hex(sha256('abc'))).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  expect(hex(sha256('abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq'))).toBe(
    '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
  )
  expect(hex(sha256(''))).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
})

test('it gives the same as Node at every length around the ends of its blocks', () => {
  for (let length = 0; length <= 260; length++) {
    const text = Array.from({ length }, (_, index) => String.fromCharCode(33 + ((index * 7 + length) % 94))).join('')
    expect(hex(sha256(text)), `${length} bytes`).toBe(byNode(text))
  }
})

test('it gives the same as Node for any text, also one of a megabyte', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 2000 }), (text) => {
      expect(hex(sha256(text))).toBe(byNode(text))
    }),
  )
  const long = 'a'.repeat(1_000_000)
  expect(hex(sha256(long))).toBe(byNode(long))
})
