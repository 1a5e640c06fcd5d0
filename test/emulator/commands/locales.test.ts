/** Localized command lists: every locale case with a list, with both headers. */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createEmulator, type Emulator } from 'foyer-emulator'
import { asApplication, Caller, fields, list } from './command-client.js'

interface Vector {
  id: string
  kind: string
  input: Record<string, unknown>
  expected: Record<string, unknown>
  why: string
}

const tavern = '319560327719026709'
const all: Vector[] = JSON.parse(
  readFileSync(new URL('../../cases/data/locale.json', import.meta.url), 'utf8'),
)
const of = (kind: string) =>
  all
    .filter((vector) => vector.kind === kind)
    .map((vector) => [`${vector.id} ${vector.why}`, vector] as const)

let emulator: Emulator
let bot: Caller
beforeAll(async () => {
  // The owner’s locale is Japanese: the last fallback for a token that acts as its owner.
  emulator = await createEmulator({
    limits: 'off',
    seed: {
      application: { activities: false },
      users: [{ id: '175928847299117063', username: 'ada', locale: 'ja' }],
    },
    // A list is told in any locale that was stored.
    commands: { otherLocales: 'accept' },
  })
  bot = new Caller(emulator)
})
afterAll(() => emulator.close())
beforeEach(() => emulator.reset())

const de = (text: string) => ({ name_localizations: { de: text } })

/** The locale of a response: the name of each of these commands contains its locale. */
async function spokenLocale(caller: Caller, headers: Record<string, string>): Promise<unknown> {
  const locales = ['de', 'fr', 'fr-CH', 'ja', 'en-US', 'xx-XX']
  const name_localizations = Object.fromEntries(locales.map((locale) => [locale, locale.toLowerCase()]))
  await bot.post('/commands', { name: 'speak', description: 'x', name_localizations })
  const [command] = list((await caller.get('/commands', headers)).body)
  return locales.find((locale) => locale.toLowerCase() === command?.['name_localized'])
}

describe('the locale of a command list', () => {
  it.each(of('requester_locale'))('%s', async (_, { input, expected }) => {
    const headers = Object.fromEntries(
      Object.entries(fields(input['headers'])).map(([name, value]) => [name, String(value)]),
    )
    expect(await spokenLocale(await asApplication(emulator), headers)).toBe(expected['locale'])
  })

  it('is English for a bot without a locale header', async () => {
    expect(await spokenLocale(bot, {})).toBe('en-US')
  })

  it('follows the weights of Accept-Language, ignores unsupported languages and is case-insensitive', async () => {
    expect(await spokenLocale(bot, { 'accept-language': 'fr;q=0.5, de;q=0.9, ja;q=0' })).toBe('de')
    expect(await spokenLocale(bot, { 'accept-language': 'DE' })).toBe('de')
    expect(await spokenLocale(bot, { 'x-service-locale': 'constructor' })).toBeUndefined()
  })
})

describe('a localized command list', () => {
  const cases = of('list_response').flatMap(([title, vector]) =>
    ['x-service-locale', 'accept-language'].map(
      (header) => [`${title} (${header})`, header, vector] as const,
    ),
  )
  it.each(cases)('%s', async (_, header, { input, expected }) => {
    for (const at of ['/commands', `/guilds/${tavern}/commands`]) {
      const stored = fields(input['stored'])
      const created = fields((await bot.post(at, stored)).body)
      const [found] = list((await bot.get(at, { [header]: String(input['locale']) })).body)
      const { name_localizations: names, description_localizations: descriptions, ...rest } = created
      expect({ names, descriptions }).toEqual({
        names: stored['name_localizations'] ?? null,
        descriptions: stored['description_localizations'] ?? null,
      })
      expect(found).toEqual({ ...rest, ...expected })
    }
  })

  it('returns all translations on request, down to the choices', async () => {
    const options = [
      {
        type: 3,
        name: 'animal',
        description: 'x',
        ...de('tier'),
        choices: [{ name: 'Dog', value: 'd', ...de('Hund') }],
      },
    ]
    await bot.post('/commands', { name: 'show', description: 'x', ...de('zeig'), options })
    const headers = { 'x-service-locale': 'de' }
    const [localized] = list((await bot.get('/commands', headers)).body)
    expect(localized).toMatchObject({
      name_localized: 'zeig',
      options: [
        {
          type: 3,
          name: 'animal',
          description: 'x',
          name_localized: 'tier',
          choices: [{ name: 'Dog', value: 'd', name_localized: 'Hund' }],
        },
      ],
    })
    expect(JSON.stringify(localized)).not.toContain('localizations')
    for (const value of ['true', 'True', '1']) {
      const [whole] = list((await bot.get(`/commands?with_localizations=${value}`, headers)).body)
      expect(whole).toMatchObject({ ...de('zeig'), options })
      expect(JSON.stringify(whole)).not.toContain('localized"')
    }
    expect(await bot.get('/commands?with_localizations=yes')).toMatchObject({
      status: 400,
      body: { code: 50035 },
    })
    const [plain] = list((await bot.get('/commands?with_localizations=false', headers)).body)
    expect(plain).toEqual(localized)
  })
})
