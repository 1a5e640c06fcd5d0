/** Errors of responses out of order, with what to call instead. */
import { ConfigurationError } from '../../shared/foundation/errors'
import type { PlayerInteraction } from '../../shared/wire/interaction-request'
import { InteractionError } from './interaction-error'
import type { Visibility } from './visibility'

/** What to do after the first response, by the name of the call that came too late. */
const INSTEAD: Readonly<Record<string, string>> = {
  reply:
    'Call followUp for another message, or editReply to change the first one, and return nothing after replying',
  update: 'Call editReply to change the message, or followUp for another one',
  defer: 'Call it first, or never: a slow handler is deferred automatically',
  showModal:
    'It must be the first response: call it before reply and defer, and before deferAfter ms have passed',
  launchActivity:
    'It must be the first response: call it before reply and defer, and before deferAfter ms have passed',
}

/** Name of the command, or `custom_id` of the component or modal. */
export const subjectOf = ({ data }: PlayerInteraction): string =>
  'name' in data ? data.name : data.custom_id

export interface TooLate {
  /** Name of the command or component. */
  readonly subject: string
  /** True if the first response was the automatic deferral. */
  readonly isAutomatic: boolean
}

/** A response that must come first, or must come once, came after another. */
export function alreadyAnswered(call: string, { subject, isAutomatic }: TooLate): InteractionError {
  const after = isAutomatic ? ', after the automatic deferral of a slow handler' : ''
  return new InteractionError('already_answered', `${shortOf(subject)}: ${call}${after}`, {
    remedy: INSTEAD[call] ?? '',
  })
}

/** A later response came before the first one. */
export const notAnswered = (subject: string, call: string): InteractionError =>
  new InteractionError('no_answer', `${shortOf(subject)}: ${call} before the first answer`, {
    remedy: 'Call reply or defer first',
  })

/** A `custom_id` may have 100 characters, and a message names the call too. */
const shortOf = (subject: string): string => subject.slice(0, 32)

/** The handler has ended, and there is no response. `result` is what it returned. */
export function noAnswer(subject: string, result: unknown): InteractionError {
  const returned = result === undefined ? 'nothing' : describe(result)
  const remedy = `Return a text${conversionOf(result)} or a message, or await a call of reply, defer, showModal or launchActivity`
  return new InteractionError('no_answer', `${subject}: the handler returned ${returned}`, { remedy })
}

/** A response without a text or a message, from plain JavaScript. */
export function noMessage(call: string, given: unknown): ConfigurationError {
  const subject = `${call} got ${given === undefined ? 'nothing' : describe(given)}`
  return new ConfigurationError('invalid_argument', subject, {
    remedy: `Pass a text${conversionOf(given)} or a message, such as { content }`,
  })
}

const conversionOf = (value: unknown): string =>
  typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean'
    ? ', for example String(value),'
    : ''

/** The kind of a value, without the value, which may be a secret. */
function describe(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  return `${/^[aeiou]/.test(typeof value) ? 'an' : 'a'} ${typeof value}`
}

/** A command, and a modal that a command opened, belong to no message. */
export const messageMissing = (subject: string, call: string): InteractionError =>
  new InteractionError('message_missing', `${shortOf(subject)}: ${call}, but no component was used`, {
    remedy: 'Call reply',
  })

/** An existing message cannot be shown to others than before. */
export function visibilityFixed(subject: string, call: string, visibility: Visibility): InteractionError {
  const remedy = 'Leave `ephemeral` out, or delete the message and send another one with followUp'
  return new InteractionError(
    'visibility_fixed',
    `${shortOf(subject)}: ${call}, but the message is ${visibility}`,
    { remedy },
  )
}
