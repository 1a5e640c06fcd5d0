/** Stored sign-in attempts, messages for invalid arguments, and the error of a refusal without its messages. */
import { Secret } from 'foyer-sdk'
import { describe, expect, it } from 'vitest'
import { argumentError } from '../../src/authorization/args-error-messages'
import { decodeAttempt, encodeAttempt, isFresh, MAX_RECORDS } from '../../src/authorization/attempt-record'
import type { Attempt } from '../../src/authorization/authorize-url'

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
