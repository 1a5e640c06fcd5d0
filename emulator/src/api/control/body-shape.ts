/** Shapes of JSON bodies: one table checks a body, types it, and says what it must be. */
import { EmulatorError } from '../../foundation/emulator-error.js'
import { fieldsOf } from '../../foundation/values.js'

export interface Field<Value> {
  /** Type of the value, as the message writes it. */
  readonly type: string
  readonly isOptional: boolean
  readonly is: (value: unknown) => value is Value
}

export type BodyOf<Shape> = { [Name in keyof Shape]: Shape[Name] extends Field<infer Value> ? Value : never }

export function oneOf<const Texts extends readonly string[]>(...texts: Texts): Field<Texts[number]> {
  const type = texts.map((text) => JSON.stringify(text)).join(' | ')
  return {
    type,
    isOptional: false,
    is: (value): value is Texts[number] => texts.some((text) => text === value),
  }
}

export const TEXT: Field<string> = {
  type: 'string',
  isOptional: false,
  is: (value): value is string => typeof value === 'string',
}
export const FLAG: Field<boolean> = {
  type: 'boolean',
  isOptional: false,
  is: (value): value is boolean => typeof value === 'boolean',
}

export function optional<Value>({ type, is }: Field<Value>): Field<Value | undefined> {
  return {
    type,
    isOptional: true,
    is: (value): value is Value | undefined => value === undefined || is(value),
  }
}

/** @throws EmulatorError `bad_request` with the shape, for a body that does not have it. */
export function bodyOf<Shape extends Record<string, Field<unknown>>>(
  shape: Shape,
): (body: unknown) => BodyOf<Shape> {
  return (body) => {
    const fields: unknown = fieldsOf(body)
    if (fits(fields, shape)) return fields
    const names = Object.entries(shape).map(
      ([name, { type, isOptional }]) => `"${name}"${isOptional ? '?' : ''}: ${type}`,
    )
    throw new EmulatorError('bad_request', `The body must be JSON: { ${names.join(', ')} }.`)
  }
}

function fits<Shape extends Record<string, Field<unknown>>>(
  body: unknown,
  shape: Shape,
): body is BodyOf<Shape> {
  return Object.entries(shape).every(([name, field]) => field.is(fieldsOf(body)[name]))
}
