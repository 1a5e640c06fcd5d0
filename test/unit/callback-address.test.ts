/** A callback's address: what is malformed, its parts, and the report of its checks. */
import { describe, expect, it } from 'vitest'
import {
  type Attempt,
  callbackChecks,
  callbackState,
  createServiceConfig,
  readCallback,
} from '../support/internals'
import { rejection } from '../support/settle'

const ADDRESS = 'https://game.test/cb'
const HOST = 'https://service.test'
const ALL = ['redirect_uri passed', 'state passed', 'iss passed', 'response_type passed', 'code passed']

describe('a callback address', () => {
  const MANY = Array.from({ length: 40 }, (_, index) => `a${index}=1`).join('&')

  it.each([
    '?code=a',
    'https://game.test/\n',
    `${ADDRESS}?code=a&code=b`,
    `${ADDRESS}?state=a&state=a`,
    `${ADDRESS}?${MANY}`,
    '',
  ])('is malformed: %s', async (url) => {
    expect(await rejection(() => readCallback(url))).toMatchObject({ code: 'malformed_callback' })
    expect(callbackState(url)).toBeUndefined()
  })

  it('has its parameters and its fragment', () => {
    const { address, parameters, fragment } = readCallback(`${ADDRESS}?code=a&state=b#_=_`)
    expect([address, Object.fromEntries(parameters), fragment]).toEqual([
      ADDRESS,
      { code: 'a', state: 'b' },
      '_=_',
    ])
    expect(callbackState(`${ADDRESS}?state=b`)).toBe('b')
  })
})

const checksOf = (url: string, fault?: string) => {
  const attempt = { state: 'the-state', redirectUri: ADDRESS } as Attempt
  return callbackChecks({
    callback: readCallback(url),
    attempt,
    service: createServiceConfig({ host: HOST }),
    fault,
  })
}

describe('the report of a callback', () => {
  it.each([
    ['everything', 'code=c&state=s&iss=https://service.test', undefined, ALL],
    [
      'nothing',
      '',
      undefined,
      ['redirect_uri passed', 'state passed', 'iss absent', 'response_type passed', 'code absent'],
    ],
    ['another address', 'code=c', 'redirect_mismatch', ['redirect_uri failed']],
    [
      'another issuer',
      'iss=https://evil.test',
      'issuer_mismatch',
      ['redirect_uri passed', 'state passed', 'iss failed'],
    ],
    [
      'an error of the service',
      `error=access_denied&iss=${HOST}`,
      'access_denied',
      [...ALL.slice(0, 4), 'code absent'],
    ],
  ])('with %s ends with the check that failed', (...[, query, fault, expected]) => {
    expect(checksOf(`${ADDRESS}?${query}`, fault).map(({ check, result }) => `${check} ${result}`)).toEqual(
      expected,
    )
  })

  it('names the addresses, but neither state nor code', () => {
    const checks = checksOf('https://other.test/cb?code=the-code&state=the-state&iss=https://other.test')
    expect(JSON.stringify(checks)).not.toMatch(/the-code|the-state/)
    expect(checks[0]).toMatchObject({ expected: ADDRESS, got: 'https://other.test/cb' })
    expect(checks[2]).toMatchObject({ expected: HOST, got: 'https://other.test' })
    expect(checks[3]).not.toHaveProperty('got')
  })
})
