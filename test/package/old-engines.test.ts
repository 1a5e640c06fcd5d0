/** The classic script in an engine that lacks a required global: a FoyerError instead of a ReferenceError. */
import { readFileSync } from 'node:fs'
import { createContext, runInContext } from 'node:vm'
import { expect, it } from 'vitest'

it.each(['globalThis', 'BigInt'])('the classic script in an engine without %s creates a client or throws a FoyerError', (name) => {
  const context = createContext({ URL, URLSearchParams, AbortController, TextEncoder, TextDecoder, fetch })
  runInContext(`delete globalThis.${name}`, context)
  runInContext(readFileSync('dist/umd/index.umd.js', 'utf8'), context)
  const outcome: unknown = runInContext(
    `(function () {
      try { return new Foyer.Client({ applicationId: '1082700000000000001', service: { host: 'https://service.example' } }).status }
      catch (error) { return error instanceof Foyer.FoyerError ? error.code : String(error) }
    })()`,
    context,
  )
  expect(outcome).toBe(name === 'BigInt' ? 'disconnected' : 'unsupported')
})
