/** Stored sign-in attempts, messages for invalid arguments, and the error of a refusal without its messages. */
import { Secret } from 'foyer-sdk'
import { describe, expect, it } from 'vitest'
import { argumentError } from '../../src/authorization/argument-error'
import { decodeAttempt, encodeAttempt, isFresh, MAX_RECORDS } from '../../src/authorization/attempt-record'
import type { Attempt } from '../../src/authorization/begin-attempt'
import { callbackState, readCallback } from '../../src/authorization/check-callback'
import { callbackChecks } from '../../src/authorization/callback-checks'
import { rejection } from '../support/settle'

const ATTEMPT = {
  state: 's',
  nonce: 'n',
  owner: 'o',
  clientId: '1082700000000000001',
  scopes: 'openid',
  redirectUri: 'https://game.test/cb',
  verifier: new Secret('v'),
  begun: 1000,
  page: '?level=7',
} as unknown as Attempt

const stored = (changes: object = {}): object => ({ ...encodeAttempt(ATTEMPT), ...changes })

describe('a stored sign-in attempt', () => {
  it('is read as it was written, with its verifier as a secret', () => {
    expect(stored()).toEqual({ ...ATTEMPT, verifier: 'v' })
    const read = decodeAttempt(JSON.parse(JSON.stringify(stored())))
    expect(read).toEqual(ATTEMPT)
    expect(read?.verifier?.reveal()).toBe('v')
  })

  it('may lack a verifier and a page', () => {
    expect(decodeAttempt(stored({ verifier: undefined, page: undefined }))).toEqual({ ...ATTEMPT, verifier: undefined, page: undefined })
    expect(decodeAttempt(stored({ verifier: 7, page: 7 }))).toMatchObject({ verifier: undefined, page: undefined })
    expect(encodeAttempt({ ...ATTEMPT, verifier: undefined })).toMatchObject({ verifier: undefined })
  })

  it.each(['state', 'nonce', 'owner', 'scopes', 'redirectUri', 'clientId', 'begun'])('is ignored without its %s', (field) => {
    expect(decodeAttempt(stored({ [field]: undefined }))).toBeUndefined()
    expect(decodeAttempt(stored({ [field]: {} }))).toBeUndefined()
  })

  it('is ignored if it is no object, and if its fields are inherited', () => {
    for (const value of [undefined, null, 'x', [], Object.create(stored())]) expect(decodeAttempt(value)).toBeUndefined()
  })

  it('is valid for ten minutes', () => {
    expect([isFresh(ATTEMPT, 601_000), isFresh(ATTEMPT, 601_001), MAX_RECORDS]).toEqual([true, false, 8])
  })
})

describe('the error for invalid arguments', () => {
  it('has an issue for each field', () => {
    const fields = ['object', 'clientId', 'scopes', 'state', 'nonce', 'codeChallenge', 'integrationType', 'customSchemeParam'] as const
    const { code, issues } = argumentError(fields)
    expect(code).toBe('invalid_argument')
    expect(issues.map((issue) => `${issue.path} ${issue.code} ${issue.level}`)).toEqual([
      ' invalid_object error',
      'clientId invalid_id error',
      'scopes invalid_scopes error',
      'state invalid_text error',
      'nonce invalid_text error',
      'codeChallenge invalid_challenge error',
      'integrationType unknown_value error',
      'customSchemeParam invalid_scheme error',
    ])
    for (const { message } of issues) expect(message).toMatch(/^must be \S+/)
    expect(issues[3]?.message).toContain('512 visible ASCII characters that no other attempt')
  })
})

describe('the report of a callback', () => {
  const attempt = { ...ATTEMPT, redirectUri: 'https://game.test/cb' }
  const report = (query: Record<string, string>, fault?: string) =>
    callbackChecks({
      callback: { address: 'https://game.test/cb', parameters: new Map(Object.entries(query)), fragment: '' },
      attempt,
      service: { issuer: 'https://service.test' } as never,
      fault,
    }).map(({ check, result }) => `${check} ${result}`)

  it('lists every check of a callback that passed', () => {
    expect(report({ code: 'c', state: 's', iss: 'https://service.test' })).toEqual([
      'redirect_uri passed',
      'state passed',
      'iss passed',
      'response_type passed',
      'code passed',
    ])
    expect(report({}).slice(2)).toEqual(['iss absent', 'response_type passed', 'code absent'])
  })

  it('ends with the check that failed', () => {
    expect(report({ code: 'c' }, 'redirect_mismatch')).toEqual(['redirect_uri failed'])
    expect(report({ iss: 'https://evil.test' }, 'issuer_mismatch')).toEqual(['redirect_uri passed', 'state passed', 'iss failed'])
    expect(report({ code: 'c' }, 'access_denied')).toHaveLength(5)
  })

  it('names the addresses, but neither state nor code', () => {
    const parameters = new Map([
      ['code', 'the-code'],
      ['state', 'the-state'],
      ['iss', 'https://other.test'],
    ])
    const checks = callbackChecks({
      callback: { address: 'https://other.test/cb', parameters, fragment: '' },
      attempt,
      service: { issuer: 'https://service.test' } as never,
    })
    expect(JSON.stringify(checks)).not.toMatch(/the-code|the-state/)
    expect(checks[0]).toMatchObject({ expected: 'https://game.test/cb', got: 'https://other.test/cb' })
    expect(checks[2]).toMatchObject({ expected: 'https://service.test', got: 'https://other.test' })
    expect(checks[3]).not.toHaveProperty('got')
  })
})

describe('a callback address', () => {
  const MANY = Array.from({ length: 40 }, (_, index) => `a${index}=1`).join('&')

  it.each([
    '?code=a',
    'https://game.test/\n',
    'https://game.test/cb?code=a&code=b',
    'https://game.test/cb?state=a&state=a',
    `https://game.test/cb?${MANY}`,
    '',
  ])('is malformed: %s', async (url) => {
    expect(await rejection(() => readCallback(url))).toMatchObject({ code: 'malformed_callback' })
    expect(callbackState(url)).toBeUndefined()
  })

  it('has its parameters and its fragment', () => {
    const { address, parameters, fragment } = readCallback('https://game.test/cb?code=a&state=b#_=_')
    expect([address, Object.fromEntries(parameters), fragment]).toEqual(['https://game.test/cb', { code: 'a', state: 'b' }, '_=_'])
    expect(callbackState('https://game.test/cb?state=b')).toBe('b')
  })
})
