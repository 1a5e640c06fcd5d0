/** Finds the handler of an interaction and creates its argument. */
import { ConfigurationError } from '../foundation/errors'
import type {
  ApplicationCommandAutocompleteInteraction,
  ApplicationCommandInteraction,
  CommandData,
  PlayerInteraction,
} from '../wire/interaction-request'
import type { DefinedCommand, Route } from './define-command'
import type { ComponentInteraction, ModalInteraction } from './interaction-types'
import { InteractionError } from './interaction-error'
import type { Handler } from './handler-types'
import { type InteractionMethods, commonFields } from './interaction-methods'
import { chosenUser, findOptionPath, lookUp, type OptionPath, readOptions, readPartialOptions } from './read-option-values'
import { type ReceivedInteraction, type HandlerOutcome, runHandler, runAutocomplete, type RunContext } from './run-handler'

export interface RouterOptions extends RunContext {
  readonly commands: readonly DefinedCommand[]
  readonly onComponent: Handler<ComponentInteraction> | undefined
  readonly onModal: Handler<ModalInteraction> | undefined
}

export class Router {
  readonly #options: RouterOptions
  readonly #commands: ReadonlyMap<string, DefinedCommand>

  /** @throws ConfigurationError `invalid_argument` for duplicate commands, and for objects not created by `defineCommand`. */
  constructor(options: RouterOptions) {
    this.#options = options
    this.#commands = indexCommands(options.commands)
  }

  dispatch(interaction: PlayerInteraction, since: number): HandlerOutcome {
    if (interaction.type === 4) return runAutocomplete({ interaction, since }, this.#options, () => this.#suggest(interaction))
    const received: ReceivedInteraction = { interaction, since }
    return runHandler(received, this.#options, (methods) => this.#run(interaction, methods))
  }

  #run(interaction: Exclude<PlayerInteraction, ApplicationCommandAutocompleteInteraction>, methods: InteractionMethods): unknown {
    if (interaction.type === 2) return this.#runCommand(interaction, methods)
    const { onComponent, onModal } = this.#options
    const customId = interaction.data.custom_id
    if (interaction.type === 3 && onComponent) return onComponent(Object.assign(methods, commonFields(interaction), { customId }))
    if (interaction.type === 5 && onModal) return onModal(Object.assign(methods, commonFields(interaction), { customId }))
    throw new InteractionError('unknown_route', customId)
  }

  #runCommand(interaction: ApplicationCommandInteraction, methods: InteractionMethods): unknown {
    const { data } = interaction
    const { route, entries } = this.#find(data)
    const argument = Object.assign(methods, commonFields(interaction), { commandName: data.name })
    if (data.type === 1) {
      const options = readOptions(route.parameters, { entries, resolved: { ...data.resolved } })
      return route.run(Object.assign(argument, { options }))
    }
    return route.run(data.type === 4 ? argument : Object.assign(argument, { target: targetOf(data) }))
  }

  #suggest(interaction: ApplicationCommandAutocompleteInteraction): unknown {
    const { data } = interaction
    const { route, entries } = this.#find(data)
    const { options, focused } = readPartialOptions(route.parameters, entries)
    const callback = focused && route.autocomplete.get(focused.name)
    if (!callback) throw new InteractionError('missing_option', 'no option that suggests values is focused')
    return callback({ ...commonFields(interaction), commandName: data.name, options, value: focused.value })
  }

  #find(data: CommandData): { route: Route; entries: OptionPath['entries'] } {
    const command = this.#commands.get(keyOf(data.type, data.name))
    if (!command) throw new InteractionError('unknown_command', data.name)
    const { path, entries } = findOptionPath(data.type === 1 ? data.options : undefined)
    const route = command.routes.get(path)
    if (!route) throw new InteractionError('unknown_route', `${data.name} ${path}`)
    return { route, entries }
  }
}

/** Commands of different types may share a name (docs/interface/commands.md#unique-names). */
const keyOf = (type: number, name: string): string => `${type} ${name}`

function indexCommands(list: readonly DefinedCommand[]): ReadonlyMap<string, DefinedCommand> {
  const commands = new Map<string, DefinedCommand>()
  for (const [index, command] of list.entries()) {
    if (!(command?.routes instanceof Map)) throw new ConfigurationError('invalid_argument', `commands[${index}]: made by defineCommand`)
    const { type = 1, name } = command.definition
    if (commands.has(keyOf(type, name))) throw new ConfigurationError('invalid_argument', `commands: ${name} is defined twice`)
    commands.set(keyOf(type, name), command)
  }
  return commands
}

/** Returns the selected user or message. */
function targetOf({ type, target_id: id, resolved }: Extract<CommandData, { target_id: unknown }>): unknown {
  const target = type === 2 ? chosenUser(id, { ...resolved }) : lookUp({ ...resolved }, 'messages', id)
  if (!target) throw new InteractionError('malformed_interaction', 'target_id')
  return target
}
