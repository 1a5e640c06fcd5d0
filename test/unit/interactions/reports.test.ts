/** Reports of what went wrong at an interaction: their level, their listeners, and their error. */
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { InteractionError } from 'foyer-sdk/server'
import { asInteractionError, createReport } from '../../support/internals'

const reports = (code: string, interaction?: object) => {
  const seen: unknown[] = []
  const report = createReport({
    logger: (...entry) => seen.push(entry),
    onError: (error, from) => seen.push([error.code, from]),
  })
  report(new InteractionError(code as 'handler_failed', 'x'), interaction as never)
  return seen
}

const failing = () => {
  throw new Error('x')
}

describe('a report', () => {
  it.each([
    'handler_failed',
    'no_answer',
    'too_slow',
    'service_missing',
    'key_unusable',
    'replay_unknown',
    'body_consumed',
  ])('of %s is an error', (code) => {
    expect(reports(code, { id: '1' })).toEqual([
      ['error', `interaction.${code}`, { message: expect.any(String) as string, id: '1' }],
      [code, { id: '1' }],
    ])
  })

  it('of a refused request is a warning', () => {
    expect(reports('unknown_command')).toEqual([
      ['warn', 'interaction.unknown_command', { message: expect.any(String) as string }],
      ['unknown_command', undefined],
    ])
  })

  it('without listeners is printed if it is a failure, and not if a request was refused', () => {
    const printed = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    onTestFinished(() => printed.mockRestore())
    const report = createReport({})
    report(new InteractionError('unknown_command'))
    expect(printed).not.toHaveBeenCalled()
    report(new InteractionError('too_slow'))
    expect(printed).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ code: 'too_slow' }))
  })

  it('ignores listeners that fail', async () => {
    const listeners: (() => unknown)[] = [failing, () => Promise.reject(new Error('x'))]
    for (const listener of listeners)
      expect(() =>
        createReport({ logger: listener, onError: listener })(new InteractionError('too_slow')),
      ).not.toThrow()
    await Promise.resolve()
  })

  it('wraps any other error as a failure of the handler', () => {
    const own = new InteractionError('too_slow')
    const other = new Error('x')
    expect(asInteractionError(own, 'a')).toBe(own)
    expect(asInteractionError(other, 'a')).toMatchObject({ code: 'handler_failed', cause: other })
  })
})
