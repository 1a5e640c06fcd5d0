/** Localization: every case of the interface for displayed and listed strings, and the open cases as decided. */
import { describe, expect, test } from 'vitest'
import {
  localize,
  localizedFields,
  measureCommand,
  requesterLocale,
  type ApplicationCommand,
  type LocalizeInput,
} from 'foyer-sdk/server'
import { read } from './cases'

interface Vector<Kind, Input, Expected> {
  readonly id: string
  readonly kind: Kind
  readonly why: string
  readonly input: Input
  readonly expected: Expected
}

type Display = Vector<'display', LocalizeInput, { value: string; source: string }>
type Requester = Vector<
  'requester_locale',
  { headers: Record<string, string>; user_settings_locale: string },
  { locale: string }
>
type Listed = Vector<'list_response', { stored: ApplicationCommand; locale: string }, object>
type Size = Vector<
  'size',
  { field: { default: string; localizations: Record<string, string> } },
  { counted: number }
>
type LocaleCase = Display | Requester | Listed | Size

const cases: readonly LocaleCase[] = JSON.parse(read('locale'))
const of = <K extends LocaleCase['kind']>(kind: K) =>
  cases.filter((each): each is Extract<LocaleCase, { kind: K }> => each.kind === kind)

test('the locale cases are complete', () => {
  expect(
    of('display').length + of('requester_locale').length + of('list_response').length + of('size').length,
  ).toBe(26)
})

describe('the string that a player sees', () => {
  test.each(of('display'))('in $id: $why', ({ input, expected }) => {
    const { value, source, locale } = localize(input)
    expect({ value, source: locale === undefined ? source : `${source}:${locale}` }).toEqual(expected)
  })
})

describe('the locale of a list of commands', () => {
  test.each(of('requester_locale'))(
    'in $id: $why',
    ({ input: { headers, user_settings_locale: userLocale }, expected }) => {
      const locale = requesterLocale({
        header: headers['X-Service-Locale'],
        acceptLanguage: headers['Accept-Language'],
        userLocale,
      })
      expect({ locale }).toEqual(expected)
    },
  )
})

const preferred = (acceptLanguage: string) => requesterLocale({ acceptLanguage, userLocale: 'ja' })

test('Accept-Language follows the weights, ignores unsupported languages and is case-insensitive', () => {
  expect(preferred('fr;q=0.5, de;q=0.9, ko;q=0')).toBe('de')
  expect(preferred('EN-us')).toBe('en-US')
  expect(preferred('pt-pt, PT-br;q=0.9')).toBe('pt-BR')
  expect(preferred('*;q=1, de;q=0')).toBe('ja')
  expect(preferred('de;eq=0;Q=0.9, fr;q=0.5')).toBe('de')
})

test('the header counts without its spaces, and not at all if it is empty', () => {
  expect(requesterLocale({ header: ' de ' })).toBe('de')
  expect(requesterLocale({ header: '  ', userLocale: 'fr' })).toBe('fr')
})

describe('the content of a list of commands', () => {
  test.each(of('list_response'))('in $id: $why', ({ input: { stored, locale }, expected }) => {
    expect(localizedFields(stored, locale)).toEqual(expected)
  })
})

describe('the counted size of a command', () => {
  test('is the same with an explicit and an implicit slash command type', () => {
    const body = {
      name: 'give',
      description: 'Gives',
      options: [{ type: 3, name: 'item', description: 'Which' }],
    }
    expect(measureCommand({ ...body, type: 1 })).toEqual(measureCommand(body))
    expect(measureCommand({ ...body, type: 1 }).total).toBe(18)
  })

  test.each(of('size'))('in $id: $why', ({ input: { field }, expected }) => {
    expect(
      measureCommand({ description: field.default, description_localizations: field.localizations }).total,
    ).toBe(expected.counted)
  })
})

const stored = (name: string) => ({
  name,
  description: name,
  name_localizations: { de: `${name}-de` },
  description_localizations: { de: 'Worte' },
})
const listed = (name: string) => ({
  name,
  description: name,
  name_localized: `${name}-de`,
  description_localized: 'Worte',
})

test('a list of commands has the strings of options below subcommands and groups', () => {
  const choice = { name: 'small', name_localizations: { de: 'klein' }, value: 'small' }
  const parameter = { type: 3 as const, ...stored('size'), choices: [choice] }
  const subcommand = { type: 1 as const, ...stored('order'), options: [parameter] }
  const group = { type: 2 as const, ...stored('menu'), options: [subcommand] }
  const found = localizedFields({ ...stored('shop'), options: [subcommand, group] }, 'de')
  const order = {
    type: 1,
    ...listed('order'),
    options: [
      { type: 3, ...listed('size'), choices: [{ name: 'small', name_localized: 'klein', value: 'small' }] },
    ],
  }
  expect(found).toEqual({
    ...listed('shop'),
    options: [order, { type: 2, ...listed('menu'), options: [order] }],
  })
})
