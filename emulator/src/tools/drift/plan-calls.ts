/** Requests of one operation: the least valid one, valid ones that differ in one place, and invalid ones. Pure. */
import type { Call, Operation, QueryParameter, Schema } from './drift-types.js'
import { choicesOf, leastValue, plainSchema, typeOf, variantsOf, type Generation } from './generate-value.js'
import { mutationsOf, textsBeyond } from './mutations-of.js'
import type { Description } from './read-description.js'

/** More than the largest body of a public description has. */
const MAX_CHOICES = 600

export interface Plan {
  /** The least request; of a body with choices, one for each. */
  least: Call[]
  /** Valid and invalid requests that differ from these in one place. */
  others: Call[]
}

export function planCalls(
  { query, body }: Operation,
  description: Description,
  values: Omit<Generation, 'resolve'>,
): Plan {
  const generation = { ...values, resolve: description.resolve, budget: { choices: MAX_CHOICES } }
  const needed = query.filter(({ required }) => required)
  const bodies =
    body === undefined
      ? [undefined]
      : choicesOf(body.schema, generation, []).map(({ plain }) => leastValue(plain, generation))
  const all = bodies.map((each): Call => ({
    at: '',
    what: 'the least request',
    expected: 'success',
    query: Object.fromEntries(
      needed.map(({ name, schema }) => [name, String(leastValue(schema, generation, name))]),
    ),
    body: each,
  }))
  const [least] = all
  if (least === undefined) return { least: [], others: [] }
  const ofQuery = query.flatMap((parameter) => callsOfQuery(parameter, least, generation))
  if (body === undefined) return { least: all, others: ofQuery }
  const fits = (value: unknown) => description.faultOf(body.pointer, value) === undefined
  const valid = body.form ? [] : variantsOf(body.schema, generation).filter(({ value }) => fits(value))
  const invalid = mutationsOf(body.schema, generation, (value) => !fits(value)).filter(
    ({ what }) => !body.form || what === 'missing',
  )
  return {
    least: all,
    others: [
      ...ofQuery,
      ...valid.map(({ at, what, value }): Call => ({
        ...least,
        at,
        what: `${at || 'the body'} (${what})`,
        body: value,
      })),
      ...invalid.map(({ at, what, value }): Call => ({
        ...least,
        at,
        what,
        expected: 'refusal',
        body: value,
      })),
    ],
  }
}

function callsOfQuery({ name, schema }: QueryParameter, least: Call, generation: Generation): Call[] {
  const found = plainSchema(schema, generation)
  const at = `?${name}`
  const valid = variantsOf(found, generation, { name })
    .filter(({ value }) => value !== null)
    .map(({ what, value }): Call => ({
      ...least,
      at,
      what: `${at} (${what})`,
      query: { ...least.query, [name]: String(value) },
    }))
  const invalid = invalidQuery(found).map(([what, value]): Call => ({
    ...least,
    at,
    what,
    expected: 'refusal',
    query: { ...least.query, [name]: value },
  }))
  return [...valid, ...invalid]
}

/** Texts that a query parameter cannot have: everything in a query is a text. */
function invalidQuery(schema: Schema): [what: string, value: string][] {
  const { minimum, maximum, maxLength } = schema
  const type = typeOf(schema)
  return [
    ...(type === 'integer' || type === 'number' || type === 'boolean' ? [pair('type: a text', 'maybe')] : []),
    ...(typeof minimum === 'number' ? [pair('bound: too small', `${minimum - 1}`)] : []),
    ...(typeof maximum === 'number' ? [pair('bound: too great', `${maximum + 1}`)] : []),
    ...(typeof maxLength === 'number' && maxLength <= 4000
      ? [pair('bound: too long', 'a'.repeat(maxLength + 1))]
      : []),
    ...(Array.isArray(schema['enum']) ? [pair('enum', 'NONE_OF_THESE')] : []),
    ...textsBeyond(schema),
  ]
}

const pair = (what: string, value: string): [string, string] => [what, value]
