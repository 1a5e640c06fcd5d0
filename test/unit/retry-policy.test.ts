/** Retries of a request: after which failures, how often, and after which delay. */
import { describe, expect, it } from 'vitest'
import { type Failure, failureOf, isConnectionFailure, mayRetry, retryDelay } from '../support/internals'

describe('a response', () => {
  it.each([
    [429, {}, 'refused'],
    [429, undefined, 'refused'],
    [429, { code: 30_034 }, undefined],
    [429, { code: 0 }, 'refused'],
    [502, {}, 'broken'],
    [503, {}, 'broken'],
    [504, {}, 'broken'],
    [500, {}, undefined],
    [501, {}, undefined],
    [200, { code: 30_034 }, undefined],
  ])('with status %i and %o is a failure to retry: %s', (status, body, expected) => {
    expect(failureOf({ status, body })).toBe(expected)
  })
})

/** The number of retries of a request that always fails in this way. */
function retriesOf(failure: Failure, request: { method: string; isRepeatable?: boolean }): number {
  let attempts = 1
  while (
    mayRetry(failure, {
      ...request,
      attempts: { refused: 0, unsent: 0, lost: 0, broken: 0, [failure]: attempts },
    })
  )
    attempts++
  return attempts - 1
}

const FAILURES = ['refused', 'unsent', 'lost', 'broken'] as const
/** What the service may have processed is not sent again. */
const ALWAYS = [4, 3, 2, 2]
const IF_UNPROCESSED = [4, 3, 0, 0]

describe('a retry', () => {
  it.each([
    ...['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS'].map((method) => [method, undefined, ALWAYS] as const),
    ...['POST', 'PATCH'].map((method) => [method, undefined, IF_UNPROCESSED] as const),
    ['POST', true, ALWAYS],
    ['PATCH', true, ALWAYS],
    ['PUT', false, IF_UNPROCESSED],
  ] as const)('of a %s that can be repeated (%s) is made %j times', (method, isRepeatable, times) => {
    const request = { method, ...(isRepeatable !== undefined && { isRepeatable }) }
    expect(FAILURES.map((failure) => retriesOf(failure, request))).toEqual(times)
  })

  it('comes after 200 ms, twice that each time, five seconds at most, or half of it', () => {
    expect([1, 2, 3, 5, 6, 9].map((attempts) => retryDelay('lost', attempts, 1))).toEqual([
      200, 400, 800, 3200, 5000, 5000,
    ])
    expect([0, 0.5, 1].map((chance) => retryDelay('unsent', 1, chance))).toEqual([100, 150, 200])
  })

  it('after a 429 has no delay of its own', () => {
    expect(retryDelay('refused', 3, 1)).toBe(0)
  })
})

describe('a connection that was never made', () => {
  it.each([
    'ECONNREFUSED',
    'ENOTFOUND',
    'EAI_AGAIN',
    'ENETUNREACH',
    'EHOSTUNREACH',
    'UND_ERR_CONNECT_TIMEOUT',
  ])('may be %s', (code) => {
    expect(isConnectionFailure({ code })).toBe(true)
  })

  it('is found by the code of an error or of its causes', () => {
    const refused = Object.assign(new Error('no'), { code: 'ECONNREFUSED' })
    expect(isConnectionFailure(refused)).toBe(true)
    expect(isConnectionFailure(new Error('outer', { cause: new Error('inner', { cause: refused }) }))).toBe(
      true,
    )
  })

  it.each([
    undefined,
    null,
    'ECONNREFUSED',
    new Error('x'),
    { code: 'ECONNRESET' },
    { code: 7 },
    { code: ['ECONNREFUSED'] },
    { cause: null },
    { cause: 'x' },
  ])('is not %o', (error) => {
    expect(isConnectionFailure(error)).toBe(false)
  })
})
