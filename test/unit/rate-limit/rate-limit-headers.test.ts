/** Headers and body of a response: the limits, waits and scopes that they state. */
import { describe, expect, it } from 'vitest'
import { parseRateLimitHeaders } from '../../support/internals'

const read = (status: number, headers: Record<string, string> = {}, body: unknown = {}) =>
  parseRateLimitHeaders({ status, header: (name) => headers[name] ?? null, body }, Date.UTC(2026, 0, 1))

describe('the headers of a response', () => {
  it.each([
    ['none', 200, {}, { status: 200 }],
    [
      'all',
      200,
      { 'x-ratelimit-limit': ' 5 ', 'x-ratelimit-remaining': '5', 'x-ratelimit-reset-after': '1.5' },
      { status: 200, limit: 5, remaining: 5, resetAfter: 1500 },
    ],
    [
      'more remaining than the limit',
      200,
      { 'x-ratelimit-limit': '5', 'x-ratelimit-remaining': '6' },
      { status: 200, limit: 5 },
    ],
    ['a limit of 0', 200, { 'x-ratelimit-limit': '0', 'x-ratelimit-remaining': '0' }, { status: 200 }],
    ['no limit', 200, { 'x-ratelimit-remaining': '1', 'x-ratelimit-reset-after': '1' }, { status: 200 }],
    [
      'a limit that is no number',
      200,
      { 'x-ratelimit-limit': '5x', 'x-ratelimit-reset-after': '1' },
      { status: 200 },
    ],
    ['a negative limit', 200, { 'x-ratelimit-limit': '-5' }, { status: 200 }],
    ['a limit of ten digits', 200, { 'x-ratelimit-limit': '1234567890' }, { status: 200 }],
    [
      'a limit of nine digits',
      200,
      { 'x-ratelimit-limit': '123456789' },
      { status: 200, limit: 123_456_789 },
    ],
    ['a wait after a 503', 503, { 'retry-after': '2' }, { status: 503, retryAfter: 2000 }],
    ['no wait after a 500', 500, { 'retry-after': '2' }, { status: 500 }],
  ])('may be %s', (...[, status, headers, expected]) => {
    expect(read(status, headers)).toEqual(expected)
  })

  it.each([
    ['in the body, rounded up', {}, { retry_after: 0.0001 }, 1],
    ['in the body, a day at most', {}, { retry_after: 90_000 }, 86_400_000],
    ['of 0', { 'retry-after': '3' }, { retry_after: 0 }, 0],
    ['in the header, if the body has none', { 'retry-after': '3' }, { retry_after: -1 }, 3000],
    ['in the header, if that of the body is no number', { 'retry-after': '3' }, { retry_after: '9' }, 3000],
    ['as a date', { 'retry-after': 'Thu, 01 Jan 2026 00:00:09 GMT' }, {}, 10_000],
    ['as a date, a day at most', { 'retry-after': 'Thu, 01 Jan 2027 00:00:09 GMT' }, {}, 86_400_000],
    [
      'until the reset, if the date has passed',
      { 'retry-after': 'Wed, 31 Dec 2025 23:59:59 GMT', 'x-ratelimit-reset-after': '4' },
      {},
      4000,
    ],
    ['of a second, if the header is odd', { 'retry-after': '2026-01-02' }, {}, 1000],
    ['of a second, if there is none', {}, {}, 1000],
    ['of a second, if the body is null', {}, null, 1000],
  ])('of a 429 may have a wait %s', (...[, headers, body, expected]) => {
    expect(read(429, headers, body).retryAfter).toBe(expected)
  })

  it.each([
    [{ global: true }, {}, 'global'],
    [{ global: false }, {}, 'user'],
    [{ global: false }, { 'x-ratelimit-scope': 'shared' }, 'shared'],
    [{ global: true }, { 'x-ratelimit-scope': 'shared' }, 'global'],
    [{}, { 'x-ratelimit-global': 'true' }, 'global'],
    [{}, { 'x-ratelimit-global': 'false' }, undefined],
    [{}, { 'x-ratelimit-scope': 'user' }, 'user'],
    [{}, { 'x-ratelimit-scope': 'global' }, 'global'],
    [{}, { 'x-ratelimit-scope': 'else' }, undefined],
  ])('of a 429 with %o and %o have the scope %s', (body, headers, scope) => {
    expect(read(429, headers, body).scope).toBe(scope)
  })

  it('of a 429 without a JSON body come from the edge', () => {
    expect(parseRateLimitHeaders({ status: 429, header: () => null }, 0)).toEqual({
      status: 429,
      retryAfter: 1000,
      isEdge: true,
    })
    expect(read(429).isEdge).toBe(false)
  })
})
