/** Reads an OpenAPI 3.1 document: its operations, and validators of its schemas. */
import { $RefParser } from '@apidevtools/json-schema-ref-parser'
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import { EmulatorError } from '../../foundation/emulator-error.js'
import { fieldsOf, isObject, isSnowflake, textOf } from '../../foundation/values.js'
import type {
  Body,
  CallerKind,
  DescribedHeader,
  DescribedResponse,
  Operation,
  QueryParameter,
  Schema,
} from './drift-types.js'

export interface Description {
  operations: Operation[]
  /** Follows references. */
  resolve: (schema: unknown) => Schema
  /** The first fault of a value, undefined if it fits the schema at the pointer. */
  faultOf: (pointer: string, value: unknown) => SchemaFault | undefined
}

export interface SchemaFault {
  at: string
  message: string
  /** Place in the schema that is not fulfilled. */
  schema: string
}

const METHODS = ['get', 'put', 'post', 'patch', 'delete']

/** References that lead from one to another, and parts of a document with all of its repetitions. */
const [MAX_REFERENCES, MAX_PARTS] = [50, 3_000_000]

/** @throws EmulatorError `bad_request` for a file that is no such document. */
export async function readDescription(source: string | object, brand?: string): Promise<Description> {
  const parser = new $RefParser()
  const document: unknown = await load(parser, source, brand).catch((error: unknown) => {
    throw notReadable(error instanceof Error ? error.message : String(error))
  })
  if (!isObject(document) || !isObject(document['paths'])) throw notReadable('it has no paths')
  const resolve = (schema: unknown): Schema => {
    let fields = fieldsOf(schema)
    for (let followed = 0; ; followed++) {
      const target = textOf(fields['$ref'])
      if (target === undefined) return fields
      if (followed > MAX_REFERENCES) throw notReadable(`${target} refers to itself`)
      fields = fieldsOf(parser.$refs.get(target))
    }
  }
  return { operations: operationsOf(document, resolve), resolve, faultOf: createValidator(document) }
}

/** Reads all files of a document into one. */
async function load(
  parser: $RefParser,
  source: string | object,
  brand: string | undefined,
): Promise<unknown> {
  const given: object = typeof source === 'string' ? await $RefParser.parse(source) : source
  if (countParts(given, MAX_PARTS) > MAX_PARTS)
    throw new Error(`it has more than ${MAX_PARTS} parts, with what it repeats`)
  // A list of values without any would refuse everything: nothing is known about it.
  const text = JSON.stringify(given, (key, value: unknown) =>
    key === 'enum' && Array.isArray(value) && value.length === 0 ? undefined : value,
  )
  const own = JSON.parse(brand === undefined ? text : withoutBrand(text, brand))
  return typeof source === 'string' ? parser.bundle(source, own, {}) : parser.bundle(own)
}

/** Parts of a document, counted as often as they are named; stops beyond `most`. */
function countParts(document: unknown, most: number): number {
  const waiting = [document]
  let count = 0
  for (let part = waiting.pop(); part !== undefined && count <= most; part = waiting.pop()) {
    count += 1
    if (typeof part === 'object' && part !== null && waiting.length <= most)
      for (const each of Object.values(part)) waiting.push(each ?? null)
  }
  return count
}

const title = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase()

/** The word in three cases is `service` in the same case. */
function withoutBrand(text: string, brand: string): string {
  return [(word: string) => word.toLowerCase(), (word: string) => word.toUpperCase(), title].reduce(
    (changed, spell) => changed.replaceAll(spell(brand), spell('service')),
    text,
  )
}

export function notReadable(reason: string): EmulatorError {
  return new EmulatorError('bad_request', `The description cannot be read: ${reason}`)
}

function operationsOf(document: Record<string, unknown>, resolve: Description['resolve']): Operation[] {
  const { paths, security, components } = document
  const schemes = fieldsOf(fieldsOf(components)['securitySchemes'])
  return Object.entries(fieldsOf(paths)).flatMap(([path, item]) => {
    const shared = listOf(fieldsOf(item)['parameters'])
    return METHODS.flatMap((method) => {
      const operation = fieldsOf(item)[method]
      if (!isObject(operation)) return []
      const at = `/paths/${escape(path)}/${method}`
      const parameters = [...shared, ...listOf(operation['parameters'])].map(resolve)
      return [
        {
          method: method.toUpperCase(),
          path,
          query: parameters.flatMap((parameter) => queryOf(parameter, resolve)),
          body: bodyOf(operation['requestBody'], { at, resolve }),
          precondition: textOf(operation['x-precondition']) ?? unsentBody(resolve(operation['requestBody'])),
          callers: callersOf(operation['security'] ?? security, schemes, resolve),
          responses: responsesOf(operation['responses'], { at, resolve }),
        },
      ]
    })
  })
}

function queryOf(
  { in: place, name, required, schema }: Schema,
  resolve: Description['resolve'],
): QueryParameter[] {
  return place === 'query' && typeof name === 'string'
    ? [{ name, required: required === true, schema: resolve(schema) }]
    : []
}

/** Callers that a list of security requirements permits; undefined if it names a scheme that is none of them. */
function callersOf(
  security: unknown,
  schemes: Readonly<Record<string, unknown>>,
  resolve: Description['resolve'],
): CallerKind[] | undefined {
  if (!Array.isArray(security)) return undefined
  if (security.length === 0) return ['nobody']
  const callers = security.map((requirement): CallerKind | undefined => {
    const [name] = Object.keys(fieldsOf(requirement))
    if (name === undefined) return 'nobody'
    const { type, scheme } = resolve(schemes[name])
    if (type === 'apiKey') return 'bot'
    return type === 'oauth2' || type === 'openIdConnect' || (type === 'http' && scheme === 'bearer')
      ? 'player'
      : undefined
  })
  return callers.every((caller) => caller !== undefined) ? callers : undefined
}

interface Place {
  at: string
  resolve: Description['resolve']
}

const BODY_TYPES = ['application/json', 'application/x-www-form-urlencoded']

/** Reason why no request can succeed: its body must be of a type that is not sent here. */
function unsentBody({ content, required }: Readonly<Record<string, unknown>>): string | undefined {
  const types = Object.keys(fieldsOf(content))
  if (required !== true || types.some((type) => BODY_TYPES.includes(type))) return undefined
  return `the body must be ${types.join(' or ')}, which drift does not send`
}

function bodyOf(value: unknown, { at, resolve }: Place): Body | undefined {
  const { content, required } = resolve(value)
  const types = fieldsOf(content)
  const type = BODY_TYPES.find((name) => isObject(types[name]))
  if (type === undefined) return undefined
  const schema = resolve(fieldsOf(types[type])['schema'])
  const pointer = `${pointerTo(value, `${at}/requestBody`)}/content/${escape(type)}/schema`
  return { schema, pointer, form: type !== 'application/json', required: required === true }
}

function responsesOf(value: unknown, { at, resolve }: Place): ReadonlyMap<string, DescribedResponse> {
  const entries = Object.entries(fieldsOf(value)).map(([status, response]): [string, DescribedResponse] => {
    const { content, headers } = resolve(response)
    const isJson = isObject(fieldsOf(content)['application/json'])
    const pointer = pointerTo(response, `${at}/responses/${status}`)
    const schema = isJson ? `${pointer}/content/application~1json/schema` : undefined
    return [status.toUpperCase(), { schema, headers: headersOf(headers, { at: pointer, resolve }) }]
  })
  return new Map(entries)
}

function headersOf(value: unknown, { at, resolve }: Place): DescribedHeader[] {
  return Object.entries(fieldsOf(value)).map(([name, header]) => {
    const { required, schema } = resolve(header)
    const pointer = pointerTo(header, `${at}/headers/${escape(name)}`)
    return {
      name: name.toLowerCase(),
      required: required === true,
      schema: isObject(schema) ? `${pointer}/schema` : undefined,
      type: textOf(resolve(schema)['type']),
    }
  })
}

/** The pointer of a reference, otherwise the place itself. */
function pointerTo(value: unknown, at: string): string {
  return textOf(fieldsOf(value)['$ref'])?.replace(/^#/, '') ?? at
}

function createValidator(document: object): Description['faultOf'] {
  const ajv = new Ajv2020({
    strict: false,
    allErrors: false,
    logger: false,
    validateSchema: false,
    formats: { ...fullFormats, snowflake: isSnowflake },
  })
  ajv.addSchema({ ...document, $id: 'description' })
  return (pointer, value) => {
    const validate =
      ajv.getSchema(`description#${pointer}`) ?? ajv.compile({ $ref: `description#${pointer}` })
    if (validate(value) === true) return undefined
    const error = deepest(validate.errors ?? [])
    const extra = fieldsOf(error?.params)['additionalProperty']
    const message = `${error?.message ?? 'does not fit'}${typeof extra === 'string' ? `: ${extra}` : ''}`
    return { at: placeOf(error?.instancePath ?? ''), message, schema: error?.schemaPath ?? '' }
  }
}

const depth = ({ instancePath }: ErrorObject): number => instancePath.split('/').length

/** Of a choice every branch reports its error: the one that fits best fails last. */
function deepest(errors: readonly ErrorObject[]): ErrorObject | undefined {
  return errors.toSorted((left, right) => depth(right) - depth(left))[0]
}

/** `/members/0/id` is `members[0].id`. */
function placeOf(pointer: string): string {
  const parts = pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  return parts
    .map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${part}`))
    .join('')
    .replace(/^\./, '')
}

const escape = (part: string): string => part.replaceAll('~', '~0').replaceAll('/', '~1')

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
