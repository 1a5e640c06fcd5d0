/** Responses to a request about an account, and the errors that they mean. */
import { expect, it } from 'vitest'
import { requestAccount } from '../support/internals'
import { rejection } from '../support/settle'

it.each([
  [200, {}, undefined],
  [200, { error: 'invalid_grant' }, 'AuthorizationError invalid_grant'],
  [400, { error: 'invalid_grant' }, 'AuthorizationError invalid_grant'],
  [401, { error: 'invalid_client' }, 'AuthorizationError invalid_client'],
  [429, { error: 'invalid_grant' }, 'ApiError http_429'],
  [500, { error: 'invalid_grant' }, 'ApiError http_500'],
  [400, { error: 7 }, 'ApiError http_400'],
  [400, { code: 530_007 }, 'ApiError wrong_client_secret'],
  [300, {}, 'ApiError http_300'],
])('a response about an account with status %i and %j means %s', async (status, body, expected) => {
  const response = { status, body, date: undefined, retryAfter: null, emulatorRule: null }
  const request = { url: 'https://service.test/token', route: 'POST /token', as: 'form', fields: {} } as const
  const error = await rejection(() => requestAccount(async () => response, request))
  expect(error && `${Reflect.get(Object(error), 'name')} ${Reflect.get(Object(error), 'code')}`).toBe(
    expected,
  )
})
