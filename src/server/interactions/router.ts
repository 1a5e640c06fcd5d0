/** Finds the handler of an interaction and creates its argument. */
import { ConfigurationError } from '../../shared/foundation/errors'
import type {
  ApplicationCommandAutocompleteInteraction,
  ApplicationCommandInteraction,
  CommandData,
  MessageComponentInteraction,
  ModalSubmitInteraction,
  PlayerInteraction,
} from '../../shared/wire/interaction-request'
import type { AutocompleteChoice } from '../../shared/wire/interaction-response'
import { toChoices } from './to-choices'
import type { DefinedCommand, Route } from './define-command'
import { type DefinedModal, fieldsOfModal, findModal, indexModals } from './define-modal'
import type { ComponentInteraction, ModalInteraction } from './interaction-types'
import { InteractionError } from './interaction-error'
import type { Visibility } from './visibility'
import type { Handler } from './handler'
import { type InteractionMethods, commonFields } from './interaction-methods'
import { readModalValues, readSubmittedValues } from './read-modal-values'
import {
  chosenUser,
  findOptionPath,
  lookUp,
  type OptionPath,
  readOptions,
  readPartialOptions,
  typedText,
} from './read-options'
import {
  type ReceivedInteraction,
  type HandlerOutcome,
  runHandler,
  runAutocomplete,
  type RunContext,
  type Work,
} from './run-handler'
import type { InteractionTimes } from './interaction-times'

export interface RouterOptions extends RunContext {
  readonly commands: readonly DefinedCommand[]
  readonly onComponent: Handler<ComponentInteraction> | undefined
  readonly modals?: readonly DefinedModal[] | undefined
  readonly onModal: Handler<ModalInteraction> | undefined
  readonly visibility: Visibility | undefined
}

interface FoundRoute {
  readonly route: Route
  readonly entries: OptionPath['entries']
  readonly visibility: Visibility | undefined
}

interface RunArguments {
  readonly methods: InteractionMethods
  readonly declare: Parameters<Work>[1]
}

export class Router {
  readonly #options: RouterOptions
  readonly #commands: ReadonlyMap<string, DefinedCommand>
  readonly #modals: ReadonlyMap<string, DefinedModal>

  /** @throws ConfigurationError `invalid_argument` for duplicate commands, and for objects not created by `defineCommand` or `defineModal`. */
  constructor(options: RouterOptions) {
    this.#options = options
    this.#commands = indexCommands(options.commands)
    this.#modals = indexModals(options.modals ?? [])
  }

  dispatch(interaction: PlayerInteraction, times: InteractionTimes): HandlerOutcome {
    if (interaction.type === 4)
      return runAutocomplete({ interaction, times }, this.#options, () => this.#suggest(interaction))
    const received: ReceivedInteraction = { interaction, times }
    return runHandler(received, this.#options, (methods, declare) => {
      declare(this.#options.visibility)
      if (interaction.type === 2) return this.#runCommand(interaction, { methods, declare })
      if (interaction.type === 5) return this.#runModal(interaction, { methods, declare })
      return this.#runComponent(interaction, methods)
    })
  }

  #runComponent(interaction: MessageComponentInteraction, methods: InteractionMethods): unknown {
    const { onComponent } = this.#options
    const { custom_id: customId, values = [] } = interaction.data
    if (!onComponent) throw new InteractionError('unknown_route', customId, { remedy: NO_COMPONENTS })
    return onComponent(Object.assign(methods, commonFields(interaction), { customId, values }))
  }

  #runModal(interaction: ModalSubmitInteraction, { methods, declare }: RunArguments): unknown {
    const { data } = interaction
    const customId = data.custom_id
    const modal = findModal(this.#modals, customId)
    const run = modal?.run ?? this.#options.onModal
    if (!run) throw new InteractionError('unknown_route', customId, { remedy: unknownModal(this.#modals) })
    declare(modal?.visibility ?? this.#options.visibility)
    const values = modal ? readModalValues(data, fieldsOfModal(modal.definition)) : readSubmittedValues(data)
    return run(Object.assign(methods, commonFields(interaction), { customId, values }))
  }

  #runCommand(interaction: ApplicationCommandInteraction, { methods, declare }: RunArguments): unknown {
    const { data } = interaction
    const { route, entries, visibility } = this.#find(data)
    declare(visibility)
    const argument = Object.assign(methods, commonFields(interaction), { commandName: data.name })
    if (data.type === 1) {
      const options = readOptions(route.parameters, { entries, resolved: { ...data.resolved } })
      return route.run(Object.assign(argument, { options }))
    }
    return route.run(data.type === 4 ? argument : Object.assign(argument, { target: targetOf(data) }))
  }

  async #suggest(interaction: ApplicationCommandAutocompleteInteraction): Promise<AutocompleteChoice[]> {
    const { data } = interaction
    const { route, entries } = this.#find(data)
    const { options, focused } = readPartialOptions(route.parameters, entries)
    const callback = focused && route.autocomplete.get(focused.name)
    if (!callback) throw new InteractionError('missing_option', 'no option that suggests values is focused')
    const { name, value } = focused
    const text = typedText(entries, name)
    const option = route.parameters.find((parameter) => parameter.name === name)
    const suggestions = await callback({
      ...commonFields(interaction),
      commandName: data.name,
      options,
      text,
      value,
    })
    return toChoices(suggestions, {
      option,
      onDropped: (problem, count) => {
        const subject = `${data.name} ${name}: ${count} left out, the first is ${problem}`
        this.#options.report(new InteractionError('suggestions_dropped', subject), interaction)
      },
    })
  }

  #find(data: CommandData): FoundRoute {
    const command = this.#commands.get(keyOf(data.type, data.name))
    if (!command)
      throw new InteractionError('unknown_command', data.name, { remedy: unknownCommand(this.#commands) })
    const { path, entries } = findOptionPath(data.type === 1 ? data.options : undefined)
    const route = command.routes.get(path)
    if (!route) throw new InteractionError('unknown_route', `${data.name} ${path}`)
    return { route, entries, visibility: route.visibility ?? command.visibility ?? this.#options.visibility }
  }
}

const NO_COMPONENTS = 'Pass onComponent to createInteractionHandler: it receives every button and select menu'

const unknownModal = (modals: ReadonlyMap<string, unknown>): string =>
  `Add its defineModal to \`modals\` of createInteractionHandler, or pass onModal. There ${listOf([...modals.keys()])}`

const unknownCommand = (commands: ReadonlyMap<string, DefinedCommand>): string =>
  `Add its defineCommand to \`commands\` of createInteractionHandler, or remove it from the service with commands.global.sync. There ${listOf(
    [...commands.values()].map(({ definition }) => definition.name),
  )}`

const listOf = (names: readonly string[]): string =>
  names.length === 0
    ? 'are none'
    : `are: ${names.slice(0, SHOWN).join(', ')}${names.length > SHOWN ? ', …' : ''}`

/** Names that a message lists. */
const SHOWN = 12

/** Commands of different types may share a name (docs/interface/commands.md#unique-names). */
const keyOf = (type: number, name: string): string => `${type} ${name}`

function indexCommands(list: readonly DefinedCommand[]): ReadonlyMap<string, DefinedCommand> {
  const commands = new Map<string, DefinedCommand>()
  for (const [index, command] of list.entries()) {
    if (!(command?.routes instanceof Map))
      throw new ConfigurationError('invalid_argument', `commands[${index}]: made by defineCommand`)
    const { type = 1, name } = command.definition
    if (commands.has(keyOf(type, name)))
      throw new ConfigurationError('invalid_argument', `commands: ${name} is defined twice`)
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
