/** Decisions about a session's refresh: when it is sent, when it is sent again, and the meaning of its responses. */
import { Secret } from 'foyer-sdk'
import { describe, expect, it } from 'vitest'
import { toApplicationId } from '../../src/foundation/ids'
import {
  evaluateInvalidGrant,
  evaluateResponse,
  markInDoubt,
  markLost,
  markSent,
  expiryNotice,
  isExpired,
  nextAttempt,
  refreshDueAt,
} from '../../src/tokens/session/refresh-policy'
import { decodeStored, encodeEnd, encodeRecord, type RefreshAttempt, type SessionRecord } from '../../src/tokens/session/session-record'
import { CLIENT_ID, HOST, USER_ID } from '../support/token-service'

const NOW = 1_700_000_000_000
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

function sessionRecord(changes: Partial<SessionRecord> = {}, lifetime = HOUR): SessionRecord {
  const tokens = { accessToken: new Secret('access-1'), tokenType: 'Bearer', expiresAt: NOW + lifetime, scopes: ['openid'] } as const
  // The id's first two characters give a jitter of 0: (68 * 31 + 92) % 100.
  const base = { id: 'D\\'.padEnd(43, 'A'), epoch: 1, issuer: HOST, clientId: CLIENT_ID, userId: USER_ID, asked: ['openid'] }
  return { ...base, obtainedAt: NOW, tokens, ...changes } as SessionRecord
}

const attempt = (changes: Partial<RefreshAttempt> = {}): RefreshAttempt => ({
  at: NOW,
  tries: 1,
  outcome: 'sent',
  retryAt: NOW,
  ...changes,
})

describe('a refresh that is about to be sent', () => {
  it('counts the requests with its token, and may be repeated after half a minute', () => {
    expect(markSent(undefined, NOW, 0)).toEqual({ at: NOW, tries: 1, outcome: 'sent', retryAt: NOW + 30_000 })
    expect(markSent(attempt({ tries: 3, outcome: 'lost' }), NOW + 5, 0)).toMatchObject({ at: NOW + 5, tries: 4, outcome: 'sent' })
  })

  it('differs from the same moment in another tab', () => {
    expect(markSent(undefined, NOW, 0.5).retryAt).toBe(NOW + 30_500)
    expect(markSent(undefined, NOW, 0.9999).retryAt).toBe(NOW + 30_999)
  })
})

describe('a refresh without a usable response', () => {
  it('is repeated after half a minute if nothing responded', () => {
    expect(markLost(attempt({ tries: 2 }), NOW, undefined)).toEqual({ at: NOW, tries: 2, outcome: 'lost', retryAt: NOW + 30_000 })
  })

  it('is repeated after two seconds if the service responded, twice that each time, half a minute at most', () => {
    const delays = [1, 2, 3, 4, 5, 9].map((tries) => markLost(attempt({ tries }), NOW, 0).retryAt - NOW)
    expect(delays).toEqual([2000, 4000, 8000, 16_000, 30_000, 30_000])
  })

  it('is repeated when the service wants it to be, five minutes later at most', () => {
    const delays = [1000, 90_000, DAY].map((requested) => markLost(attempt(), NOW, requested).retryAt - NOW)
    expect(delays).toEqual([2000, 90_000, 300_000])
  })

  it('waits for half a minute if it may have been rejected because another tab was faster', () => {
    expect(markInDoubt(attempt({ tries: 2 }), NOW + 7)).toEqual({ at: NOW, tries: 2, outcome: 'refused', retryAt: NOW + 30_007 })
  })
})

describe('a response to a refresh', () => {
  it.each([
    [200, {}, 'refreshed'],
    [200, { error: 'invalid_grant' }, 'unusable'],
    [201, {}, 'unusable'],
    [400, { error: 'invalid_grant' }, 'invalid'],
    [401, { error: 'invalid_grant' }, 'invalid'],
    [403, { error: 'invalid_grant' }, 'unusable'],
    [500, { error: 'invalid_grant' }, 'unusable'],
    [400, { error: 'invalid_client' }, 'unusable'],
    [400, {}, 'unusable'],
  ])('with status %i and %o is %s', (status, body, verdict) => {
    expect(evaluateResponse({ status, body, date: undefined, retryAfter: null, emulatorRule: null })).toBe(verdict)
  })

  it('that rejects the token ends the session, is in doubt, or means a lost response', () => {
    expect(evaluateInvalidGrant(undefined)).toBe('rejected')
    expect(evaluateInvalidGrant(attempt())).toBe('doubt')
    expect(evaluateInvalidGrant(attempt({ outcome: 'lost' }))).toBe('answer_lost')
    expect(evaluateInvalidGrant(attempt({ outcome: 'refused' }))).toBe('answer_lost')
  })
})

const due = (lifetime: number) => refreshDueAt(sessionRecord({}, lifetime)) - NOW

describe('the time of a refresh', () => {
  it('is three quarters of a short lifetime, half of a medium one, and a day before the end of it at the latest', () => {
    expect([due(HOUR), due(2 * DAY), due(2 * DAY + 1000), due(7 * DAY)]).toEqual([0.75 * HOUR, 1.5 * DAY, DAY + 500, 3.5 * DAY])
  })

  it('is at once for a token that had expired when it came', () => {
    expect(due(-HOUR)).toBe(0)
  })

  it('is up to a tenth earlier, depending on the session', () => {
    const times = ['D]', 'Aa', 'zZ', '09'].map((start) => refreshDueAt(sessionRecord({ id: start.padEnd(43, 'A') })) - NOW)
    expect(times[0]).toBe(0.75 * HOUR * 0.999)
    for (const time of times) expect(time).toBeGreaterThan(0.75 * HOUR * 0.9)
    for (const time of times) expect(time).toBeLessThanOrEqual(0.75 * HOUR)
    expect(new Set(times).size).toBe(4)
  })
})

const notice = (lifetime: number) => NOW + lifetime - expiryNotice(sessionRecord({}, lifetime))

describe("the notice of a token's end", () => {
  it('comes five minutes ahead, or a tenth of a short lifetime', () => {
    expect([notice(HOUR), notice(10 * MINUTE)]).toEqual([5 * MINUTE, MINUTE])
  })
})

describe('an access token', () => {
  it('counts as expired from five seconds before its end', () => {
    const record = sessionRecord()
    expect([isExpired(record, NOW + HOUR - 5001), isExpired(record, NOW + HOUR - 5000)]).toEqual([false, true])
  })
})

const wait = (last: RefreshAttempt | undefined, { dead = false, alone = true, now = NOW } = {}) => {
  const until = nextAttempt(last, { now, dead, alone })
  return until && until - NOW
}

describe('the next attempt', () => {
  it('is sent at once if there was none', () => {
    expect(wait(undefined)).toBe(0)
  })

  it.each(['lost', 'refused'] as const)('waits for the retry time of one that was %s, five minutes at most', (outcome) => {
    for (const alone of [true, false]) {
      expect(wait(attempt({ outcome, retryAt: NOW + 7000 }), { alone, dead: true })).toBe(7000)
      expect(wait(attempt({ outcome, retryAt: NOW + 300_000 }), { alone })).toBe(300_000)
      expect(wait(attempt({ outcome, retryAt: NOW + 300_001 }), { alone })).toBe(0)
      expect(wait(attempt({ outcome, retryAt: NOW }), { alone })).toBe(0)
    }
  })

  it('waits while another tab may still be sending', () => {
    for (const dead of [true, false]) {
      expect(wait(attempt(), { alone: false, dead })).toBe(12_000)
      expect(wait(attempt({ at: NOW - 11_999 }), { alone: false, dead })).toBe(1)
      expect(wait(attempt({ at: NOW - 12_000 }), { alone: false, dead })).toBe(0)
      expect(wait(attempt({ at: NOW + 1 }), { alone: false, dead })).toBe(0)
    }
  })

  it('waits after a tab that has died, unless the access token cannot be used any more', () => {
    expect(wait(attempt())).toBe(30_000)
    expect(wait(attempt({ at: NOW - 30_000 }))).toBe(0)
    expect(wait(attempt({ at: NOW + 1 }))).toBe(0)
    expect(wait(attempt(), { dead: true })).toBe(0)
  })
})

describe('a stored session', () => {
  const owner = { issuer: HOST, clientId: toApplicationId(CLIENT_ID) }
  const record = sessionRecord({ id: 'i'.repeat(43) })
  const fields = (): Record<string, unknown> => JSON.parse(encodeRecord(record)) as Record<string, unknown>
  const decode = (changes: Record<string, unknown> = {}) => decodeStored(JSON.stringify({ ...fields(), ...changes }), owner)

  it('is read as it was written', () => {
    const full = sessionRecord({ ...record, attempt: attempt() })
    const tokens = { ...full.tokens, refreshToken: new Secret('r'), idToken: new Secret('i'), claims: { sub: USER_ID } }
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
    ['an attempt with a known outcome', { attempt: attempt({ outcome: 'else' as 'sent' }) }],
    ['an attempt with a time', { attempt: { ...attempt(), at: null } }],
    ['an attempt with a number of tries', { attempt: { ...attempt(), tries: -1 } }],
    ['an attempt with a retry time', { attempt: { ...attempt(), retryAt: undefined } }],
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
    ['an attempt', { attempt: attempt({ outcome: 'refused', tries: 0 }) }],
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
    const isRead = [...others, ...anyApplication].map((changes) => decodeStored(JSON.stringify(fields()), { ...owner, ...changes }))
    expect(isRead.map((stored) => typeof stored)).toEqual(['undefined', 'undefined', 'object', 'undefined'])
  })

  it('may be an end marker, with a known reason', () => {
    const id = 'e'.repeat(43)
    expect(decodeStored(encodeEnd(id, 'refresh_rejected'), owner)).toEqual({ ended: id, why: 'refresh_rejected' })
    expect(decodeStored(JSON.stringify({ v: 1, ended: id, why: 'else' }), owner)).toEqual({ ended: id, why: 'signed_out' })
    expect(decodeStored(JSON.stringify({ v: 1, ended: 'x', why: 'signed_out' }), owner)).toBeUndefined()
  })
})
