/** Chooses a command for a player, and fills in its options or its target, as the service's client does. */
import { ApiError } from '../../check/api-error.js'
import { didYouMean } from '../../foundation/closest-name.js'
import type { EmulatorContext } from '../../state/emulator-context.js'
import type { VisibleChannel } from '../guilds/visible-channels.js'
import { ENTRY_POINT, MESSAGE_COMMAND, USER_COMMAND, type Command } from '../../model/stored-command.js'
import type { Player } from '../../state/seed/seed.js'
import type { Attachments } from './attachments.js'
import { timeToArrive } from '../commands/require-current.js'
import { availableCommands, findAvailableCommand } from './available-commands.js'
import type { UseCommandInput } from './interaction-controls.js'
import type { Messages } from './messages.js'
import { finder, lookUp, resolve, usersIn } from './resolve-options.js'
import { fill, type Attach, type Entry, type Filled } from './read-inputs.js'

/** A player, and the channel in which they act. */
export interface Actor {
  player: Player
  location: VisibleChannel
}

/** Reason why the client sends nothing. */
export interface Refusal {
  because: string
  /** Error code of the service, if it refused. */
  code?: number
}

interface Typing {
  actor: Actor
  /** Name of the option that is being typed. */
  focused?: string
  isUnchecked?: boolean | undefined
}

/** Fields of the interaction's `data` beside the command. */
type Details = Record<string, unknown>

export class CommandForm {
  readonly #context: EmulatorContext
  readonly #attachments: Attachments
  readonly #messages: Messages

  constructor({
    context,
    attachments,
    messages,
  }: {
    context: EmulatorContext
    attachments: Attachments
    messages: Messages
  }) {
    this.#context = context
    this.#attachments = attachments
    this.#messages = messages
  }

  /** Returns the command by its id or name, or the reason of a refusal. */
  choose({ command, version }: UseCommandInput, actor: Actor): Command | Refusal {
    const known = availableCommands(actor.player, actor.location, this.#context)
    const commandId =
      known.find(({ id, definition }) => id === command || definition.name === command)?.id ?? command
    try {
      return findAvailableCommand({ commandId, version }, actor, this.#context)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const { message, rule, code } = error.fields
      const names = known.map(({ definition }) => definition.name)
      return { because: `${message}: ${rule}${this.#arrival(command) || noCommand(command, names)}`, code }
    }
  }

  /** Advice about a global command that was registered a moment ago. Empty for any other. */
  #arrival(name: string): string {
    const wait = timeToArrive(name, this.#context)
    if (wait === 0) return ''
    return `. The global command ${name} arrives here in ${wait} ms: call emulator.advance(${wait}), or create the emulator with commands: { globalDelay: 0 }`
  }

  /** Returns the options, or the target of a menu command; a string is an error message. An entry point has neither. */
  details(command: Command, input: UseCommandInput, actor: Actor): Details | string {
    const { definition } = command
    if (definition.type === ENTRY_POINT) return {}
    if (definition.type === USER_COMMAND) return this.#user(input.target ?? '', actor)
    if (definition.type === MESSAGE_COMMAND) return this.#message(input.target ?? '', actor)
    const { entries, problems } = this.fill(command, input, { actor })
    if (problems.length > 0) return problems.join('; ')
    const resolved = resolve(entries, { ...actor, context: this.#context }, this.#attachments)
    return {
      ...(entries.length === 0 ? {} : { options: entries }),
      ...(resolved === undefined ? {} : { resolved }),
    }
  }

  /** Fills in what a player chose and typed. */
  fill({ definition }: Command, input: UseCommandInput, { actor, focused, isUnchecked }: Typing): Filled {
    const attach: Attach = (value, option) =>
      this.#attachments.add(value, { channelId: actor.location.id, fileTypes: option.file_types })
    return fill(definition.options ?? [], input.options ?? [], {
      find: finder({ ...actor, context: this.#context }),
      attach,
      focused,
      isUnchecked,
    })
  }

  #user(target: string, actor: Actor): Details | string {
    const view = { ...actor, context: this.#context }
    if (!usersIn(view).some(({ id }) => id === target)) return 'the target is nobody in this channel'
    const resolved = Object.fromEntries(
      lookUp(target, view).map(([kind, payload]) => [kind, { [target]: payload }]),
    )
    return { target_id: target, resolved }
  }

  #message(target: string, { player, location }: Actor): Details | string {
    const seen = this.#messages.list(location.id, player.id).find(({ message }) => message.id === target)
    return seen === undefined
      ? 'the target is no message here'
      : { target_id: target, resolved: { messages: { [target]: seen.message } } }
  }
}

/** The names of the commands that are there, if none of all is called so. */
function noCommand(name: string, names: readonly string[]): string {
  if (/^\d+$/.test(name) || names.includes(name)) return ''
  return names.length === 0
    ? `. The player sees no command ${JSON.stringify(name)} here, and no other`
    : `. The player sees no command ${JSON.stringify(name)} here${didYouMean(name.replace(/^\//, ''), names)}; there are ${names.join(', ')}`
}

/** Name of a command in the log: with a slash if it is typed. */
export function subjectOf({ definition: { type, name } }: Command): string {
  return type === USER_COMMAND || type === MESSAGE_COMMAND || type === ENTRY_POINT ? name : `/${name}`
}

/** Fields of an interaction's `data` that name the command. */
export function commandFields({ id, place, definition: { name, type } }: Command): Details {
  return { id, name, type, ...(place.guildId !== undefined && { guild_id: place.guildId }) }
}

/** The entry that is focused, among the options or the options in them. */
export function findFocused(entries: Entry[]): Entry | undefined {
  for (const entry of entries) {
    const found = entry.focused === true ? entry : findFocused(entry.options ?? [])
    if (found !== undefined) return found
  }
  return undefined
}
