/** Kinds of values that only messages and modals have. */
import { countCharacters, checkObject, type Rule, text } from '../../shared/foundation/rules'
import { isSnowflake } from '../../shared/foundation/ids'
import type { MessageCheck, MessagePlace } from './message-check'

/** Rule of a value in a message or modal. */
export interface MessageRule extends Rule<MessageCheck> {
  readonly of?: MessageRule
  readonly fields?: MessageShape
  /** `messageText`: white space at both ends does not count. Default: false. */
  readonly trimmed?: boolean
  /** `messageText`: counts towards the limit of all embeds. Default: false. */
  readonly inEmbed?: boolean
  /** `link`: what an address may begin with. */
  readonly schemes?: readonly string[]
  /** `component`: the types that may stand here. */
  readonly types?: readonly number[]
}

/** Rules of the fields of an object. */
export type MessageShape = Readonly<Record<string, MessageRule>>

/** A text of whole characters. Half a pair is not valid UTF-8: the receiver would refuse the body or show a replacement character. */
export function messageText(value: unknown, at: MessagePlace, rule: MessageRule): void {
  const counted = rule.trimmed && typeof value === 'string' ? value.trim() : value
  if (typeof value === 'string' && /\p{Surrogate}/u.test(value)) at.add('lone_surrogate')
  text(counted, at, rule)
  if (rule.inEmbed && typeof counted === 'string') at.state.embedText += countCharacters(counted)
}

/** An address, or a reference to a file of the message. */
export function link(value: unknown, at: MessagePlace, rule: MessageRule): void {
  const { schemes = [], max = Infinity } = rule
  if (typeof value !== 'string') return at.add('wrong_type', { expected: 'a string' })
  if (value.length > max) return at.add('length', { min: 1, max, actual: value.length })
  const scheme = schemes.find((each) => value.toLowerCase().startsWith(`${each}://`))
  const name = scheme === 'attachment' ? value.slice('attachment://'.length) : undefined
  if (name) at.state.references.push({ name, at })
  if (scheme === undefined || name === '' || (name === undefined && !isAddress(value)))
    at.add('invalid_url', { schemes: schemes.map((each) => `${each}://`).join(' or ') })
}

const isAddress = (address: string): boolean =>
  /^https?:\/\/[^\s/?#]\S*$/i.test(address) && URL.canParse(address)

/** An emoji: one of the service by its id, or one of Unicode by its name. */
export function emoji(value: unknown, at: MessagePlace, rule: MessageRule): void {
  if (!checkObject(value, rule.fields ?? {}, at)) return
  if ((value['id'] ?? value['name'] ?? undefined) === undefined) at.add('needs_emoji')
}

/** The index of a file, or the id of an attachment. */
export function key(value: unknown, at: MessagePlace): void {
  if (!isSnowflake(value) && !(Number.isInteger(value) && Number(value) >= 0))
    at.add('wrong_type', { expected: 'the index of a file, or an id' })
}

/** Date, and optionally a time with seconds, fractions and a zone. */
const ISO_8601 = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/

/** A time of ISO 8601. */
export function time(value: unknown, at: MessagePlace): void {
  if (!(typeof value === 'string' && ISO_8601.test(value) && !Number.isNaN(Date.parse(value))))
    at.add('invalid_time')
}
