/** The search for secrets that the round trips rely on: it finds what is there, and nothing else. */
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { findSecrets } from '../support/electron/secret-scan'

const SECRET = randomBytes(60).toString('base64url')
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
])('a secret is found %s', (encoding, encode) => {
  expect(findSecrets(around(encode(Buffer.from(SECRET))), SECRET)).toContain(encoding)
})

test('another secret is not found', () => {
  const other = randomBytes(60).toString('base64url')
  expect(findSecrets(around([other, Buffer.from(other).toString('hex'), SECRET.slice(0, 11)].join()), SECRET)).toEqual([])
})
