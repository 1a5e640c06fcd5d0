/** What a logger, a crash reporter or a saved game sees of the objects of the classic script. */
import { createRequire } from 'node:module'
import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import type * as Sdk from 'foyer-sdk'

const Foyer = createRequire(import.meta.url)('../../dist/umd/index.umd.js') as typeof Sdk
const TOKEN = 'a-token-that-nobody-may-see'

/** The result of `{...spread}`. */
const copyOf = (value: object): object => Object.assign({}, value)

/** Everything that a logger, crash reporter or saved game sees of an object. */
const seen = (value: object): string =>
  [
    JSON.stringify(value),
    JSON.stringify(copyOf(value)),
    inspect(value, { depth: 9 }),
    String(Object.keys(value)),
  ].join('\n')

describe('in the classic script', () => {
  test('a secret is hidden at any depth of an object', () => {
    const secret = new Foyer.Secret(TOKEN)
    expect(seen({ deep: { secret } })).not.toContain(TOKEN)
    expect(Object.keys(secret)).toEqual([])
    expect(structuredClone(secret)).toEqual({})
    expect(secret.reveal()).toBe(TOKEN)
  })

  test('a client shows only its groups', () => {
    const client = new Foyer.Client({ applicationId: '1', service: { host: 'https://service.example' } })
    expect(Object.keys(client).toSorted()).toEqual(['accounts', 'activity', 'backend', 'desktop', 'lobbies'])
    expect(Object.keys(copyOf(client))).toEqual(Object.keys(client))
  })

  test('a client has the private methods of its base class', async () => {
    const client = new Foyer.Client({ applicationId: '1', service: { host: 'https://service.example' } })
    expect(await client.resume()).toBeNull()
    client.close()
  })

  test('a result hides its code and its bound nonce', () => {
    const result = Foyer.AuthorizationResult.fromTrustedCode(TOKEN, 'https://game.example/callback', {
      nonce: 'a-bound-nonce',
    })
    expect(seen(result)).not.toMatch(/a-token|a-bound/)
    expect(Object.keys(result)).toEqual(['code', 'redirectUri'])
  })

  test('a copied, parsed or forged result is rejected', async () => {
    const client = new Foyer.Client({ applicationId: '1', service: { host: 'https://service.example' } })
    const genuine = Foyer.AuthorizationResult.fromTrustedCode(TOKEN, 'https://game.example/callback')
    const hidden = Object.fromEntries(Object.getOwnPropertyNames(genuine).map((name) => [name, {}]))
    const forged = [copyOf(genuine), hidden, JSON.parse('{"#binding":{}}')] as Sdk.AuthorizationResult[]
    for (const result of forged)
      await expect(client.getToken(result)).rejects.toMatchObject({ code: 'invalid_argument' })
    client.close()
  })

  test('a key named __proto__ stays a key', () => {
    const update = Foyer.parseLobbyUpdate(
      'lobby.created',
      JSON.parse('{"id":"1","metadata":{"__proto__":"a"}}'),
    )
    expect(Object.getPrototypeOf(update && 'lobby' in update ? update.lobby.metadata : {})).toBe(
      Object.prototype,
    )
  })
})
