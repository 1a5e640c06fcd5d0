/** A dispatcher that cannot dispatch is rejected before anything is sent. */
import { undiciTransport, type UndiciDispatcher } from 'foyer-sdk/server'
import { expect, it } from 'vitest'

it('a pool without dispatch, as in Bun, is unsupported', () => {
  const pool = { request: () => undefined } as unknown as UndiciDispatcher
  expect(() => undiciTransport(pool)).toThrow(
    expect.objectContaining({ code: 'unsupported', message: expect.stringContaining('Bun') }),
  )
})
