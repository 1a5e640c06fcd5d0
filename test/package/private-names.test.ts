/** Private fields of the classic script are ordinary properties: privacy that the transformation must keep. */
import { createRequire } from 'node:module'
import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { compilePrivateNames, requireDistinctNames } from '../../scripts/build/private-names.ts'
import type * as Sdk from 'foyer-sdk'

const Foyer = createRequire(import.meta.url)('../../dist/umd/index.umd.js') as typeof Sdk
const TOKEN = 'a-token-that-nobody-may-see'

const compile = (code: string) => compilePrivateNames('module.ts', code)
const plain = (code: string): string => compile(code).code.replace(/\nimport .*$/, '')

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

  test('a client shows only its groups', () => {
    const client = new Foyer.Client({ applicationId: '1', service: { host: 'https://service.example' } })
    expect(Object.keys(client).toSorted()).toEqual(['accounts', 'activity', 'backend', 'lobbies'])
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

describe('the compiler of private names', () => {
  test('hides all names of a class with its first field', () => {
    expect(plain('class A { #run() { return this.#a } readonly #a: number = 1; #b?: string }')).toBe(
      'class A { $run() { return this.$a } readonly $a: number = (hide(this, { $run: 0, $a: 0, $b: 0 }), 1);  }',
    )
    expect(plain('class B { #b }')).toBe('class B { $b = hide(this, { $b: 0 }) }')
  })

  test('leaves code without private names as it is', () => {
    expect(compile('export const color = "#fff"').code).toBe('export const color = "#fff"')
  })

  test('keeps the names of nested classes apart', () => {
    expect(plain('class A { #a; inner() { return class { #b; of(a) { return a.#a + this.#b } } } }')).toContain('return a.$a + this.$b')
  })

  test('adds a check of the class to a brand check', () => {
    expect(plain('class A { #a; static is(it) { return #a in it } }')).toContain("return it instanceof A && '$a' in it")
  })

  test.each(['class A extends mixin() { #a }', '(class { #a; static is(it) { return #a in it } })'])('stops the build at %s', (code) => {
    expect(() => compile(code)).toThrow(/name/)
  })

  test('stops the build if a class and one that it extends have the same name', () => {
    const { classes } = compile('const A = class { #a; #b }\nclass B extends A {}\nclass C extends B { #c; #a }')
    expect(() => requireDistinctNames(classes)).toThrow('C and its base class A both have #a')
    expect(() => requireDistinctNames(compile('class A { #a }\nclass B { #a }').classes)).not.toThrow()
  })
})
