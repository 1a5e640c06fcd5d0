/** Validates a backend's response: its type, and the message, choices or modal that it holds. */
import { emptyMessage, refuseInvalidBody } from '../../check/api-error.js'
import { ValidationContext, type ValidationError } from '../../check/validation-context.js'
import { fieldsOf, isObject } from '../../foundation/values.js'
import { isEmptyMessage, messageErrors } from '../../check/check-message.js'
import { modalErrors } from '../../check/check-modal.js'
import type { UploadedPart } from './read-upload.js'
import { INTEGER_OPTION, NUMBER_OPTION, STRING_OPTION } from '../../model/stored-command.js'

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
interface Answered {
  kind: InteractionKind
  /** Type of the option that is being typed. */
  typed?: number | undefined
  /** Id of the message with the component, or whose component opened the form. */
  source?: string | undefined
}

/** @throws ApiError 400 that names the rule. */
export function readBackendResponse(body: unknown, answered: Answered, files: Files): BackendResponse {
  if (!isObject(body)) refuse([], 'must be a JSON object')
  const { type, data } = fieldsOf(body)
  if (typeof type !== 'number') refuse(['type'], 'must be a number')
  const problem = faultOfType(Number(type), answered)
  if (problem !== undefined) refuse(['type'], problem)
  if (data !== undefined && data !== null && !isObject(data)) refuse(['data'], 'must be an object')
  const response = { type: Number(type), data: fieldsOf(data), files }
  refuseInvalidBody(errorsOf(response, answered.typed))
  if (type === CALLBACK.message && isEmptyMessage(response.data, files.size)) throw emptyMessage()
  return response
}

/** Names of files, by their index. */
export function namesOf(files: Files): Map<number, string> {
  return new Map([...files].map(([index, { filename }]) => [index, filename]))
}

function refuse(path: readonly string[], rule: string): void {
  refuseInvalidBody([{ path, rule, code: 'INTERACTION_RESPONSE_INVALID', message: `This field ${rule}.` }])
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

function errorsOf(
  { type, data, files }: BackendResponse,
  typed: number | undefined,
): readonly ValidationError[] {
  const path = ['data']
  if (type === CALLBACK.message || type === CALLBACK.update)
    return messageErrors(data, { files: namesOf(files), path })
  if (type === CALLBACK.modal) return modalErrors(data, path)
  const at = new ValidationContext([], path)
  if (type === CALLBACK.deferred) checkDeferral(data, at.at('flags'))
  if (type === CALLBACK.choices) checkChoices(data['choices'], typed, at.at('choices'))
  return at.errors
}

function checkDeferral({ flags = 0 }: Record<string, unknown>, at: ValidationContext): void {
  if (flags === 0 || flags === EPHEMERAL) return
  at.addError({
    code: 'MESSAGE_FLAGS_INVALID',
    message: 'Invalid message flags',
    rule: 'of a deferral may be EPHEMERAL (64) only',
  })
}

function checkChoices(choices: unknown, typed: number | undefined, at: ValidationContext): void {
  if (!Array.isArray(choices) || choices.length > 25)
    return at.addError({
      code: 'BASE_TYPE_MAX_LENGTH',
      message: 'Must be 25 or fewer in length.',
      rule: 'must be a list of at most 25',
    })
  for (const [index, choice] of choices.entries()) {
    const rule = 'must have a name of 1 to 100 characters and a value'
    const value = `must be ${VALUE_NAMES[typed ?? STRING_OPTION]}`
    if (!isChoice(choice))
      at.at(index).addError({ code: 'MODEL_TYPE_CONVERT', message: 'Not a choice.', rule })
    else if (!fitsOption(choice.value, typed))
      at.at(index)
        .at('value')
        .addError({ code: 'MODEL_TYPE_CONVERT', message: 'Not a value of the option.', rule: value })
  }
}

const VALUE_NAMES: Record<number, string> = {
  [STRING_OPTION]: 'text',
  [INTEGER_OPTION]: 'a whole number between -2^53 and 2^53',
  [NUMBER_OPTION]: 'a number between -2^53 and 2^53',
}

function fitsOption(value: string | number, typed: number | undefined): boolean {
  if (typed === STRING_OPTION) return typeof value === 'string'
  if (typed === INTEGER_OPTION) return Number.isSafeInteger(value)
  return typed !== NUMBER_OPTION || (typeof value === 'number' && Math.abs(value) <= 2 ** 53)
}

export function isChoice(choice: unknown): choice is Choice {
  const { name, name_localizations: localizations, value } = fieldsOf(choice)
  const usable =
    typeof value === 'string' ? length(value) <= 100 : typeof value === 'number' && Number.isFinite(value)
  return isLabel(name) && Object.values(fieldsOf(localizations)).every(isLabel) && usable
}

function isLabel(text: unknown): boolean {
  return typeof text === 'string' && text.trim() !== '' && length(text) <= 100
}

function length(text: string): number {
  return Array.from(text).length
}
