/** What a backend's response must be: its type, and the message, choices or form that it holds. */
import { emptyMessage, refuseInvalidBody } from '../../check/api-error.js'
import { isEmptyMessage, messageBody } from '../../check/check-message.js'
import { modalBody } from '../../check/check-modal.js'
import { translationsOf } from '../../check/check-names.js'
import { problem } from '../../check/problems.js'
import {
  also,
  anything,
  holds,
  integer,
  list,
  nullish,
  number,
  object,
  oneOf,
  omittable,
  read,
  refine,
  text,
  type Schema,
} from '../../check/schema.js'
import { fieldsOf, isObject } from '../../foundation/values.js'
import type { UploadedPart } from './read-upload.js'
import { INTEGER_OPTION, NUMBER_OPTION } from '../../model/stored-command.js'

/** Interaction types: 2 command, 3 component, 4 autocomplete, 5 modal. */
export type InteractionKind = 2 | 3 | 4 | 5

export const CALLBACK = {
  pong: 1,
  message: 4,
  deferred: 5,
  deferredUpdate: 6,
  update: 7,
  choices: 8,
  modal: 9,
  activity: 12,
} as const
export const EPHEMERAL = 64

/** A choice that a backend suggests. */
export interface Choice {
  name: string
  name_localizations?: Record<string, string> | null
  value: string | number
}

/** Files of a request by their index. */
export type Files = ReadonlyMap<number, UploadedPart>

export interface BackendResponse {
  type: number
  data: Record<string, unknown>
  files: Files
}

/** The interaction that a response answers. */
export interface Answered {
  kind: InteractionKind
  /** Type of the option that is being typed. */
  typed?: number | undefined
  /** Id of the message with the component, or whose component opened the form. */
  source?: string | undefined
  files: Files
}

export interface ValidResponse {
  type: number
  data: unknown
}

/** @throws ApiError 400 that names the rule. */
export function readBackendResponse(body: unknown, answered: Answered): BackendResponse {
  const { files } = answered
  const { type, data } = read(responseBody(answered), body, refuseInvalidBody)
  if (type === CALLBACK.message && isEmptyMessage(fieldsOf(data), files.size)) throw emptyMessage()
  return { type, data: fieldsOf(data), files }
}

/** What `data` must be depends on the type of the response. */
export function responseBody(answered: Answered): Schema<ValidResponse> {
  const typeSchema = also(number(), (type, at) => {
    const fault = typeof type === 'number' ? faultOfType(type, answered) : undefined
    if (fault !== undefined) at.add(problem('INTERACTION_RESPONSE_INVALID', `This field ${fault}.`, fault))
  })
  const { check } = object({ type: typeSchema, data: anything }, ({ type, data }, at) => {
    if (at.found > 0) return
    const schema = dataOf(Number(type), answered)
    const isAbsent = data === undefined || data === null
    if (schema !== undefined) nullish(schema).check(isAbsent ? {} : data, at.at('data'))
    else nullish(object({})).check(data ?? null, at.at('data'))
  })
  return {
    check,
    pick(value) {
      if (!isObject(value)) return value
      const { type, data } = value
      const schema = typeof type === 'number' ? dataOf(type, answered) : undefined
      return { type, data: schema?.pick?.(data) ?? data }
    },
  }
}

/** Names of files, by their index. */
export function namesOf(files: Files): Map<number, string> {
  return new Map([...files].map(([index, { filename }]) => [index, filename]))
}

function faultOfType(type: number, { kind, source }: Answered): string | undefined {
  if (!Object.values<number>(CALLBACK).includes(type)) return `${type} is no type of answer`
  if (type === CALLBACK.pong) return '1 answers a PING only'
  if ((kind === 4) !== (type === CALLBACK.choices))
    return `${type} does not answer an interaction of type ${kind}`
  if ((type === CALLBACK.update || type === CALLBACK.deferredUpdate) && source === undefined)
    return `${type} answers components, and forms that a component opened`
  return type === CALLBACK.modal && kind === 5
    ? '9 does not answer a form: a form cannot be answered with a form'
    : undefined
}

/** Undefined for a type whose data nobody reads. */
function dataOf(type: number, { files, typed }: Answered): Schema<unknown> | undefined {
  switch (type) {
    case CALLBACK.message:
    case CALLBACK.update:
      return messageBody({ files: namesOf(files) })
    case CALLBACK.modal:
      return modalBody
    case CALLBACK.deferred:
      return object({ flags: omittable(oneOf([0, EPHEMERAL])) })
    case CALLBACK.choices:
      return object({ choices: list(suggestion(typed), { most: 25 }) })
    default:
      return undefined
  }
}

const LARGEST_NUMBER = 2 ** 53
const BLANK = problem('BASE_TYPE_REQUIRED', 'This field is required', 'must have more than blanks')

const label = refine(text({ least: 1, most: 100 }), (value, at) => {
  if (value.trim() === '') at.add(BLANK)
})

function suggestion(typed: number | undefined) {
  return object({
    name: label,
    name_localizations: translationsOf(label, { otherLocales: 'refuse' }),
    value: suggestedValue(typed),
  })
}

function suggestedValue(typed: number | undefined): Schema<string | number> {
  if (typed === INTEGER_OPTION) return integer(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)
  return typed === NUMBER_OPTION ? number(-LARGEST_NUMBER, LARGEST_NUMBER) : text({ most: 100 })
}

/** True for a choice that an option of this type can have. */
export function isChoice(value: unknown, typed: number | undefined): value is Choice {
  return holds(suggestion(typed), value)
}
