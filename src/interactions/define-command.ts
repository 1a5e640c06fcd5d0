/** Command definition with its handlers: maps each route to the function that handles it. */
import { isRecord } from '../foundation/guard-untrusted-values'
import { ConfigurationError } from '../foundation/errors'
import { requireRecord } from '../foundation/require-record'
import type { ApplicationCommandOption as Option, GlobalCommandBody as Definition } from '../wire/command'
import type { Checked, HandlerArguments } from './handler-types'

type Callback = (interaction: unknown) => unknown

/** Parameters and callbacks of one route. */
export interface Route {
  readonly parameters: readonly Parameter[]
  readonly run: Callback
  /** Autocomplete callbacks by option name. */
  readonly autocomplete: ReadonlyMap<string, Callback>
}

export interface Parameter {
  readonly name: string
  readonly type: number
  readonly required: boolean
  /** Allowed values; undefined if any value is allowed. */
  readonly choices: ReadonlySet<unknown> | undefined
}

/** Command definition with handlers: send `definition` to the service and pass the whole object to `createInteractionHandler`. */
export interface DefinedCommand<D extends Definition = Definition> {
  /** Definition, for `commands.global.sync` and the other methods of `Commands`. */
  readonly definition: D
  /** Handlers by path: `''` for the command itself, `add`, `group add`. Empty if the service handles the command alone. */
  readonly routes: ReadonlyMap<string, Route>
}

/**
 * Combines a command definition with its handlers. Handler types are inferred from the definition: option values, choices, required options
 * and subcommands. Handlers are a function; `{ run, autocomplete }` if options have autocomplete; or an object of those by subcommand name.
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
export function defineCommand<const D extends Definition>(definition: Checked<D>, ...handlers: HandlerArguments<D>): DefinedCommand<D>
export function defineCommand(definition: Definition, handlers?: unknown): DefinedCommand {
  requireRecord(definition, 'definition')
  const { type = 1, handler, name, options = [] } = definition
  const routes = new Map<string, Route>()
  if (type === 1) addRoutes({ options, handlers, path: '', owner: name }, routes)
  else if (type !== 4 || handler !== 2) routes.set('', leaf([], handlers, name))
  else if (handlers !== undefined) throw new ConfigurationError('invalid_argument', `${name}: SERVICE_LAUNCH_ACTIVITY has no handler`)
  return { definition, routes }
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
  if (!isListOfRecords(options)) throw new ConfigurationError('invalid_argument', `${owner}: options`)
  if (!options.some(({ type }) => type < 3)) {
    routes.set(path, leaf(options, handlers, owner))
    return
  }
  for (const { name, type, options: inner = [] } of options) {
    const below = { options: inner, handlers: own(handlers, name), path: path ? `${path} ${name}` : name, owner: `${owner} ${name}` }
    if (type === 2 && inner.length === 0) continue
    addRoutes(below, routes)
  }
}

function leaf(options: readonly Option[], handlers: unknown, owner: string): Route {
  const run = isCallback(handlers) ? handlers : own(handlers, 'run')
  if (!isCallback(run)) throw new ConfigurationError('invalid_argument', `${owner}: no handler`)
  const autocomplete = new Map<string, Callback>()
  for (const { name } of options.filter((each) => each.autocomplete)) {
    const suggest = own(own(handlers, 'autocomplete'), name)
    if (!isCallback(suggest)) throw new ConfigurationError('invalid_argument', `${owner}: no autocomplete handler for ${name}`)
    autocomplete.set(name, suggest)
  }
  return { parameters: options.map(toParameter), run, autocomplete }
}

const toParameter = ({ name, type, required = false, choices }: Option): Parameter => ({
  name,
  type,
  required,
  choices: choices?.length ? new Set(choices.map(({ value }) => value)) : undefined,
})

/** Own properties only: an option may be named `constructor`. */
const own = (value: unknown, name: string): unknown => (isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined)

const isListOfRecords = (value: unknown): boolean => Array.isArray(value) && value.every(isRecord)

const isCallback = (value: unknown): value is Callback => typeof value === 'function'
