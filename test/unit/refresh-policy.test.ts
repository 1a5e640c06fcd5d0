/** Policy of a session's refresh: when it is sent, when it is sent again, what its response means, and the session after it. */
import { Secret } from 'foyer-sdk'
import { describe, expect, it } from 'vitest'
import {
  applyRefresh,
  evaluateInvalidGrant,
  evaluateResponse,
  expiryNotice,
  isExpired,
  markInDoubt,
  markLost,
  markSent,
  nextAttempt,
  type RefreshAttempt,
  refreshDueAt,
  type SessionRecord,
  type VerifiedTokens,
} from '../support/internals'
import { rejection } from '../support/settle'
import { createAttempt, createRecord, DAY, HOUR, MINUTE, NOW } from '../support/session-record'
import { USER_ID } from '../support/token-service'

describe('a refresh that is about to be sent', () => {
  it('counts the requests with its token, and may be repeated after half a minute', () => {
    expect(markSent(undefined, NOW, 0)).toEqual({ at: NOW, tries: 1, outcome: 'sent', retryAt: NOW + 30_000 })
    expect(markSent(createAttempt({ tries: 3, outcome: 'lost' }), NOW + 5, 0)).toMatchObject({
      at: NOW + 5,
      tries: 4,
      outcome: 'sent',
    })
  })

  it('differs from the same moment in another tab', () => {
    expect(markSent(undefined, NOW, 0.5).retryAt).toBe(NOW + 30_500)
    expect(markSent(undefined, NOW, 0.9999).retryAt).toBe(NOW + 30_999)
  })
})

describe('a refresh without a usable response', () => {
  it('is repeated after half a minute if nothing responded', () => {
    expect(markLost(createAttempt({ tries: 2 }), NOW, undefined)).toEqual({
      at: NOW,
      tries: 2,
      outcome: 'lost',
      retryAt: NOW + 30_000,
    })
  })

  it('is repeated after two seconds if the service responded, twice that each time, half a minute at most', () => {
    const delays = [1, 2, 3, 4, 5, 9].map((tries) => markLost(createAttempt({ tries }), NOW, 0).retryAt - NOW)
    expect(delays).toEqual([2000, 4000, 8000, 16_000, 30_000, 30_000])
  })

  it('is repeated when the service wants it to be, five minutes later at most', () => {
    const delays = [1000, 90_000, DAY].map(
      (requested) => markLost(createAttempt(), NOW, requested).retryAt - NOW,
    )
    expect(delays).toEqual([2000, 90_000, 300_000])
  })

  it('waits for half a minute if it may have been rejected because another tab was faster', () => {
    expect(markInDoubt(createAttempt({ tries: 2 }), NOW + 7)).toEqual({
      at: NOW,
      tries: 2,
      outcome: 'refused',
      retryAt: NOW + 30_007,
    })
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
    expect(evaluateResponse({ status, body, date: undefined, retryAfter: null, emulatorRule: null })).toBe(
      verdict,
    )
  })

  it('that rejects the token ends the session, is in doubt, or means a lost response', () => {
    expect(evaluateInvalidGrant(undefined)).toBe('rejected')
    expect(evaluateInvalidGrant(createAttempt())).toBe('doubt')
    expect(evaluateInvalidGrant(createAttempt({ outcome: 'lost' }))).toBe('answer_lost')
    expect(evaluateInvalidGrant(createAttempt({ outcome: 'refused' }))).toBe('answer_lost')
  })
})

const due = (lifetime: number) => refreshDueAt(createRecord({}, lifetime)) - NOW

describe('the time of a refresh', () => {
  it('is three quarters of a short lifetime, half of a medium one, and a day before the end of it at the latest', () => {
    expect([due(HOUR), due(2 * DAY), due(2 * DAY + 1000), due(7 * DAY)]).toEqual([
      0.75 * HOUR,
      1.5 * DAY,
      DAY + 500,
      3.5 * DAY,
    ])
  })

  it('is at once for a token that had expired when it came', () => {
    expect(due(-HOUR)).toBe(0)
  })

  it('is up to a tenth earlier, depending on the session', () => {
    const times = ['D]', 'Aa', 'zZ', '09'].map(
      (start) => refreshDueAt(createRecord({ id: start.padEnd(43, 'A') })) - NOW,
    )
    expect(times[0]).toBe(0.75 * HOUR * 0.999)
    for (const time of times) expect(time).toBeGreaterThan(0.75 * HOUR * 0.9)
    for (const time of times) expect(time).toBeLessThanOrEqual(0.75 * HOUR)
    expect(new Set(times).size).toBe(4)
  })
})

const notice = (lifetime: number) => NOW + lifetime - expiryNotice(createRecord({}, lifetime))

describe("the notice of a token's end", () => {
  it('comes five minutes ahead, or a tenth of a short lifetime', () => {
    expect([notice(HOUR), notice(10 * MINUTE)]).toEqual([5 * MINUTE, MINUTE])
  })
})

describe('an access token', () => {
  it('counts as expired from five seconds before its end', () => {
    const record = createRecord()
    expect([isExpired(record, NOW + HOUR - 5001), isExpired(record, NOW + HOUR - 5000)]).toEqual([
      false,
      true,
    ])
  })
})

/** ms until the next attempt; 0 to send now. */
const wait = (last: RefreshAttempt | undefined, { dead = false, alone = true } = {}) => {
  const until = nextAttempt(last, { now: NOW, dead, alone })
  return until && until - NOW
}

describe('the next attempt', () => {
  it('is sent at once if there was none', () => {
    expect(wait(undefined)).toBe(0)
  })

  it.each(['lost', 'refused'] as const)(
    'waits for the retry time of one that was %s, five minutes at most',
    (outcome) => {
      for (const alone of [true, false]) {
        const waits = [0, 7000, 300_000, 300_001].map((ms) =>
          wait(createAttempt({ outcome, retryAt: NOW + ms }), { alone, dead: ms === 7000 }),
        )
        expect(waits).toEqual([0, 7000, 300_000, 0])
      }
    },
  )

  it.each([
    ['while another tab may still be sending', { alone: false }, [0, 12_000, 1, 0, 0]],
    [
      'while another tab may still be sending, also without a usable token',
      { alone: false, dead: true },
      [0, 12_000, 1, 0, 0],
    ],
    ['after a tab that has died', {}, [0, 30_000, 18_001, 18_000, 0]],
    ['not at all without a usable token', { dead: true }, [0, 0, 0, 0, 0]],
  ])('waits %s', (_, situation, expected) => {
    expect(
      [1, 0, -11_999, -12_000, -30_000].map((at) => wait(createAttempt({ at: NOW + at }), situation)),
    ).toEqual(expected)
  })
})

/** A record whose ID token had these claims. */
const recordWith = (claims?: object, refreshed: object = {}) =>
  createRecord({
    tokens: {
      ...createRecord().tokens,
      refreshToken: new Secret('r1'),
      claims,
      ...refreshed,
    } as SessionRecord['tokens'],
  })
const refresh = (before: SessionRecord, changes: object, claims?: object) => {
  const { tokens } = recordWith(claims, { refreshToken: new Secret('r2'), ...changes })
  return applyRefresh(before, { tokens, obtainedAt: NOW + 2 } as unknown as VerifiedTokens)
}

describe('a session after its refresh', () => {
  it('has the new tokens, counts, and ends the attempt', () => {
    const before = { ...recordWith(), attempt: createAttempt(), epoch: 4 }
    const record = refresh(before, { scopes: ['email'] })
    expect(record).toMatchObject({ id: before.id, epoch: 5, obtainedAt: NOW + 2, attempt: undefined })
    expect([record.tokens.refreshToken?.reveal(), record.tokens.scopes]).toEqual(['r2', ['email']])
    expect(refresh(before, { scopes: [] }).tokens.scopes).toEqual(['openid'])
  })

  it.each([
    [undefined, { sub: USER_ID }, undefined],
    [undefined, { sub: '1' }, 'sub'],
    [1000, { sub: USER_ID, auth_time: 1000 }, undefined],
    [1000, { sub: USER_ID, auth_time: 1001 }, 'auth_time'],
    [undefined, { sub: USER_ID, auth_time: 1000 }, undefined],
    [1000, { sub: USER_ID }, undefined],
    ['1000', { sub: USER_ID, auth_time: 1000 }, undefined],
    [1000, { sub: USER_ID, auth_time: '1001' }, undefined],
  ])('that began at %j with the claims %j is refused for %s', async (signedIn, claims, path) => {
    const error = await rejection(() => refresh(recordWith({ auth_time: signedIn }), {}, claims))
    expect([Reflect.get(Object(error), 'code'), Reflect.get(Object(error), 'path')]).toEqual([
      path && 'invalid_id_token',
      path,
    ])
  })
})
