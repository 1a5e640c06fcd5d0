/** A command and its handlers, held together: each route of the definition finds the function that serves it. */
import { isRecord } from '../foundation/encoding'
import { ConfigurationError } from '../foundation/errors'
import { requireRecord } from '../foundation/require'
import type { ApplicationCommandOption as Option, GlobalCommandBody as Definition } from '../wire/command'
import type { Checked, HandlerArguments } from './handler-types'

type Callback = (interaction: unknown) => unknown

/** What one route needs: its parameters, and what serves it. */
export interface Route {
  readonly parameters: readonly Parameter[]
  readonly run: Callback
  /** By the name of the option. */
  readonly autocomplete: ReadonlyMap<string, Callback>
}

export interface Parameter {
  readonly name: string
  readonly type: number
  readonly required: boolean
  /** The only valid values, if there are such. */
  readonly choices: ReadonlySet<unknown> | undefined
}

/** A definition with its handlers. Send `definition` to the service, give the whole to `createInteractionHandler`. */
export interface DefinedCommand<D extends Definition = Definition> {
  readonly definition: D
  /** By path: `''` for the command itself, `add`, `group add`. No route at all: nothing of it reaches the application. */
  readonly routes: ReadonlyMap<string, Route>
}

/**
 * Ties handlers to a definition, from which their types are inferred: option values, choices, what is required, which subcommands there are.
 * A handler is a function; `{ run, autocomplete }` where options suggest values; an object of those by name where there are subcommands.
 * @throws ConfigurationError `invalid_argument` where plain JavaScript leaves a handler out, or gives something else than a definition.
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
  /** Of what holds the options, as a key of the map. */
  readonly path: string
  /** The same for people. */
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

/** A field of its own: an option may be called `constructor`. */
const own = (value: unknown, name: string): unknown => (isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined)

const isListOfRecords = (value: unknown): boolean => Array.isArray(value) && value.every(isRecord)

const isCallback = (value: unknown): value is Callback => typeof value === 'function'
