/** Reports of what went wrong at an interaction: their level, their listeners, and their error. */
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { ConfigurationError, InteractionError, type InteractionErrorCode } from 'foyer-sdk/server'
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

/** The line of each code in the terminal. Nobody has to know of a request that was refused. */
const PRINTED: Readonly<Record<InteractionErrorCode, 'error' | 'warn' | 'nothing'>> = {
  handler_failed: 'error',
  no_answer: 'error',
  too_slow: 'error',
  service_missing: 'error',
  key_unusable: 'error',
  replay_unknown: 'error',
  body_consumed: 'error',
  already_answered: 'warn',
  unknown_command: 'warn',
  unknown_route: 'warn',
  missing_option: 'warn',
  invalid_option: 'warn',
  visibility_fixed: 'warn',
  message_missing: 'warn',
  suggestions_dropped: 'warn',
  token_expired: 'warn',
  instance_unknown: 'warn',
  missing_header: 'nothing',
  malformed_signature: 'nothing',
  malformed_timestamp: 'nothing',
  malformed_body: 'nothing',
  old_timestamp: 'nothing',
  future_timestamp: 'nothing',
  body_too_large: 'nothing',
  body_unreadable: 'nothing',
  bad_signature: 'nothing',
  body_altered: 'nothing',
  replayed: 'nothing',
  malformed_interaction: 'nothing',
  unknown_type: 'nothing',
}
const CODES = Object.entries(PRINTED)
const codesThat = (printed: string) => CODES.filter(([, each]) => each === printed).map(([code]) => code)

/** Arguments of everything that is printed. */
const watchConsole = () => {
  const printed: [level: string, what: unknown][] = []
  const spies = (['error', 'warn'] as const).map((level) =>
    vi.spyOn(console, level).mockImplementation((what) => printed.push([level, what])),
  )
  onTestFinished(() => spies.forEach((spy) => spy.mockRestore()))
  return printed
}

describe('a report', () => {
  it.each(codesThat('error'))('of %s is an error', (code) => {
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

  it.each(CODES)('of %s without listeners prints: %s', (code, level) => {
    const printed = watchConsole()
    createReport({})(new InteractionError(code as 'too_slow', 'x'))
    const line = expect.stringMatching(/^foyer-sdk: .*: x/) as string
    expect(printed).toEqual(level === 'nothing' ? [] : [[level, line]])
  })

  it('with a cause prints its stack too', () => {
    const printed = watchConsole()
    const error = new InteractionError('handler_failed', 'x', { cause: new Error('of the game') })
    createReport({})(error)
    expect(printed).toEqual([['error', error]])
  })

  it('of a body that was read before prints once, and not with each request', () => {
    const printed = watchConsole()
    const report = createReport({})
    for (let i = 0; i < 3; i++) report(new InteractionError('body_consumed', 'x'))
    expect(printed).toHaveLength(1)
  })

  it('of what the SDK refused has its remedy in the first line', () => {
    const refusal = new ConfigurationError('invalid_argument', 'x', { remedy: 'Write it otherwise' })
    expect(asInteractionError(refusal, 'a').message).toContain('Write it otherwise')
  })

  it.each<[string, object]>([
    ['a logger', { logger: () => undefined }],
    ['onError', { onError: () => undefined }],
  ])('with %s prints nothing', (_, listeners) => {
    const printed = watchConsole()
    for (const [code] of CODES) createReport(listeners)(new InteractionError(code as 'too_slow'))
    expect(printed).toEqual([])
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
