/** The secret scan that the round trips use: it finds a secret in every encoding, and nothing else. */
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { findSecrets } from '../support/electron/secret-scan'

/** The same in every run: a random one may go on, by chance, with the letter that stands behind its first part below. */
const secretOf = (seed: string) => createHash('sha512').update(seed).digest('base64url')
const SECRET = secretOf('one')
const around = (text: string) => `{"value":"before ${text} after"}`

test.each<[string, (bytes: Buffer) => string]>([
  ['plain', String],
  ['plain', (bytes) => bytes.toString('utf8').slice(7, 31)],
  ['plain', (bytes) => JSON.stringify(JSON.stringify(bytes.toString('utf8')))],
  ['plain', (bytes) => String(bytes).replace(/./g, (char) => `%${char.charCodeAt(0).toString(16)}`)],
  ['plain', (bytes) => String(bytes).toUpperCase()],
  ['plain', (bytes) => `${String(bytes).slice(0, 40)}"} {"value":"${String(bytes).slice(40)}`],
  ['reversed', (bytes) => String(Buffer.from(bytes.toReversed()))],
  ['hex', (bytes) => bytes.toString('hex')],
  ['base64', (bytes) => bytes.toString('base64')],
  ['base64', (bytes) => Buffer.from(`x${String(bytes)}`).toString('base64')],
  ['base64', (bytes) => Buffer.from(`xy${String(bytes)}`).toString('base64')],
  ['base64url', (bytes) => Buffer.from(`{"token":"${String(bytes)}"}`).toString('base64url')],
  ['bytes', (bytes) => JSON.stringify([...bytes])],
])('findSecrets finds a secret that is encoded as %s', (encoding, encode) => {
  expect(findSecrets(around(encode(Buffer.from(SECRET))), SECRET)).toContain(encoding)
})

test('findSecrets does not report a different secret', () => {
  const other = secretOf('another one')
  expect(
    findSecrets(around([other, Buffer.from(other).toString('hex'), SECRET.slice(0, 11)].join()), SECRET),
  ).toEqual([])
})
