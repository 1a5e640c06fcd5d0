/** A stored sign-in attempt: any attempt is read as it was written, and nothing else is read. */
import * as fc from 'fast-check'
import { Secret } from 'foyer-sdk'
import { expect, it } from 'vitest'
import { type Attempt, decodeAttempt, encodeAttempt, isFresh, MAX_RECORDS } from '../support/internals'

const REQUIRED = ['state', 'nonce', 'owner', 'scopes', 'redirectUri', 'clientId', 'begun'] as const

const attempts = fc.record({
  state: fc.string(),
  nonce: fc.string(),
  owner: fc.string(),
  scopes: fc.string(),
  redirectUri: fc.string(),
  clientId: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String),
  begun: fc.nat(),
  verifier: fc.option(fc.string({ minLength: 1 }), { nil: undefined }),
  page: fc.option(fc.string(), { nil: undefined }),
})
/** Values that no field has. */
const damage = fc.constantFrom<unknown>(undefined, null, {}, [], true)

const attemptOf = (fields: object, verifier: string | undefined) =>
  ({ ...fields, verifier: verifier === undefined ? undefined : new Secret(verifier) }) as unknown as Attempt

it('a stored attempt is read as it was written, with its verifier as a secret', () => {
  fc.assert(
    fc.property(attempts, ({ verifier, ...fields }) => {
      const attempt = attemptOf(fields, verifier)
      expect(encodeAttempt(attempt)).toEqual({ ...fields, verifier })
      const read = decodeAttempt(JSON.parse(JSON.stringify(encodeAttempt(attempt))))
      expect(read).toEqual(attempt)
      expect(read?.verifier?.reveal()).toBe(verifier)
    }),
  )
})

it('a stored attempt without one of its fields is ignored, and one without verifier or page is not', () => {
  fc.assert(
    fc.property(attempts, damage, (stored, wrong) => {
      for (const field of REQUIRED) expect(decodeAttempt({ ...stored, [field]: wrong })).toBeUndefined()
      expect(decodeAttempt({ ...stored, verifier: wrong, page: wrong })).toMatchObject({
        verifier: undefined,
        page: undefined,
      })
      expect(decodeAttempt(Object.create(stored))).toBeUndefined()
    }),
  )
  for (const value of [undefined, null, 'x', []]) expect(decodeAttempt(value)).toBeUndefined()
})

it('a stored attempt is valid for ten minutes, and there are eight at most', () => {
  const attempt = attemptOf({ begun: 1000 }, undefined)
  expect([isFresh(attempt, 601_000), isFresh(attempt, 601_001), MAX_RECORDS]).toEqual([true, false, 8])
})
