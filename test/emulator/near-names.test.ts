/** A name that the emulator does not know is answered with the one that was meant. */
import { createEmulator, type Emulator } from 'foyer-emulator'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { beginSignIn } from './support/sign-in-client.js'

let emulator: Emulator

beforeAll(async () => {
  emulator = await createEmulator()
})
afterAll(() => emulator.close())

/** The reason why an emulator does not start. */
const refusal = async (options: object): Promise<string> =>
  createEmulator(options).then(
    async (started) => {
      await started.close()
      return 'none'
    },
    (error: unknown) => String(error),
  )

const namesIn = (text: string) => /; it has (.+)/.exec(text)?.[1]?.split(', ') ?? []

/** The name without its last letter but one. */
const misspelt = (name: string): string => name.slice(0, -2) + name.slice(-1)

describe('a misspelt name is answered with the right one:', () => {
  it('every option of createEmulator', async () => {
    const names = /the options are (.+)/.exec(await refusal({ x: 1 }))?.[1]?.split(', ') ?? []
    expect(names.length).toBeGreaterThan(15)
    for (const name of names)
      expect(await refusal({ [misspelt(name)]: 1 })).toContain(`(did you mean ${name}?)`)
  })

  it('every field of a seed', async () => {
    const top = namesIn(await refusal({ seed: { x: 1 } }))
    const application = namesIn(await refusal({ seed: { application: { x: 1 } } }))
    expect([top.length, application.length]).toEqual([4, expect.any(Number)])
    for (const name of top)
      expect(await refusal({ seed: { [misspelt(name)]: 1 } })).toContain(`(did you mean ${name}?)`)
    for (const name of application.filter((each) => each.length > 2))
      expect(await refusal({ seed: { application: { [misspelt(name)]: 1 } } })).toContain(
        `(did you mean ${name}?)`,
      )
  })

  it.each([
    [
      'a misspelt one',
      'openid sdk.social_layr',
      'unknown scope: sdk.social_layr (did you mean sdk.social_layer?)',
    ],
    ['one with other letters', 'Openid', 'unknown scope: Openid (did you mean openid?)'],
    [
      'several with commas',
      'openid,identify',
      'unknown scope: openid,identify (scopes are divided by blanks)',
    ],
    ['one that nothing resembles', 'openid weather', 'unknown scope: weather'],
  ])('a scope of an authorization: %s', async (_, scope, says) => {
    const { url } = await beginSignIn(emulator, { scope })
    const response = await fetch(url, { redirect: 'manual' })
    const { searchParams } = new URL(response.headers.get('location') ?? '')
    expect([searchParams.get('error'), searchParams.get('error_description')]).toEqual([
      'invalid_scope',
      says,
    ])
  })
})

it('a secret in a seed is answered with its variable', async () => {
  expect(await refusal({ seed: { application: { botToken: 'x' } } })).toContain(
    'application has no field "botToken" (it is FOYER_BOT_TOKEN in the file of --credentials)',
  )
  expect(await refusal({ seed: { BOT_TOKEN: 'x' } })).toContain('FOYER_BOT_TOKEN')
})

async function rulesOf(path: string, body: unknown): Promise<string> {
  const { application, url } = emulator
  const response = await fetch(`${url}/api/v10/applications/${application.id}${path}`, {
    method: 'POST',
    headers: { authorization: `Bot ${application.botToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(response.status).toBe(400)
  return response.headers.get('x-emulator-rule') ?? ''
}
const command = (fields: object) => ({ name: 'score', description: 'Shows it', ...fields })
const option = (type: unknown) => command({ options: [{ type, name: 'of', description: 'Whose' }] })

describe('a name in place of a number is answered with the number:', () => {
  it.each([
    ['an option type', option('STRING'), ': STRING is 3'],
    ['an option type in other letters', option('subCommand'), ': SUB_COMMAND is 1'],
    ['a number in quotes', option('3'), ': 3, without quotes'],
    ['a command type', command({ type: 'CHAT_INPUT' }), ': CHAT_INPUT is 1'],
    ['a context', command({ contexts: ['guild'] }), ': GUILD is 0'],
    ['an installation', command({ integration_types: ['USER_INSTALL'] }), ': USER_INSTALL is 1'],
  ])('%s', async (_, body, says) => {
    expect(await rulesOf('/commands', body)).toContain(says)
  })
})
