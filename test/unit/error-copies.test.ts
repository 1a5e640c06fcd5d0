/** Errors of one copy of the SDK are recognized by another: a page may load two, and `import` and `require` load one each. */
import * as own from 'foyer-sdk'
import { expect, it, vi } from 'vitest'

async function loadCopy(): Promise<typeof own> {
  vi.resetModules()
  return import('foyer-sdk')
}

it('an error of another copy is a FoyerError, and one of its own class only', async () => {
  const copy = await loadCopy()
  expect(copy.FoyerError).not.toBe(own.FoyerError)
  const errors = [
    [new copy.ConfigurationError('closed'), own.ConfigurationError],
    [new copy.AuthorizationError('popup_blocked'), own.AuthorizationError],
    [new copy.SessionError('signed_out'), own.SessionError],
    [new copy.NetworkError('offline', 'GET /'), own.NetworkError],
    [new copy.ProtocolError('malformed_response'), own.ProtocolError],
    [new copy.ValidationError('invalid_argument', []), own.ValidationError],
  ] as const
  for (const [error, Class] of errors) {
    const matching = errors.filter(([, other]) => error instanceof other).map(([, other]) => other)
    expect([error instanceof own.FoyerError, matching]).toEqual([true, [Class]])
  }
})

it.each([
  ['a plain error', new Error('x')],
  ['an object with its name', { name: 'SessionError', code: 'signed_out' }],
  ['null', null],
  ['text', 'x'],
])('%s is none', (_, value) => {
  expect([value instanceof own.FoyerError, value instanceof own.SessionError]).toEqual([false, false])
})

it('a class that a game derives recognizes its own errors only', async () => {
  const copy = await loadCopy()
  class GameError extends own.SessionError {}
  expect(new GameError('signed_out') instanceof own.SessionError).toBe(true)
  expect([
    new own.SessionError('signed_out') instanceof GameError,
    new copy.SessionError('signed_out') instanceof GameError,
  ]).toEqual([false, false])
})

it('a sign-in keeps the code of an error that the surface of another copy rejects with', async () => {
  const copy = await loadCopy()
  const client = new own.Client({
    applicationId: '1082700000000000001',
    service: { host: 'https://service.test' },
  })
  const surface = {
    redirectUri: () => 'https://game.test/callback.html',
    open: () => Promise.reject(new copy.AuthorizationError('popup_blocked')),
  }
  await expect(client.signIn({ surface })).rejects.toMatchObject({ code: 'popup_blocked' })
  client.close()
})
