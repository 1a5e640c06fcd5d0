/** Registry of commands: creates, edits, overwrites and deletes them, within the limits of each place. */
import { ApiError, unknownCommand } from '../../check/api-error.js'
import { commandBody, commandList, crowdedTypes, tooManyOf, type Rules } from '../../check/check-command.js'
import { LIMITS } from '../../check/check-names.js'
import type { Fields, Schema } from '../../check/schema.js'
import { fieldsOf, isObject, textOf } from '../../foundation/values.js'
import {
  ENTRY_POINT,
  type Command,
  type CommandType,
  type Definition,
  type Place,
} from '../../model/stored-command.js'
import { HOUR } from '../../state/command-behavior.js'
import type { EmulatorContext } from '../../state/emulator-context.js'
import { bodyOf, define } from './define.js'

const DAY = 24 * HOUR
const SERVICE_LAUNCH = 2

export class Registry {
  readonly #context: EmulatorContext

  constructor(context: EmulatorContext) {
    this.#context = context
  }

  list(place: Place): Command[] {
    return this.#context.state.commands.list(place)
  }

  /** @throws ApiError 404, code 10063 */
  get(place: Place, id: string): Command {
    const command = this.list(place).find((candidate) => candidate.id === id)
    if (command === undefined) throw unknownCommand()
    return command
  }

  /** Creates a command, or overwrites the one with the same name and type in this place. */
  create(place: Place, body: unknown): { command: Command; isNew: boolean } {
    const definition = this.#define(body, place)
    return this.#context.state.commands.transaction(() => {
      const existing = this.list(place)
      const same = existing.find(
        (one) => one.definition.type === definition.type && one.definition.name === definition.name,
      )
      if (same !== undefined) return { command: this.#change(same, definition), isNew: false }
      const { length } = existing.filter((one) => one.definition.type === definition.type)
      if (length >= LIMITS.perType[definition.type]) throw tooManyCommands([definition.type])
      this.#spendCreates(place, 1)
      return { command: this.#add(place, definition), isNew: true }
    })
  }

  /** Replaces the fields in the body. The type stays, except that a global command can become the entry point. */
  edit(place: Place, id: string, body: unknown): Command {
    const command = this.get(place, id)
    const definition = this.#define(laidOver(body, command), place)
    const becomesEntryPoint = definition.type === ENTRY_POINT && command.definition.type !== ENTRY_POINT
    return this.#context.state.commands.transaction(() => {
      const { type, name } = definition
      const isSecond = this.list(place).some((one) => one.id !== id && one.definition.type === ENTRY_POINT)
      if (becomesEntryPoint && isSecond) throw tooManyCommands([ENTRY_POINT])
      if (
        this.list(place).some(
          (one) => one.id !== id && one.definition.type === type && one.definition.name === name,
        )
      )
        throw new ApiError({
          status: 400,
          code: 40041,
          message: 'An application command with that name already exists',
          rule: 'name must differ from the names of the other commands of its type in this place',
        })
      return this.#change(command, definition)
    })
  }

  delete(place: Place, id: string): void {
    const command = this.get(place, id)
    this.#context.state.commands.transaction(() => this.#remove(command))
  }

  /** Replaces all commands of the place; matches existing ones by id first, then by type and name. */
  overwrite(place: Place, body: unknown[]): Command[] {
    const over = crowdedTypes(body, place.guildId === undefined ? 'global' : 'guild')
    if (over.length > 0) throw tooManyCommands(over)
    const wanted = body.map((item) => ({
      id: textOf(fieldsOf(item)['id']),
      definition: this.#define(item, place),
    }))
    return this.#context.state.commands.transaction(() => {
      const existing = this.list(place)
      const matches = matchUp(wanted, existing)
      const kept = new Set([...matches.values()].map(({ id }) => id))
      const dropped = existing.filter(({ id }) => !kept.has(id))
      const spared = this.#spare(dropped, wanted)
      this.#spendCreates(place, wanted.length - matches.size)
      for (const command of dropped) if (!spared.includes(command)) this.#remove(command)
      // Commands may swap names within the list: rename the rows to free names first.
      for (const { id } of matches.values()) this.#context.state.commands.delete(id)
      const made = wanted.map((item) => {
        const match = matches.get(item)
        return match === undefined ? this.#add(place, item.definition) : this.#change(match, item.definition)
      })
      return [...made, ...spared]
    })
  }

  /** Creates the entry point once, when the application gets its Activity. */
  enableActivities(): void {
    const { seed, state } = this.#context
    const { id: applicationId, activities } = seed.application
    if (!activities || state.settings.hasLaunched(applicationId)) return
    state.settings.keepLaunched(applicationId)
    const place = { applicationId, guildId: undefined }
    if (this.list(place).some(({ definition }) => definition.type === ENTRY_POINT)) return
    const { id, version, definition } = this.#add(
      place,
      this.#define({ type: ENTRY_POINT, name: 'Launch', handler: SERVICE_LAUNCH }, place),
    )
    // It needs no propagation: the emulator has just started.
    state.commands.remember({ commandId: id, version, changed: 0, definition })
  }

  /** What the body of a new command must be. */
  created(place: Place): Schema<unknown> {
    return commandBody(this.#rules(place, 'create'))
  }

  /** What the body of an edit must be: together with the fields that it leaves out, a command. */
  edited(place: Place, id: string): Schema<unknown> {
    const { check } = commandBody(this.#rules(place, 'edit'))
    const command = this.get(place, id)
    return { check: (body, at) => check(isObject(body) ? laidOver(body, command) : body, at) }
  }

  /** What the body of a bulk overwrite must be. */
  overwritten(place: Place): Schema<unknown[]> {
    return commandList(this.#rules(place, 'overwrite'))
  }

  #rules(place: Place, operation: Rules['operation']): Rules {
    return {
      scope: place.guildId === undefined ? 'global' : 'guild',
      operation,
      application: this.#context.seed.application,
      otherLocales: this.#context.commandBehavior.otherLocales,
    }
  }

  #define(body: unknown, place: Place): Definition {
    return define(body, this.#rules(place, 'create'))
  }

  /** A bulk overwrite may not remove the entry point, which has to be deleted individually. */
  #spare(dropped: Command[], wanted: Wanted[]): Command[] {
    const launch = dropped.filter(({ definition }) => definition.type === ENTRY_POINT)
    if (launch.length === 0 || wanted.some(({ definition }) => definition.type === ENTRY_POINT)) return []
    if (this.#context.commandBehavior.missingEntryPoint === 'keep') return launch
    throw new ApiError({
      status: 400,
      code: 50240,
      message: "You cannot remove this app's Entry Point command in a bulk update operation.",
      rule: 'the list must name the entry point, which is deleted on its own only',
    })
  }

  #add(place: Place, definition: Definition): Command {
    const id = this.#nextId()
    const command = { id, place, version: id, definition }
    this.#put(command)
    return command
  }

  /** Creates a new version if anything changed; a new name deletes the permissions. */
  #change(command: Command, definition: Definition): Command {
    const { commands } = this.#context.state
    if (definition.name !== command.definition.name) commands.deleteOverwrites(command.id)
    const same = JSON.stringify(definition) === JSON.stringify(command.definition)
    const changed = same ? command : { ...command, definition, version: this.#nextId() }
    if (same) commands.put(changed)
    else this.#put(changed)
    return changed
  }

  #put(command: Command): void {
    this.#context.state.commands.put(command)
    this.#remember(command, command.definition)
  }

  #remove(command: Command): void {
    this.#context.state.commands.delete(command.id)
    this.#context.state.commands.deleteOverwrites(command.id)
    this.#remember({ ...command, version: this.#nextId() }, undefined)
  }

  #remember({ id, version, place }: Command, definition: Definition | undefined): void {
    if (place.guildId !== undefined) return
    const changed = this.#context.clock.now()
    this.#context.state.commands.remember({ commandId: id, version, changed, definition })
    this.#context.state.commands.forgetBefore(changed - HOUR)
  }

  #spendCreates(place: Place, count: number): void {
    if (count === 0) return
    const { state, clock, commandBehavior } = this.#context
    const now = clock.now()
    const made = state.commands.createsSince(place, now - DAY)
    if (commandBehavior.dailyCreates !== null && made.length + count > commandBehavior.dailyCreates) {
      const over = made.length + count - commandBehavior.dailyCreates
      const free = (made[Math.min(over, made.length) - 1] ?? now) + DAY
      throw dailyCreatesSpent(commandBehavior.dailyCreates, (free - now) / 1000)
    }
    state.commands.countCreates(place, { now, count })
  }

  #nextId(): string {
    return this.#context.state.commands.nextId(this.#context.clock.now())
  }
}

interface Wanted {
  id: string | undefined
  definition: Definition
}

/** The command with the fields of an edit. Its type stays, except that a global command can become the entry point. */
function laidOver(body: unknown, command: Command): Fields {
  const given = fieldsOf(body)
  const becomesEntryPoint = given['type'] === ENTRY_POINT && command.place.guildId === undefined
  const type = becomesEntryPoint ? ENTRY_POINT : command.definition.type
  return { ...bodyOf(command), ...given, type }
}

function matchUp(wanted: Wanted[], existing: Command[]): Map<Wanted, Command> {
  const free = new Set(existing)
  const matches = new Map<Wanted, Command>()
  const match = (item: Wanted, fits: (command: Command) => boolean) => {
    const found = [...free].find(
      (command) => command.definition.type === item.definition.type && fits(command),
    )
    if (found === undefined || matches.has(item)) return
    matches.set(item, found)
    free.delete(found)
  }
  for (const item of wanted) match(item, ({ id }) => id === item.id)
  for (const item of wanted) match(item, ({ definition }) => definition.name === item.definition.name)
  return matches
}

function dailyCreatesSpent(limit: number, retryAfter: number): ApiError {
  return new ApiError({
    status: 429,
    code: 30034,
    message: `Max number of daily application command creates has been reached (${limit})`,
    rule: `${limit} commands may be created in 24 hours, for each guild and for global ones`,
    retryAfter,
  })
}

function tooManyCommands(types: CommandType[]): ApiError {
  const { code, message, rule } = tooManyOf(types)
  return new ApiError({ status: 400, code: 30032, message, rule, errors: { _errors: [{ code, message }] } })
}
