/** Stored form of a session: what is read again, what is ignored, and what belongs to another. */
import { Secret } from 'foyer-sdk'
import { describe, expect, it } from 'vitest'
import {
  decodeStored,
  encodeEnd,
  encodeRecord,
  type SessionRecord,
  toApplicationId,
} from '../support/internals'
import { createAttempt, createRecord } from '../support/session-record'
import { CLIENT_ID, HOST, USER_ID } from '../support/token-service'

describe('a stored session', () => {
  const owner = { issuer: HOST, clientId: toApplicationId(CLIENT_ID) }
  const record = createRecord({ id: 'i'.repeat(43) })
  const fields = (): Record<string, unknown> => JSON.parse(encodeRecord(record)) as Record<string, unknown>
  const decode = (changes: Record<string, unknown> = {}) =>
    decodeStored(JSON.stringify({ ...fields(), ...changes }), owner)

  it('is read as it was written', () => {
    const full = createRecord({ ...record, attempt: createAttempt() })
    const tokens = {
      ...full.tokens,
      refreshToken: new Secret('r'),
      idToken: new Secret('i'),
      claims: { sub: USER_ID },
    }
    const stored = encodeRecord({ ...full, tokens: tokens as unknown as SessionRecord['tokens'] })
    const read = decodeStored(stored, owner)
    expect(typeof read === 'object' && 'record' in read && encodeRecord(read.record)).toEqual(stored)
  })

  it.each([
    ['an id', { id: 'short' }],
    ['an epoch', { epoch: undefined }],
    ['a whole epoch', { epoch: 1.5 }],
    ['a positive epoch', { epoch: -1 }],
    ['an application', { clientId: 'x' }],
    ['a player', { userId: 'x' }],
    ['requested scopes', { asked: 'openid' }],
    ['a time', { obtainedAt: '1' }],
    ['a positive time', { obtainedAt: -1 }],
    ['a service', { issuer: 7 }],
    ['an access token', { accessToken: undefined }],
    ['an access token of one line', { accessToken: 'a b' }],
    ['a refresh token that is text', { refreshToken: 7 }],
    ['an ID token that is text', { idToken: '' }],
    ['granted scopes', { scopes: undefined }],
    ['scopes that are text', { scopes: [7] }],
    ['scopes without a quotation mark', { scopes: ['a"b'] }],
    ['4,096 scopes at most', { scopes: Array.from({ length: 4097 }, () => 'a') }],
    ['an expiry', { expiresAt: undefined }],
    ['claims of its player', { claims: { sub: '1' } }],
    ['claims', { claims: 7 }],
    ['an attempt', { attempt: 7 }],
    ['an attempt with a known outcome', { attempt: createAttempt({ outcome: 'else' as 'sent' }) }],
    ['an attempt with a time', { attempt: { ...createAttempt(), at: null } }],
    ['an attempt with a number of tries', { attempt: { ...createAttempt(), tries: -1 } }],
    ['an attempt with a retry time', { attempt: { ...createAttempt(), retryAt: undefined } }],
    ['its version', { v: 0 }],
    ['a version', { v: undefined }],
  ])('without %s is ignored', (_, changes) => {
    expect(decode()).toMatchObject({ record: { epoch: 1 } })
    expect(decode(changes)).toBeUndefined()
  })

  it.each([
    ['0 as its epoch', { epoch: 0 }],
    ['fractions of a millisecond', { obtainedAt: 0.5, expiresAt: 0 }],
    ['4,096 scopes', { scopes: Array.from({ length: 4096 }, () => 'a') }],
    ['claims of its player', { claims: { sub: USER_ID } }],
    ['an attempt', { attempt: createAttempt({ outcome: 'refused', tries: 0 }) }],
  ])('may have %s', (_, changes) => {
    expect(decode(changes)).toMatchObject({ record: { userId: USER_ID } })
  })

  it('is ignored if it is longer than 128 kB', () => {
    const text = JSON.stringify(fields())
    const padded = (length: number) => decodeStored(text + ' '.repeat(length - text.length), owner)
    expect([padded(131_072) === undefined, padded(131_073)]).toEqual([false, undefined])
  })

  it.each([undefined, '', 'no JSON', '7', '[]', 'null'])('is absent for %o', (text) => {
    expect(decodeStored(text, owner)).toBeUndefined()
  })

  it('of a later version is foreign', () => {
    expect([decode({ v: 2 }), decode({ v: '2' })]).toEqual(['foreign', undefined])
  })

  it('belongs to one service and one application, if the client has one', () => {
    const others = [{ issuer: 'https://other.test' }, { clientId: toApplicationId('1287654321098765555') }]
    const anyApplication = [{ clientId: undefined }, { clientId: undefined, issuer: 'https://other.test' }]
    const isRead = [...others, ...anyApplication].map((changes) =>
      decodeStored(JSON.stringify(fields()), { ...owner, ...changes }),
    )
    expect(isRead.map((stored) => typeof stored)).toEqual(['undefined', 'undefined', 'object', 'undefined'])
  })

  it('may be an end marker, with a known reason', () => {
    const id = 'e'.repeat(43)
    expect(decodeStored(encodeEnd(id, 'refresh_rejected'), owner)).toEqual({
      ended: id,
      why: 'refresh_rejected',
    })
    expect(decodeStored(JSON.stringify({ v: 1, ended: id, why: 'else' }), owner)).toEqual({
      ended: id,
      why: 'signed_out',
    })
    expect(decodeStored(JSON.stringify({ v: 1, ended: 'x', why: 'signed_out' }), owner)).toBeUndefined()
  })
})
