/** Rules of values as data: one reader applies them, and notes an issue at each place that does not comply. */
import { type Issue, ValidationError } from './errors'
import { isSnowflake } from './ids'
import { closestName } from './options'
import { isRecord } from './untrusted-values'

/** Codes of the issues that this file adds. A subject has a text for each code of the kinds that its tables use. */
export type RuleCode =
  | 'required'
  | 'wrong_type'
  | 'unknown_value'
  | 'unknown_field'
  | 'length'
  | 'out_of_range'
  | 'too_many'
  | 'too_few'
  | 'duplicate'
  | 'unreadable'

type Params = Readonly<Record<string, unknown>>
type Fields = Readonly<Record<string, unknown>>

/** Receives what a check finds. */
export interface Findings {
  /** Texts by code. */
  readonly texts: Readonly<Record<string, string>>
  /** @param words of the text that are no parameters, or differ from them. */
  add(at: Path, code: string, params: Params, words?: Params): void
}

/** A place, as issues name it. */
export interface Path {
  /** Like `options[0].name`; empty for the whole value. */
  readonly path: string
}

/** Parameters of a rule. */
export interface Parameters {
  /** Default: false. */
  readonly required?: boolean
  /** True: null counts as left out. Default: false. */
  readonly nullable?: boolean
  /** Bounds of a number, of the characters of a text, or of the elements of a list. Default: none. */
  readonly min?: number
  readonly max?: number
  /** `text`: must hold more than white space. Default: false. */
  readonly visible?: boolean
  /** `whole`: unit of the bounds, for the text of the issue. Default: none. */
  readonly unit?: string
  /** `list`: how many elements are read of one that is too long. Default: its maximum. */
  readonly read?: number
  /** `list`: no two elements are equal in this field; empty for the elements themselves. Default: they may be. */
  readonly distinct?: string
  /** `one` and `whole`: the allowed values. */
  readonly values?: readonly unknown[]
  /** `one`: what to write instead of a value, for the end of the message. Default: none. */
  readonly hint?: (value: unknown) => string
  /** `pattern`: what a text must match. */
  readonly pattern?: RegExp
  /** The expected content in words, for `wrong_type`. */
  readonly expected?: string
}

/**
 * Rule of a value. Its kind is the function `is`, which reads the parameters that it needs. A value that is undefined is left out, and fits
 * unless the rule is `required`.
 */
export interface Rule<State extends Findings = Findings> extends Parameters {
  readonly is: (value: unknown, at: Place<State>, rule: Rule<State>) => void
  /** `list`: rule of each element. Default: none. */
  readonly of?: Rule<State>
  /** `object` and `record`: rules by the name of the field. */
  readonly fields?: Shape<State>
}

/** Rules of the fields of an object. */
export type Shape<State extends Findings = Findings> = Readonly<Record<string, Rule<State>>>

/** Place in a value. Its path is written for issues only, so that a check without one costs little. */
export class Place<State extends Findings = Findings> implements Path {
  readonly state: State
  readonly #owner: Place<State> | undefined
  readonly #key: string | number

  constructor(state: State, key: string | number = '', owner?: Place<State>) {
    this.state = state
    this.#key = key
    this.#owner = owner
  }

  /** A field of this object. */
  field(name: string): Place<State> {
    return new Place(this.state, name, this)
  }

  /** An element of this list. */
  element(index: number): Place<State> {
    return new Place(this.state, index, this)
  }

  /** An entry of this dictionary. */
  entry(key: string): Place<State> {
    return new Place(this.state, `['${key.replace(/['\\]/g, '\\$&')}']`, this)
  }

  get path(): string {
    const before = this.#owner?.path ?? ''
    if (typeof this.#key === 'number') return `${before}[${this.#key}]`
    return before && this.#key && !this.#key.startsWith("['") ? `${before}.${this.#key}` : before + this.#key
  }

  /** Adds an issue here. */
  add(code: RuleCode | (keyof State['texts'] & string), params: Params = {}, words?: Params): void {
    this.state.add(this, code, params, words)
  }
}

/** Issues in the order in which they were found. */
export class IssueList<
  Texts extends Readonly<Record<string, string>> = Readonly<Record<string, string>>,
> implements Findings {
  readonly issues: Issue[] = []
  readonly texts: Texts
  readonly #warnings: readonly string[]

  /** @param warnings codes of level `warning`. */
  constructor(texts: Texts, warnings: readonly string[] = []) {
    this.texts = texts
    this.#warnings = warnings
  }

  add({ path }: Path, code: string, params: Params, words?: Params): void {
    const all: Params = { ...params, ...words }
    const message = (this.texts[code] ?? code.replaceAll('_', ' ')).replace(/\{(\w+)\}/g, (_, name: string) =>
      String(all[name]),
    )
    const level = this.#warnings.includes(code) ? 'warning' : 'error'
    this.issues.push({ path, code, message, params: { ...params }, level })
  }
}

/** Runs a check of any value, and returns its issues. */
export function collectIssues<State extends Findings & { readonly issues: Issue[] }>(
  state: State,
  run: (at: Place<State>) => void,
): Issue[] {
  guarded(new Place(state), run)
  return state.issues
}

/** Runs a check of the value at a place. A getter or proxy may throw: its message may contain anything, so it is not repeated. */
export function guarded<State extends Findings>(at: Place<State>, run: (at: Place<State>) => void): void {
  try {
    run(at)
  } catch {
    at.add('unreadable')
  }
}

/**
 * Refuses a value with errors. Warnings are ignored.
 *
 * @param code `invalid_argument` for the arguments of a call, `invalid_body` for what is sent as it is given.
 * @throws ValidationError with all errors.
 */
export function refuse(code: 'invalid_argument' | 'invalid_body', issues: readonly Issue[]): void {
  const errors = issues.filter(({ level }) => level === 'error')
  if (errors.length > 0) throw new ValidationError(code, errors)
}

/** Applies a rule. */
export function check<State extends Findings>(value: unknown, rule: Rule<State>, at: Place<State>): void {
  if (!isLeftOut(value, rule)) rule.is(value, at, rule)
  else if (rule.required) at.add('required')
}

const isLeftOut = <State extends Findings>(value: unknown, rule: Rule<State>): boolean =>
  value === undefined || (value === null && rule.nullable === true)

/** Checks the fields of an object; others may be there too. Returns false for a value that is none. */
export function checkRecord<State extends Findings>(
  value: unknown,
  shape: Shape<State>,
  at: Place<State>,
): value is Fields {
  if (!isRecord(value)) {
    at.add('wrong_type', { expected: `an object${withFields(shape)}` })
    return false
  }
  for (const name of Object.keys(shape)) {
    const rule = shape[name]
    const field = value[name]
    if (!rule) continue
    if (!isLeftOut(field, rule)) rule.is(field, at.field(name), rule)
    else if (rule.required) at.field(name).add('required')
  }
  return true
}

/** Checks the fields of an object, and that it has no others. Returns false for a value that is none. */
export function checkObject<State extends Findings>(
  value: unknown,
  shape: Shape<State>,
  at: Place<State>,
): value is Fields {
  if (!checkRecord(value, shape, at)) return false
  for (const name of Object.keys(value)) {
    if (Object.hasOwn(shape, name) || value[name] === undefined) continue
    const meant = findMeant(name, Object.keys(shape))
    at.field(name.slice(0, 64)).add('unknown_field', {
      hint: meant === undefined ? `: known are ${knownFields(shape).join(', ')}` : `: did you mean ${meant}?`,
      meant,
    })
  }
  return true
}

/** Fields that a game may give. */
const knownFields = <State extends Findings>(shape: Shape<State>): string[] =>
  Object.keys(shape).filter((name) => shape[name]?.is !== absent && shape[name]?.is !== ignored)

/** The fields of an object in words: those that it needs, or else all. */
function withFields<State extends Findings>(shape: Shape<State>): string {
  const known = knownFields(shape)
  const required = known.filter((name) => shape[name]?.required)
  const names = required.length > 0 ? required : known
  return names.length > 0 ? ` with ${names.join(', ')}` : ''
}

/** The name that was probably meant: a similar one, or one with the same letters in another order. */
function findMeant(name: string, names: readonly string[]): string | undefined {
  return closestName(name, names) ?? names.find((other) => sorted(other) === sorted(name))
}

const sorted = (name: string): string => Array.from(name).sort().join('')

// Kinds. Each is a function, so that a page loads those that its tables name.

/** An object with the fields of the shape and no others. */
export function object<State extends Findings>(value: unknown, at: Place<State>, rule: Rule<State>): void {
  checkObject(value, rule.fields ?? {}, at)
}

/** An object with the fields of the shape, and any others. */
export function record<State extends Findings>(value: unknown, at: Place<State>, rule: Rule<State>): void {
  checkRecord(value, rule.fields ?? {}, at)
}

/** A list. One that is too long is read to its maximum. */
export function list<State extends Findings>(value: unknown, at: Place<State>, rule: Rule<State>): void {
  const { of, distinct } = rule
  if (of?.fields && !Array.isArray(value))
    return at.add('wrong_type', { expected: `a list of objects${withFields(of.fields)}` })
  const elements = checkList(value, at, rule)
  const seen = distinct === undefined ? undefined : new Map<unknown, number>()
  for (let index = 0; index < elements.length; index++) {
    const each: unknown = elements[index] ?? null
    if (of) check(each, of, at.element(index))
    if (seen) checkDistinct(each, { by: distinct ?? '', index, seen }, at)
  }
}

/** Checks a list without its elements, and returns those to read: none of a value that is no list. */
export function checkList(value: unknown, at: Place, rule: Parameters): readonly unknown[] {
  if (!Array.isArray(value)) {
    at.add('wrong_type', { expected: rule.expected ?? 'a list' })
    return []
  }
  const { min = 0, max = Infinity, read = max } = rule
  const actual = value.length
  if (actual > max) at.add('too_many', { max, actual })
  if (actual < min) at.add('too_few', { min, actual })
  return actual > read ? value.slice(0, read) : value
}

function checkDistinct<State extends Findings>(
  each: unknown,
  { by, index, seen }: { by: string; index: number; seen: Map<unknown, number> },
  at: Place<State>,
): void {
  const key = by === '' ? each : isRecord(each) ? each[by] : undefined
  if (typeof key !== 'string') return
  const first = seen.get(key)
  if (first === undefined) seen.set(key, index)
  else place(at.element(index), by).add('duplicate', { first }, { first: `index ${first}` })
}

const place = <State extends Findings>(at: Place<State>, by: string): Place<State> =>
  by === '' ? at : at.field(by)

/** A text, with its length in characters. */
export function text(value: unknown, at: Place, rule: Parameters): void {
  if (typeof value !== 'string') return at.add('wrong_type', { expected: rule.expected ?? 'a string' })
  const { min = 0, max = Infinity, visible } = rule
  const actual = countCharacters(value)
  if (actual < min || actual > max || (visible && !value.trim())) at.add('length', { min, max, actual })
}

/** Counts characters as the service does: in code points, not in UTF-16 units or graphemes. */
export function countCharacters(given: string): number {
  let count = given.length
  for (let i = 1; i < given.length; i++) {
    if (kindOf(given, i) === TRAIL && kindOf(given, i - 1) === LEAD) count--
  }
  return count
}

/** Prefixes of the two units of a surrogate pair. */
const LEAD = 0xd800
const TRAIL = 0xdc00
const kindOf = (given: string, index: number): number => given.charCodeAt(index) & 0xfc00

/** A text that matches a pattern. */
export function pattern(value: unknown, at: Place, rule: Parameters): void {
  if (typeof value !== 'string' || rule.pattern?.test(value) === false)
    at.add('wrong_type', { expected: rule.expected })
}

/** A whole number. */
export function whole(value: unknown, at: Place, rule: Parameters): void {
  if (!Number.isInteger(value)) return at.add('wrong_type', { expected: 'a whole number' })
  const { min = -Infinity, max = Infinity, values, unit = '' } = rule
  if (Number(value) < min || Number(value) > max) at.add('out_of_range', { min, max }, { unit })
  else if (values && !values.includes(value)) at.add('unknown_value', { allowed: values })
}

/** A number. */
export function number(value: unknown, at: Place, { min = -Infinity, max = Infinity }: Parameters): void {
  if (!Number.isFinite(value)) at.add('wrong_type', { expected: 'a number' })
  else if (Number(value) < min || Number(value) > max) at.add('out_of_range', { min, max })
}

/** One of the listed values. */
export function one(value: unknown, at: Place, rule: Parameters): void {
  const { values = [], hint } = rule
  if (!values.includes(value))
    at.add('unknown_value', { allowed: values }, hint && { allowed: values.join(', ') + hint(value) })
}

/** True or false. */
export function flag(value: unknown, at: Place): void {
  if (typeof value !== 'boolean') at.add('wrong_type', { expected: 'true or false' })
}

/** An id of the service. */
export function id(value: unknown, at: Place, { expected }: Parameters = {}): void {
  if (!isSnowflake(value)) at.add('wrong_type', { expected: expected ?? 'an id: digits in a string' })
}

/** Anything: a rule between several fields checks it. */
export function anything(): void {}

/** Anything. The service ignores it. */
export function ignored(): void {}

/** Nothing: the field must be left out, for the reason in `expected`. */
export function absent(_: unknown, at: Place, rule: Parameters): void {
  at.add('wrong_type', { expected: rule.expected })
}
