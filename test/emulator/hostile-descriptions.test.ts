/** Descriptions that a comparison cannot use: it says so at once, whatever they hold. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { findDrift } from '../support/emulator-internals'

const folder = mkdtempSync(join(tmpdir(), 'descriptions-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** A description of one operation, whose body has this schema. */
const withBody = (schema: object, schemas: object = {}) => ({
  openapi: '3.1.0',
  paths: {
    '/lobbies': {
      post: { requestBody: { content: { 'application/json': { schema } } }, responses: { 201: {} } },
    },
  },
  components: { schemas },
})

const SELF = { $ref: '#/components/schemas/Self' }
const needed = (schema: object) => ({
  type: 'object',
  properties: { metadata: schema },
  required: ['metadata'],
})
/** Each name stands for ten of the one before. */
const bomb = [
  'openapi: 3.1.0',
  'a0: &a0 [x, x, x, x, x, x, x, x, x, x]',
  ...Array.from({ length: 12 }, (_, index) => {
    const before = Array.from({ length: 10 }, () => `*a${index}`).join(', ')
    return `a${index + 1}: &a${index + 1} [${before}]`
  }),
  'paths: { /lobbies: { get: { responses: { 200: { description: *a12 } } } } }',
].join('\n')

/** A service that takes every request. */
const send = async () => new Response('{}', { status: 201 })

describe('a description', () => {
  it.each<[what: string, description: object | string]>([
    ['whose schema is a reference to itself', withBody(SELF, { Self: SELF })],
    ['whose schema requires itself', withBody(SELF, { Self: needed(SELF) })],
    ['whose schema is a choice of itself', withBody(SELF, { Self: { oneOf: [SELF] } })],
    ['whose schema is all of itself', withBody(SELF, { Self: { allOf: [SELF] } })],
    ['whose list is one of itself', withBody(SELF, { Self: { type: 'array', minItems: 1, items: SELF } })],
    ['with a list of a billion', withBody(needed({ type: 'array', minItems: 1e9, items: {} }))],
    ['with a text of ten billion', withBody(needed({ type: 'string', minLength: 1e10 }))],
    ['that repeats itself a trillion times', bomb],
  ])('%s is refused with a sentence', { timeout: 10_000 }, async (what, description) => {
    const file = join(folder, `${what.replaceAll(' ', '-')}.yaml`)
    writeFileSync(file, typeof description === 'string' ? description : JSON.stringify(description))
    await expect(findDrift({ openapi: file })).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringMatching(/^The description cannot be read: ./),
    })
  })

  it('with choices that hold each other is compared to an end', { timeout: 60_000 }, async () => {
    const names = Array.from({ length: 12 }, (_, index) => `Part${index}`)
    const any = { oneOf: names.map((name) => ({ $ref: `#/components/schemas/${name}` })) }
    const part = (type: string) => ({
      type: 'object',
      properties: { type: { const: type }, parts: { type: 'array', items: any } },
      required: ['type'],
    })
    const parts = Object.fromEntries(names.map((name): [string, object] => [name, part(name)]))
    const { requests } = await findDrift({ openapi: withBody(any, parts), send })
    expect(requests).toBeGreaterThan(names.length)
    expect(requests).toBeLessThan(30_000)
  })
})
