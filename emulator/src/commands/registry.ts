/** Creates, changes, replaces and deletes commands, and keeps the limits of each place. */
import { fieldsOf, textOf } from '../decode.js'
import type { Service } from '../service.js'
import { checkApart, checkCommand, type Rules } from './check-command.js'
import { bodyOf, define } from './define.js'
import { entryPoint, type Command, type CommandType, type Definition, type Place } from './definition.js'
import { hour } from './knobs.js'
import { limits } from './limits.js'
import { overfull, tooManyCommands, tooManyOf } from './overfull.js'
import { notList, Spot } from './problems.js'
import { refuseFaults, Refusal, unknownCommand } from './refusal.js'

const day = 24 * hour
const serviceLaunch = 2

export class Registry {
  readonly #service: Service

  constructor(service: Service) {
    this.#service = service
  }

  list(place: Place): Command[] {
    return this.#service.state.commands.list(place)
  }

  /** @throws Refusal 404, code 10063 */
  get(place: Place, id: string): Command {
    const command = this.list(place).find((candidate) => candidate.id === id)
    if (command === undefined) throw unknownCommand()
    return command
  }

  /** A used name and type in the same place changes that command, as a whole. */
  create(place: Place, body: unknown): { command: Command; isNew: boolean } {
    const definition = this.#read(body, place, 'create')
    return this.#service.state.commands.transaction(() => {
      const existing = this.list(place)
      const same = existing.find((one) => one.definition.type === definition.type && one.definition.name === definition.name)
      if (same !== undefined) return { command: this.#change(same, definition), isNew: false }
      const { length } = existing.filter((one) => one.definition.type === definition.type)
      if (length >= limits.perType[definition.type]) throw tooManyCommands([definition.type])
      this.#spendCreates(place, 1)
      return { command: this.#add(place, definition), isNew: true }
    })
  }

  /** Fields that the body names replace those of the command; a type among them is no such field. */
  edit(place: Place, id: string, body: unknown): Command {
    const command = this.get(place, id)
    const given = fieldsOf(body)
    const laidOver = Array.isArray(body) || body === null || typeof body !== 'object' ? body : { ...bodyOf(command), ...given }
    const definition = this.#read(withType(laidOver, command.definition.type), place, 'edit')
    return this.#service.state.commands.transaction(() => {
      const { type, name } = definition
      if (this.list(place).some((one) => one.id !== id && one.definition.type === type && one.definition.name === name))
        throw new Refusal({
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
    this.#service.state.commands.transaction(() => this.#remove(command))
  }

  /** The list takes the place of all that is there: matched by id first, then by type and name. */
  overwrite(place: Place, body: unknown): Command[] {
    const wanted = this.#readList(body, place)
    return this.#service.state.commands.transaction(() => {
      const existing = this.list(place)
      const matches = matchUp(wanted, existing)
      const kept = new Set([...matches.values()].map(({ id }) => id))
      const dropped = existing.filter(({ id }) => !kept.has(id))
      const spared = this.#spare(dropped, wanted)
      this.#spendCreates(place, wanted.length - matches.size)
      for (const command of dropped) if (!spared.includes(command)) this.#remove(command)
      // Names may change hands within the list: the rows make room for each other first.
      for (const { id } of matches.values()) this.#service.state.commands.delete(id)
      const made = wanted.map((item) => {
        const match = matches.get(item)
        return match === undefined ? this.#add(place, item.definition) : this.#change(match, item.definition)
      })
      return [...made, ...spared]
    })
  }

  /** An application gets its entry point with its Activity, once. */
  enableActivities(): void {
    const { seed, state } = this.#service
    const { id: applicationId, activities } = seed.application
    if (!activities || state.settings.hasLaunched(applicationId)) return
    state.settings.keepLaunched(applicationId)
    const place = { applicationId, guildId: undefined }
    if (this.list(place).some(({ definition }) => definition.type === entryPoint)) return
    const { id, version, definition } = this.#add(place, this.#define({ type: entryPoint, name: 'Launch', handler: serviceLaunch }, place))
    // It is everywhere already when the emulator starts.
    state.commands.remember({ commandId: id, version, changed: 0, definition })
  }

  #read(body: unknown, place: Place, operation: Rules['operation']): Definition {
    const spot = new Spot([])
    checkCommand(body, spot, this.#rules(place, operation))
    refuseFaults(spot.faults)
    return this.#define(body, place)
  }

  #readList(body: unknown, place: Place): Wanted[] {
    const spot = new Spot([])
    const list: unknown[] = Array.isArray(body) ? body : []
    if (!Array.isArray(body)) spot.refuse(notList)
    for (const [index, item] of list.entries()) checkCommand(item, spot.at(index), this.#rules(place, 'overwrite'))
    checkApart(list, spot)
    const over = overfull(list, place)
    // A list may also break other rules: then it is refused for all of them at once.
    if (over.length > 0 && spot.faults.length > 0) spot.refuse(tooManyOf(over))
    refuseFaults(spot.faults)
    if (over.length > 0) throw tooManyCommands(over)
    return list.map((item) => ({ id: textOf(fieldsOf(item)['id']), definition: this.#define(item, place) }))
  }

  #rules(place: Place, operation: Rules['operation']): Rules {
    return { scope: place.guildId === undefined ? 'global' : 'guild', operation, application: this.#service.seed.application }
  }

  #define(body: unknown, place: Place): Definition {
    return define(body, this.#rules(place, 'create'))
  }

  /** A list may not drop the entry point: it is deleted on its own. */
  #spare(dropped: Command[], wanted: Wanted[]): Command[] {
    const launch = dropped.filter(({ definition }) => definition.type === entryPoint)
    if (launch.length === 0 || wanted.some(({ definition }) => definition.type === entryPoint)) return []
    if (this.#service.knobs.missingEntryPoint === 'keep') return launch
    throw new Refusal({
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

  /** Anything else than what is there makes a new version; another name ends the permissions. */
  #change(command: Command, definition: Definition): Command {
    const { commands } = this.#service.state
    if (definition.name !== command.definition.name) commands.deleteOverwrites(command.id)
    const same = JSON.stringify(definition) === JSON.stringify(command.definition)
    const changed = same ? command : { ...command, definition, version: this.#nextId() }
    if (same) commands.put(changed)
    else this.#put(changed)
    return changed
  }

  #put(command: Command): void {
    this.#service.state.commands.put(command)
    this.#remember(command, command.definition)
  }

  #remove(command: Command): void {
    this.#service.state.commands.delete(command.id)
    this.#service.state.commands.deleteOverwrites(command.id)
    this.#remember({ ...command, version: this.#nextId() }, undefined)
  }

  #remember({ id, version, place }: Command, definition: Definition | undefined): void {
    if (place.guildId !== undefined) return
    const changed = this.#service.clock.now()
    this.#service.state.commands.remember({ commandId: id, version, changed, definition })
    this.#service.state.commands.forgetBefore(changed - hour)
  }

  #spendCreates(place: Place, count: number): void {
    if (count === 0) return
    const { state, clock, knobs } = this.#service
    const now = clock.now()
    const made = state.commands.createsSince(place, now - day)
    if (knobs.dailyCreates !== null && made.length + count > knobs.dailyCreates) {
      const over = made.length + count - knobs.dailyCreates
      const free = (made[Math.min(over, made.length) - 1] ?? now) + day
      throw dailyCreatesSpent(knobs.dailyCreates, (free - now) / 1000)
    }
    state.commands.countCreates(place, { now, count })
  }

  #nextId(): string {
    return this.#service.state.commands.nextId(this.#service.clock.now())
  }
}

interface Wanted {
  id: string | undefined
  definition: Definition
}

function withType(body: unknown, type: CommandType): unknown {
  return typeof body === 'object' && body !== null && !Array.isArray(body) ? { ...body, type } : body
}

function matchUp(wanted: Wanted[], existing: Command[]): Map<Wanted, Command> {
  const free = new Set(existing)
  const matches = new Map<Wanted, Command>()
  const match = (item: Wanted, fits: (command: Command) => boolean) => {
    const found = [...free].find((command) => command.definition.type === item.definition.type && fits(command))
    if (found === undefined || matches.has(item)) return
    matches.set(item, found)
    free.delete(found)
  }
  for (const item of wanted) match(item, ({ id }) => id === item.id)
  for (const item of wanted) match(item, ({ definition }) => definition.name === item.definition.name)
  return matches
}

function dailyCreatesSpent(limit: number, retryAfter: number): Refusal {
  return new Refusal({
    status: 429,
    code: 30034,
    message: `Max number of daily application command creates has been reached (${limit})`,
    rule: `${limit} commands may be created in 24 hours, for each guild and for global ones`,
    retryAfter,
  })
}
