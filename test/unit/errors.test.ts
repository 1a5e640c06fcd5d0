/** Contents of every error: whether to retry, the remedy, and a link to its documentation. */
import {
  ApiError,
  AuthorizationError,
  type AuthorizationErrorCode,
  ConfigurationError,
  type FoyerError,
  NetworkError,
  RateLimitError,
  SessionError,
} from 'foyer-sdk'
import { describe, expect, it } from 'vitest'

describe('`retryable` of an error', () => {
  it.each<AuthorizationErrorCode>([
    'invalid_request',
    'invalid_client',
    'invalid_scope',
    'unauthorized_client',
    'unsupported_grant_type',
    'unsupported_response_type',
    'authorization_failed',
    'issuer_mismatch',
    'redirect_mismatch',
    'surface_failed',
  ])('is false for %s, which repeats until code or settings change', (code) => {
    expect(new AuthorizationError(code).retryable).toBe(false)
  })

  it.each<AuthorizationErrorCode>([
    'access_denied',
    'popup_blocked',
    'window_closed',
    'timed_out',
    'invalid_grant',
    'server_error',
    'temporarily_unavailable',
    'state_mismatch',
  ])('is true for %s, which may succeed on retry', (code) => {
    expect(new AuthorizationError(code).retryable).toBe(true)
  })
})

describe('an error message', () => {
  it.each<[FoyerError, string]>([
    [
      new AuthorizationError('popup_blocked'),
      'popup blocked. Call signIn() in the click handler, before any await, or use redirectSurface()',
    ],
    [new AuthorizationError('popup_blocked', { remedy: 'Use pointerup' }), 'popup blocked. Use pointerup'],
    [
      new ConfigurationError('insecure_endpoint', 'service.host'),
      'insecure endpoint: service.host. It needs https:// (http:// on localhost and 127.0.0.1 only), no credentials and no fragment',
    ],
    [
      new SessionError('signed_out'),
      'signed out. Call signIn() first, or resume() when the page starts, and wait for it',
    ],
    [new AuthorizationError('access_denied'), 'access denied'],
    [
      new ApiError('http_403', 'GET /x', { status: 403, emulatorRule: 'the token lacks the scope' }),
      'http 403: GET /x (emulator: the token lacks the scope)',
    ],
  ])('names subject and remedy: %s', (error, message) => {
    expect(error.message).toBe(message)
    expect(JSON.stringify(error)).not.toContain('remedy')
  })
})

describe('the help link of an error', () => {
  it.each<[FoyerError, string]>([
    [new AuthorizationError('popup_blocked'), 'docs/errors.md#popup_blocked'],
    [new NetworkError('connection_failed', 'GET /x'), 'docs/errors.md#connection_failed'],
    [new ApiError('http_404', 'GET /x', { status: 404 }), 'docs/errors.md#http_status'],
    [
      new RateLimitError('rate_limited', { retryAfter: 1, resetAt: 1, bucket: 'x', scope: 'user' }),
      'docs/errors.md#rate_limited',
    ],
  ])('links to the entry of the code: %s', (error, help) => {
    expect([error.help, error.toJSON()['help']]).toEqual([help, help])
  })
})
