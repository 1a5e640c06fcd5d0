/** Command definition with its handlers: maps each route to the function that handles it. */
import { takeOptions } from '../../shared/foundation/take-options'
import { isRecord } from '../../shared/foundation/untrusted-values'
import { callTyped, requireRecord } from '../../shared/foundation/options'
import { ConfigurationError } from '../../shared/foundation/errors'
import { choiceLike, OPTION_EXAMPLE } from '../commands/validation/choice-like'
import type {
  ApplicationCommandOption as Option,
  GlobalCommandBody as Definition,
} from '../../shared/wire/command'
import type { Checked, CommandOptions, HandlerArguments } from './handler'
import { requireVisibility, type Visibility } from './visibility'

type Callback = (interaction: unknown) => unknown

const FOREIGN =
  'Pass definition and handler as two arguments: defineCommand(data, ({ options }) => …), with data as a plain object. docs/from-discord-js.md has each call'
const NO_HANDLER =
  'Pass a function as the second argument, or an object of them by the name of the subcommand'

/** Parameters and callbacks of one route. */
export interface Route {
  readonly parameters: readonly Parameter[]
  readonly run: Callback
  /** Autocomplete callbacks by option name. */
  readonly autocomplete: ReadonlyMap<string, Callback>
  /** Visibility of the handler's deferral, and of its messages that do not say it. */
  readonly visibility: Visibility | undefined
}

export interface Parameter {
  readonly name: string
  readonly type: number
  readonly required: boolean
  /** Allowed values; undefined if any value is allowed. */
  readonly choices: ReadonlySet<unknown> | undefined
  /** Bounds of a number, or of the length of a text. */
  readonly min?: number | undefined
  readonly max?: number | undefined
}

/** Command definition with handlers: send `definition` to the service and pass the whole object to `createInteractionHandler`. */
export interface DefinedCommand<D extends Definition = Definition> {
  /** Definition, for `commands.global.sync` and the other methods of `Commands`. */
  readonly definition: D
  /** Handlers by path: `''` for the command itself, `add`, `group add`. Empty if the service handles the command alone. */
  readonly routes: ReadonlyMap<string, Route>
  /** Readers of placeholders of the command, and its messages that do not say it by `ephemeral`. */
  readonly visibility?: Visibility | undefined
}

/**
 * Combines a command definition with its handlers. Handler types are inferred from the definition: option values, choices, required options
 * and subcommands. Handlers are a function; `{ run, autocomplete }` if options have autocomplete; or an object of those by subcommand name.
 *
 * A handler that may take longer than 2 seconds declares who sees its placeholder: `{ visibility: 'private' }` as the third argument for all
 * handlers of the command, or beside `run` for one.
 *
 * @throws ConfigurationError `invalid_argument` for a missing handler or an invalid definition, from plain JavaScript.
 * @example
 * ```ts
 * const roll = defineCommand(
 *   {
 *     name: 'roll',
 *     description: 'Roll a die',
 *     options: [{ type: 4, name: 'sides', description: 'Number of sides', required: true }],
 *   },
 *   ({ options }) => `You rolled ${1 + Math.floor(Math.random() * options.sides)}`,
 * )
 * ```
 */
export function defineCommand<const D extends Definition>(
  definition: Checked<D>,
  ...handlers: HandlerArguments<D>
): DefinedCommand<D>
export function defineCommand(
  definition: Definition,
  handlers?: unknown,
  given?: CommandOptions,
): DefinedCommand {
  return callTyped('defineCommand', () => define(definition, handlers, given))
}

function define(
  definition: Definition,
  handlers: unknown,
  given: CommandOptions | undefined,
): DefinedCommand {
  requireRecord(definition, 'definition')
  refuseForeignShape(definition)
  const { visibility } = takeOptions({ ...given }, ['visibility'])
  requireVisibility(visibility)
  const { type = 1, handler, name, options = [] } = definition
  const routes = new Map<string, Route>()
  if (type === 1) addRoutes({ options, handlers, path: '', owner: name }, routes)
  else if (type !== 4 || handler !== 2) routes.set('', leaf([], handlers, name))
  else if (handlers !== undefined)
    throw new ConfigurationError('invalid_argument', `${name}: SERVICE_LAUNCH_ACTIVITY has no handler`)
  return { definition, routes, ...(visibility && { visibility }) }
}

/** A command of discord.js is one object. @throws ConfigurationError `invalid_argument`. */
function refuseForeignShape(definition: object): void {
  const found = ['data', 'execute'].find((name) => name in definition)
  if (found !== undefined && !('name' in definition))
    throw new ConfigurationError('invalid_argument', found, { remedy: FOREIGN })
}

interface Branch {
  readonly options: readonly Option[]
  readonly handlers: unknown
  /** Path of the owner of the options; key of the map. */
  readonly path: string
  /** Path with the command name, for error messages. */
  readonly owner: string
}

function addRoutes({ options, handlers, path, owner }: Branch, routes: Map<string, Route>): void {
  requireRecords(options, `${owner}: options`, () => OPTION_EXAMPLE)
  if (!options.some(({ type }) => type < 3)) {
    routes.set(path, leaf(options, handlers, owner))
    return
  }
  for (const { name, type, options: inner = [] } of options) {
    const below = {
      options: inner,
      handlers: own(handlers, name),
      path: path ? `${path} ${name}` : name,
      owner: `${owner} ${name}`,
    }
    if (type === 2 && inner.length === 0) continue
    addRoutes(below, routes)
  }
}

function leaf(options: readonly Option[], handlers: unknown, owner: string): Route {
  const run = isCallback(handlers) ? handlers : own(handlers, 'run')
  if (!isCallback(run))
    throw new ConfigurationError('invalid_argument', `${owner}: no handler`, { remedy: NO_HANDLER })
  const autocomplete = new Map<string, Callback>()
  for (const { name } of options.filter((each) => each.autocomplete)) {
    const suggest = own(own(handlers, 'autocomplete'), name)
    if (!isCallback(suggest))
      throw new ConfigurationError('invalid_argument', `${owner}: no autocomplete handler for ${name}`)
    autocomplete.set(name, suggest)
  }
  const visibility = own(handlers, 'visibility')
  requireVisibility(visibility)
  return { parameters: options.map((option) => toParameter(option, owner)), run, autocomplete, visibility }
}

function toParameter(option: Option, owner: string): Parameter {
  const {
    name,
    type,
    required = false,
    choices,
    min_value: min,
    max_value: max,
    min_length: shortest,
    max_length: longest,
  } = option
  requireRecords(choices ?? [], `${owner} ${name}: choices`, choiceLike)
  const unfinished = choices?.findIndex(({ value }) => value === undefined) ?? -1
  if (unfinished >= 0)
    throw new ConfigurationError(
      'invalid_argument',
      `${owner} ${name}: choices[${unfinished}] has no value, must be ${choiceLike(choices?.[unfinished]?.name)}`,
    )
  const values = choices?.length ? new Set(choices.map(({ value }) => value)) : undefined
  return { name, type, required, choices: values, min: min ?? shortest, max: max ?? longest }
}

/** Own properties only: an option may be named `constructor`. */
const own = (value: unknown, name: string): unknown =>
  isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined

/** @throws ConfigurationError `invalid_argument`, with what to write for the first member that is no object. */
function requireRecords(value: unknown, name: string, exampleFor: (member: unknown) => string): void {
  const members: readonly unknown[] = Array.isArray(value) ? value : [undefined]
  const index = members.findIndex((member) => !isRecord(member))
  if (index < 0) return
  const example = exampleFor(members[index])
  const subject = Array.isArray(value)
    ? `${name}[${index}] must be ${example}`
    : `${name} must be [${example}]`
  throw new ConfigurationError('invalid_argument', subject)
}

const isCallback = (value: unknown): value is Callback => typeof value === 'function'
