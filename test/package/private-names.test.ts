/** Private fields of the classic script are ordinary properties: privacy that the transformation must keep. */
import { createRequire } from 'node:module'
import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { withPlainNames } from '../../scripts/umd/plain-private-names.ts'
import type * as Sdk from 'foyer-sdk'

const Foyer = createRequire(import.meta.url)('../../dist/umd/index.umd.js') as typeof Sdk
const TOKEN = 'a-token-that-nobody-may-see'

const plain = (code: string): string => withPlainNames(code).replace(/\nfunction hideFields[^]*?\n}$/, '')

/** The result of `{...spread}`. */
const copyOf = (value: object): object => Object.assign({}, value)

/** Everything that a logger, crash reporter or saved game sees of an object. */
const seen = (value: object): string =>
  [JSON.stringify(value), JSON.stringify(copyOf(value)), inspect(value, { depth: 9 }), String(Object.keys(value))].join('\n')

describe('in the classic script', () => {
  test('a secret is hidden at any depth of an object', () => {
    const secret = new Foyer.Secret(TOKEN)
    expect(seen({ deep: { secret } })).not.toContain(TOKEN)
    expect(Object.keys(secret)).toEqual([])
    expect(structuredClone(secret)).toEqual({})
    expect(secret.reveal()).toBe(TOKEN)
  })

  test('a client shows only its events', () => {
    const client = new Foyer.Client({ applicationId: '1', service: { host: 'https://service.example' } })
    expect(Object.keys(client).filter((name) => !name.startsWith('_events'))).toEqual([])
    expect(Object.keys(copyOf(client))).toEqual(Object.keys(client))
  })

  test('a client has the private methods of its base class', async () => {
    const client = new Foyer.Client({ applicationId: '1', service: { host: 'https://service.example' } })
    expect(await client.resume()).toBeNull()
    client.close()
  })

  test('a result hides its code and its bound nonce', () => {
    const result = Foyer.AuthorizationResult.fromTrustedCode(TOKEN, 'https://game.example/callback', { nonce: 'a-bound-nonce' })
    expect(seen(result)).not.toMatch(/a-token|a-bound/)
    expect(Object.keys(result)).toEqual(['code', 'redirectUri'])
  })

  test('a copied, parsed or forged result is rejected', async () => {
    const client = new Foyer.Client({ applicationId: '1', service: { host: 'https://service.example' } })
    const genuine = Foyer.AuthorizationResult.fromTrustedCode(TOKEN, 'https://game.example/callback')
    const hidden = Object.fromEntries(Object.getOwnPropertyNames(genuine).map((name) => [name, {}]))
    const forged = [copyOf(genuine), hidden, JSON.parse('{"$0":{}}')] as Sdk.AuthorizationResult[]
    for (const result of forged) await expect(client.getToken(result)).rejects.toMatchObject({ code: 'invalid_argument' })
    client.close()
  })

  test('a key named __proto__ stays a key', () => {
    const update = Foyer.parseLobbyUpdate('lobby.created', JSON.parse('{"id":"1","metadata":{"__proto__":"a"}}'))
    expect(Object.getPrototypeOf(update && 'lobby' in update ? update.lobby.metadata : {})).toBe(Object.prototype)
  })
})

describe('the transformation of private names', () => {
  test('numbers the names of each class separately, fields first', () => {
    expect(plain('class A { #run() { return this.#a } #a = 1 }\nclass B { #b }')).toBe(
      'class A { $1() { return this.$0 } $0 = hideFields(this, 1, 1) }\nclass B { $0 = hideFields(this, 1) }',
    )
  })

  test('continues the numbers of the base class', () => {
    expect(plain('const A = class { #a; #b }\nclass B extends A { #a; get() { return this.#a } }')).toBe(
      'const A = class { $0 = hideFields(this, 2);  }\nclass B extends A { $2 = hideFields(this, 3); get() { return this.$2 } }',
    )
  })

  test('keeps the names of nested classes apart', () => {
    expect(plain('class A { #a; inner() { return class { #b; of(a) { return a.#a + this.#b } } } }')).toContain('return a.$0 + this.$0')
  })

  test('adds a check of the class to a brand check', () => {
    expect(plain('class A { #a; static is(it) { return #a in it } }')).toContain("return it instanceof A && '$0' in it")
  })

  test.each(['class A extends mixin() { #a }', '(class { #a; static is(it) { return #a in it } })'])('stops the build at %s', (code) => {
    expect(() => withPlainNames(code)).toThrow(/name/)
  })
})
