/** Validates a player's input as the service's client does, and converts it to the options of an interaction. */
import { didYouMean } from '../../foundation/closest-name.js'
import {
  GROUP,
  INTEGER_OPTION,
  NUMBER_OPTION,
  STRING_OPTION,
  SUBCOMMAND,
  type Option,
} from '../../model/stored-command.js'
import { fieldsOf, textOf } from '../../foundation/values.js'

export const KINDS = { boolean: 5, user: 6, channel: 7, role: 8, mentionable: 9, attachment: 11 } as const

/** Value of an ATTACHMENT option. */
export interface UploadedFile {
  filename: string
  content_type?: string | undefined
  /** Base64. Default: empty. */
  data?: string | undefined
}

/** Input of a player: values, with the chosen subcommand or group. */
export interface Input {
  name: string
  /** String, number, boolean or id; `UploadedFile` for an ATTACHMENT option. */
  value?: unknown
  options?: Input[] | undefined
}

export interface Entry {
  type: number
  name: string
  value?: string | number | boolean
  options?: Entry[]
  focused?: true
}

/** Resolves an id among those that the player can choose; undefined for others. */
export type Find = (type: number, id: string, option: Pick<Option, 'channel_types'>) => boolean

export interface Filled {
  entries: Entry[]
  problems: string[]
}

/** Stores a file and returns its id; undefined if the option does not accept it. */
export type Attach = (value: unknown, option: Option) => string | undefined

interface Rules {
  find: Find
  attach: Attach
  /** Name of the focused option; required options may still be missing then. */
  focused?: string | undefined
  /** True sends the focused input as typed, also if the client would not. */
  isUnchecked?: boolean | undefined
}

/** A JavaScript caller may give an object of names and values. */
const LIST = "options must be a list, such as [{ name: 'item', value: 'a sword' }]"

/** Returns the options, or their problems. */
export function fill(options: Option[], inputs: Input[], rules: Rules): Filled {
  if (!Array.isArray(inputs)) return { entries: [], problems: [LIST] }
  const routes = options.filter(isRoute)
  if (routes.length > 0) return fillRoute(routes, inputs, rules)
  const known = new Set(options.map(({ name }) => name))
  const problems = inputs.filter(({ name }) => !known.has(name)).map(({ name }) => noOption(name, [...known]))
  const entries: Entry[] = []
  for (const option of options) {
    const given = inputs.find(({ name }) => name === option.name)?.value
    const typed = rules.focused === option.name
    const empty = given === undefined || given === null || (given === '' && !typed)
    if (empty && option.required === true && rules.focused === undefined)
      problems.push(`option ${option.name} is required`)
    if (empty) continue
    const value = typed ? partial(option, given, rules) : read(option, given, rules)
    if (value !== undefined)
      entries.push({ type: option.type, name: option.name, value, ...(typed ? { focused: true } : {}) })
    else if (rules.focused === undefined || typed) problems.push(`option ${option.name} ${wants(option)}`)
  }
  return { entries, problems }
}

function fillRoute(routes: Option[], inputs: Input[], rules: Rules): Filled {
  const [chosen] = inputs
  const route = routes.find(({ name }) => name === chosen?.name)
  if (route === undefined || chosen === undefined || inputs.length > 1)
    return { entries: [], problems: [noRoute(routes, inputs)] }
  const { entries, problems } = fill(route.options ?? [], chosen.options ?? [], rules)
  return { entries: [{ type: route.type, name: route.name, options: entries }], problems }
}

/** The sentence about an option that a command has not. */
export function noOption(name: string, names: readonly string[]): string {
  const all = names.length === 0 ? 'it has none' : `it has ${names.join(', ')}`
  return `there is no option ${JSON.stringify(name)}${didYouMean(name, names)}; ${all}`
}

/** Options beside a subcommand belong into it. */
function noRoute(routes: readonly Option[], inputs: readonly Input[]): string {
  const names = routes.map(({ name }) => name)
  const [first] = inputs
  const near = first === undefined || names.includes(first.name) ? '' : didYouMean(first.name, names)
  return `one of ${names.join(', ')} must be chosen${near}, such as options: [{ name: '${names[0]}', options: [] }]`
}

function isRoute({ type }: Option): boolean {
  return type === SUBCOMMAND || type === GROUP
}

/** Partial input: any string; for a number only a valid one, unless unchecked. */
function partial({ type }: Option, given: unknown, { isUnchecked }: Rules): string | undefined {
  const text = typeof given === 'number' ? String(given) : textOf(given)
  if (type === STRING_OPTION || text === '' || isUnchecked) return text
  return text !== undefined && isNumber(type, text) ? text : undefined
}

function isNumber(type: number, text: string): boolean {
  return (type === INTEGER_OPTION ? /^-?\d+$/ : /^-?(?:\d+(?:\.\d*)?|\.\d+)(?:e-?\d+)?$/i).test(text)
}

function read(
  option: Option,
  given: unknown,
  { find, attach }: Rules,
): string | number | boolean | undefined {
  const { type } = option
  if (type === STRING_OPTION) return readText(option, given)
  if (type === INTEGER_OPTION || type === NUMBER_OPTION) return readNumber(option, given)
  if (type === KINDS.boolean)
    return typeof given === 'boolean' ? given : { true: true, false: false }[String(given)]
  if (type === KINDS.attachment) return attach(given, option)
  return typeof given === 'string' && find(type, given, option) ? given : undefined
}

function readText(
  { choices, min_length: least = 0, max_length: most = 6000 }: Option,
  given: unknown,
): string | undefined {
  if (typeof given !== 'string') return undefined
  if (choices !== undefined && !choices.some(({ value }) => value === given)) return undefined
  const { length } = Array.from(given)
  return length >= least && length <= most ? given : undefined
}

function readNumber(option: Option, given: unknown): number | undefined {
  const { type, choices, min_value: least = -Infinity, max_value: most = Infinity } = option
  const value = typeof given === 'string' && isNumber(type, given) ? Number(given) : given
  if (typeof value !== 'number' || !Number.isFinite(value) || Math.abs(value) > 2 ** 53) return undefined
  if (type === INTEGER_OPTION && !Number.isSafeInteger(value)) return undefined
  if (choices !== undefined && !choices.some((choice) => choice.value === value)) return undefined
  return value >= least && value <= most ? value : undefined
}

function wants({
  type,
  choices,
  min_value,
  max_value,
  min_length,
  max_length,
  file_types: files = [],
}: Option): string {
  if (choices !== undefined) return 'must be one of its choices'
  const bounds = [min_value ?? min_length, max_value ?? max_length]
  const range = bounds.every((bound) => bound === undefined)
    ? ''
    : ` (${bounds[0] ?? ''} to ${bounds[1] ?? ''})`
  if (type === STRING_OPTION) return `must be text of the right length${range}`
  if (type === INTEGER_OPTION) return `must be a whole number${range}`
  if (type === NUMBER_OPTION) return `must be a number${range}`
  if (type === KINDS.attachment)
    return `must be a file${files.length === 0 ? '' : ` (${files.join(', ')})`}: { filename, content_type?, data? }`
  return type === KINDS.boolean
    ? 'must be true or false'
    : 'must be the ID of something that is there, such as that of a user in emulator.users'
}

/** Parses untrusted JSON. */
export function readInputs(value: unknown): Input[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((item) => {
    const { name, value: given, options } = fieldsOf(item)
    if (typeof name !== 'string') return []
    return [{ name, value: given, ...(options === undefined ? {} : { options: readInputs(options) }) }]
  })
}
