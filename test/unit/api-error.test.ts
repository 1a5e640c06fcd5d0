/** Content of an error response: its code, whether a retry helps, and the issues of its tree. */
import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { apiError } from '../support/internals'

const error = (status: number, body?: unknown, emulatorRule?: string) =>
  apiError({ status, body, route: 'PUT /lobbies', emulatorRule })
const fault = { code: 'BASE', message: 'Wrong' }
const leaf = { _errors: [fault] }

describe('an error response', () => {
  it('has the code that docs/errors.md names for its number', async () => {
    const rows = [...(await readFile('docs/errors.md', 'utf8')).matchAll(/`(\w+)` *\| (\d{5,6}) *\|/g)]
    expect(rows.length).toBeGreaterThan(30)
    for (const [, code, number] of rows)
      expect(error(400, { code: Number(number) })).toMatchObject({ code, apiCode: Number(number) })
  })

  it.each([
    [404, 10_031, 'unknown_lobby', false],
    [404, '10031', 'http_404', false],
    [418, undefined, 'http_418', false],
    [423, undefined, 'account_locked', true],
    [400, 530_006, 'username_not_generated', true],
    [400, 530_007, 'wrong_client_secret', false],
  ])(
    'with status %i and the number %j has the code %s, and is retryable: %s',
    (...[status, number, code, retryable]) => {
      const given = error(status, number && { code: number })
      expect(given).toMatchObject({ status, code, retryable })
      expect(given).not.toHaveProperty('issues')
      expect('apiCode' in given).toBe(typeof number === 'number')
    },
  )

  it('asks whether a 404 without a body of the service is from the service', () => {
    expect(error(404).message).toContain('Is service.host the address of the service')
    expect(error(404, { message: 'Unknown', code: 0 }).message).not.toContain('service.host')
    expect(error(400).message).not.toContain('service.host')
  })

  it('names the credential as the reason of a 401, and of no other status', () => {
    expect(error(401).message).toContain('credential')
    expect(error(403).message).not.toContain('credential')
  })

  it('has the rule of the emulator, if there is one', () => {
    expect(error(400, {}, 'Rule 7: names').emulatorRule).toBe('Rule 7: names')
    expect(error(400, {}).emulatorRule).toBeUndefined()
  })

  it('lists the issues of its tree with their paths', () => {
    const errors = {
      _errors: [fault],
      options: { 0: { name: leaf }, 12: leaf, '1a': leaf },
      name_localizations: { de: leaf, "a'b\\c": leaf, 7: leaf },
      metadata: { key: leaf },
      metadata2: { key: leaf },
      own_metadata: { key: leaf },
    }
    expect(error(400, { errors }).issues?.map(({ path }) => path)).toEqual([
      '',
      'options[0].name',
      'options[12]',
      'options.1a',
      "name_localizations['7']",
      "name_localizations['de']",
      "name_localizations['a\\'b\\\\c']",
      "metadata['key']",
      'metadata2.key',
      'own_metadata.key',
    ])
  })

  it('has issues with clean texts, even if the service sends none', () => {
    const errors = {
      a: { _errors: [{ code: 'C'.repeat(65), message: 'm'.repeat(201) }, { code: 7 }, 'x', null] },
      b: { _errors: 'x' },
    }
    const issues = error(400, { errors }).issues ?? []
    expect(issues.map(({ code, message }) => [code.length, message.length])).toEqual([
      [64, 200],
      [7, 0],
      [7, 0],
      [7, 0],
    ])
    expect(issues[1]).toEqual({ path: 'a', code: 'unknown', message: '', params: {}, level: 'error' })
  })

  it('has a hundred issues at most', () => {
    const many = { _errors: Array.from({ length: 60 }, () => fault) }
    expect(error(400, { errors: { a: many, b: many, c: many } }).issues).toHaveLength(100)
    const paths = error(400, { errors: { a: many, b: many } }).issues?.map(({ path }) => path) ?? []
    expect([
      paths.filter((path) => path === 'a').length,
      paths.filter((path) => path === 'b').length,
    ]).toEqual([60, 40])
  })

  it('has issues down to a depth of 32', () => {
    const nested = (depth: number): object => (depth === 0 ? leaf : { x: nested(depth - 1) })
    expect([32, 33].map((depth) => error(400, { errors: nested(depth) }).issues?.length)).toEqual([
      1,
      undefined,
    ])
  })
})
