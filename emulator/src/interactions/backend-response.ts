/** Parses and validates a backend's response. */
import { fieldsOf, isObject, textOf } from '../foundation/type-guards.js'
import { integerOption, numberOption, stringOption } from '../model/stored-command.js'

/** Interaction types: 2 command, 3 component, 4 autocomplete, 5 modal. */
export type InteractionKind = 2 | 3 | 4 | 5

export const callback = { pong: 1, message: 4, deferred: 5, deferredUpdate: 6, update: 7, choices: 8, modal: 9, activity: 12 } as const
export const ephemeral = 64
const allowedFlags = 4 | ephemeral | 4096 | 8192 | 32_768

export interface Choice {
  name: string
  name_localizations?: Record<string, string> | null
  value: string | number
}

export interface BackendResponse {
  type: number
  data: Record<string, unknown>
}

/** The interaction that a response answers. */
interface Answered {
  kind: InteractionKind
  /** Type of the option that is being typed. */
  typed?: number | undefined
}

/** Returns the response, or all of its problems, each with its path. */
export function readBackendResponse(body: unknown, { kind, typed }: Answered): BackendResponse | string[] {
  if (!isObject(body)) return ['the body must be a JSON object']
  const { type, data } = body
  if (typeof type !== 'number') return ['type must be a number']
  const problem = faultOfType(type, kind)
  if (problem !== undefined) return [problem]
  if (data !== undefined && data !== null && !isObject(data)) return ['data must be an object']
  const fields = fieldsOf(data)
  const problems = type === callback.choices ? faultsOfChoices(fields['choices'], typed) : faultsOfData(type, fields)
  return problems.length > 0 ? problems : { type, data: fields }
}

function faultOfType(type: number, kind: InteractionKind): string | undefined {
  if (!Object.values<number>(callback).includes(type)) return `type ${type} is no type of answer`
  if (type === callback.pong) return 'type 1 answers a PING only'
  if ((kind === 4) !== (type === callback.choices)) return `type ${type} does not answer an interaction of type ${kind}`
  if ((type === callback.update || type === callback.deferredUpdate) && kind === 2) return `type ${type} answers components and forms only`
  return type === callback.modal && kind === 5 ? 'a form cannot be answered with a form' : undefined
}

function faultsOfData(type: number, data: Record<string, unknown>): string[] {
  if (type === callback.message) return faultsOfMessage(data, { whole: true })
  if (type === callback.update) return faultsOfMessage(data, { whole: false })
  if (type === callback.deferred) return faultsOfDeferral(data)
  if (type === callback.modal) return faultsOfModal(data)
  return []
}

/** `whole`: the message must have content; an edit may leave all fields unchanged. */
export function faultsOfMessage(data: Record<string, unknown>, { whole }: { whole: boolean }): string[] {
  const { content, embeds, components, flags = 0, attachments, poll } = data
  const problems: string[] = []
  if (content !== undefined && content !== null && (typeof content !== 'string' || length(content) > 2000))
    problems.push('data.content must be text of at most 2000 characters')
  for (const [name, value, most] of [
    ['embeds', embeds, 10] as const,
    ['components', components, 40] as const,
    ['attachments', attachments, 10] as const,
  ])
    if (value !== undefined && value !== null && (!Array.isArray(value) || value.length > most))
      problems.push(`data.${name} must be a list of at most ${most}`)
  if (typeof flags !== 'number' || !Number.isInteger(flags) || (flags & ~allowedFlags) !== 0)
    problems.push('data.flags holds a flag that an answer cannot have')
  const parts = [content, embeds, components, attachments, poll]
  if (whole && !parts.some((part) => (typeof part === 'string' || Array.isArray(part) ? part.length > 0 : isObject(part))))
    problems.push('a message must hold something: content, embeds, components, attachments or a poll')
  return problems
}

function faultsOfDeferral({ flags = 0 }: Record<string, unknown>): string[] {
  return flags === 0 || flags === ephemeral ? [] : ['data.flags of a deferral may be EPHEMERAL (64) only']
}

function faultsOfChoices(choices: unknown, typed: number | undefined): string[] {
  if (!Array.isArray(choices) || choices.length > 25) return ['data.choices must be a list of at most 25']
  return choices.flatMap((choice: unknown, index) => {
    if (!isChoice(choice)) return [`data.choices[${index}] must have a name of 1 to 100 characters and a value`]
    return fitsOption(choice.value, typed) ? [] : [`data.choices[${index}].value must be ${valueNames[typed ?? stringOption]}`]
  })
}

const valueNames: Record<number, string> = {
  [stringOption]: 'text',
  [integerOption]: 'a whole number between -2^53 and 2^53',
  [numberOption]: 'a number between -2^53 and 2^53',
}

function fitsOption(value: string | number, typed: number | undefined): boolean {
  if (typed === stringOption) return typeof value === 'string'
  if (typed === integerOption) return Number.isSafeInteger(value)
  return typed !== numberOption || (typeof value === 'number' && Math.abs(value) <= 2 ** 53)
}

export function isChoice(choice: unknown): choice is Choice {
  const { name, name_localizations: localizations, value } = fieldsOf(choice)
  const usable = typeof value === 'string' ? length(value) <= 100 : typeof value === 'number' && Number.isFinite(value)
  return isLabel(name) && Object.values(fieldsOf(localizations)).every(isLabel) && usable
}

function isLabel(text: unknown): boolean {
  return typeof text === 'string' && text.trim() !== '' && length(text) <= 100
}

function faultsOfModal({ custom_id: id, title, components }: Record<string, unknown>): string[] {
  const problems: string[] = []
  if (!isText(id, 100)) problems.push('data.custom_id must be text of 1 to 100 characters')
  if (!isText(title, 45)) problems.push('data.title must be text of 1 to 45 characters')
  if (!Array.isArray(components) || components.length < 1 || components.length > 40)
    problems.push('data.components must be a list of 1 to 40')
  return problems
}

function isText(value: unknown, longest: number): boolean {
  const text = textOf(value) ?? ''
  return text !== '' && length(text) <= longest
}

function length(text: string): number {
  return Array.from(text).length
}
