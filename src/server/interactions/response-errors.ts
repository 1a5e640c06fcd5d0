/** Errors of responses out of order, with what to call instead. */
import { ConfigurationError } from '../../shared/foundation/errors'
import { InteractionError } from './interaction-error'

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

export interface TooLate {
  /** True if the first response was the automatic deferral. */
  readonly isAutomatic: boolean
}

/** A response that must come first, or must come once, came after another. */
export function alreadyAnswered(call: string, { isAutomatic }: TooLate): InteractionError {
  const subject = isAutomatic ? `${call}, after the automatic deferral of a slow handler` : call
  return new InteractionError('already_answered', subject, { remedy: INSTEAD[call] ?? '' })
}

/** A later response came before the first one. */
export const notAnswered = (call: string): InteractionError =>
  new InteractionError('no_answer', `${call} before the first answer`, {
    remedy: 'Call reply or defer first',
  })

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
export const messageMissing = (call: string): InteractionError =>
  new InteractionError('message_missing', `${call}: no component was used`, { remedy: 'Call reply' })

/** An existing message cannot be shown to others than before. */
export function visibilityFixed(call: string, visibility: string): InteractionError {
  const remedy = 'Leave `ephemeral` out, or delete the message and send another one with followUp'
  return new InteractionError('visibility_fixed', `${call}: the message is ${visibility}`, { remedy })
}
