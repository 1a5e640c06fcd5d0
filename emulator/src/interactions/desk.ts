/** Where players' orders arrive: a command, an option being typed, a button, a form. */
import type { Stage } from '../activity/stage.js'
import { findSpot, spotsOf, type Spot } from '../channels.js'
import { entryPoint, messageCommand, userCommand, type Command } from '../commands/definition.js'
import { actorIn, has, memberOf, sendMessages } from '../commands/members.js'
import { Refusal } from '../commands/refusal.js'
import { EmulatorError } from '../error.js'
import { findPlayer } from '../press/press.js'
import type { Player } from '../seed/seed.js'
import type { Service } from '../service.js'
import { Snowflakes } from '../state/snowflakes.js'
import type { InteractionKind } from './answer.js'
import { Attachments } from './attachments.js'
import { Backend } from './backend.js'
import { findComponent } from './components.js'
import type { ChannelView, InteractionControls, Outcome, PressOrder, Standpoint, SubmitOrder, TypeOrder, UseOrder } from './controls.js'
import { Courier } from './courier.js'
import { Journal, type JournalEntry } from './journal.js'
import { Messages, type Message } from './messages.js'
import { fill, type Attach, type Entry } from './options.js'
import { interactionPayload, newToken, ownersOf } from './payload.js'
import { userPayload } from './people.js'
import { PendingInteractions, type Pending } from './pending.js'
import { invocable, pickable } from './picker.js'
import { finder, lookUp, peopleIn, resolve } from './resolved.js'
import { Responder, type OpenModal } from './responder.js'

const serviceLaunch = 2

interface Actor {
  player: Player
  spot: Spot
}

interface Sending extends Actor {
  kind: InteractionKind
  subject: string
  data: Record<string, unknown>
  command?: Pending['command']
  source?: Message | undefined
}

export class Desk implements InteractionControls {
  readonly pending: PendingInteractions
  readonly messageStore: Messages
  readonly journal: Journal
  readonly responder: Responder
  readonly attachments: Attachments
  readonly #service: Service
  readonly #backend: Backend
  readonly #courier: Courier
  readonly #snowflakes = new Snowflakes(0n)
  readonly #modals = new Map<string, OpenModal>()

  constructor(service: Service, { stage, url, changed }: { stage: Stage; url: string | undefined; changed: () => void }) {
    this.#service = service
    const { clock } = service
    this.pending = new PendingInteractions(clock)
    this.messageStore = new Messages(clock, this.#snowflakes, changed)
    this.journal = new Journal(changed)
    this.attachments = new Attachments(service, this.#snowflakes)
    this.responder = new Responder({ service, stage, messages: this.messageStore, modals: this.#modals })
    this.#backend = new Backend({ service, snowflakes: this.#snowflakes, journal: this.journal }, url)
    this.#courier = new Courier({ backend: this.#backend, journal: this.journal, responder: this.responder, now: () => clock.now() })
  }

  get url(): string | undefined {
    return this.#backend.url
  }

  connect(url: string): Promise<void> {
    return this.#backend.connect(url)
  }

  async use(order: UseOrder): Promise<Outcome> {
    const actor = this.#actor(order)
    const command = this.#choose(order, actor)
    if ('kind' in command) return command
    const { definition } = command
    const subject = subjectOf(command)
    if (definition.type === entryPoint && definition.handler === serviceLaunch)
      return { kind: 'activity', activity: this.responder.launch(actor.player, actor.spot) }
    const details = definition.type === entryPoint ? {} : this.#details(command, order, actor)
    if (typeof details === 'string') return this.#refused(subject, 2, { because: details })
    const data = { id: command.id, name: definition.name, type: definition.type, ...registeredIn(command), ...details }
    return this.#send({ ...actor, kind: 2, subject, data, command: { id: command.id, type: definition.type } })
  }

  async type(order: TypeOrder): Promise<Outcome> {
    const actor = this.#actor(order)
    const command = this.#choose(order, actor)
    if ('kind' in command) return command
    const { definition } = command
    const { entries, problems } = fill(definition.options ?? [], order.options ?? [], this.#rules(actor, order.focused))
    // What the window itself finds wrong is not sent: there is nothing to suggest yet.
    if (!isFocused(entries)) return { kind: 'refused', because: problems.join('; ') || `nothing is typed in ${order.focused}` }
    const data = {
      id: command.id,
      name: definition.name,
      type: definition.type,
      version: command.version,
      ...registeredIn(command),
      options: entries,
    }
    return this.#send({ ...actor, kind: 4, subject: subjectOf(command), data, command: { id: command.id, type: definition.type } })
  }

  async press(order: PressOrder): Promise<Outcome> {
    const actor = this.#actor(order)
    const seen = this.messageStore.list(actor.spot.id, actor.player.id).find(({ message }) => message.id === order.message)
    const component = seen === undefined ? undefined : findComponent(seen.message.components, order.component)
    if (seen === undefined || component === undefined)
      return this.#refused(order.component, 3, { because: 'the player sees no message with this component' })
    const values = order.values === undefined ? {} : { values: order.values }
    const data = { custom_id: order.component, component_type: component, ...values }
    return this.#send({ ...actor, kind: 3, subject: order.component, data, source: seen.message })
  }

  async submit(order: SubmitOrder): Promise<Outcome> {
    const actor = this.#actor(order)
    const modal = this.#modals.get(order.modal)
    if (modal === undefined || modal.player.id !== actor.player.id)
      return this.#refused(order.modal, 5, { because: 'the player has no such form before them' })
    this.#modals.delete(order.modal)
    const rows = Object.entries(order.values).map(([customId, value]) => ({
      type: 1,
      components: [{ type: 4, custom_id: customId, value }],
    }))
    const source = modal.source === undefined ? undefined : this.messageStore.find(modal.source)
    return this.#send({ ...actor, kind: 5, subject: modal.customId, data: { custom_id: modal.customId, components: rows }, source })
  }

  say(order: Standpoint & { content: string }): Message {
    const { player, spot } = this.#actor(order)
    if (!maySend(player, spot)) throw new EmulatorError('bad_request', `${player.username} may not send messages in this channel.`)
    if (order.content.trim() === '' || order.content.length > 2000)
      throw new EmulatorError('bad_request', 'A message has 1 to 2000 characters.')
    return this.messageStore.add({ content: order.content }, { channelId: spot.id, author: userPayload(player), type: 0 })
  }

  channels(as: string): ChannelView[] {
    const { seed } = this.#service
    return spotsOf(findPlayer(seed.players, as), this.#service).map((spot) =>
      spot.kind === 'guild'
        ? { id: spot.id, kind: 'guild', name: spot.channel.name, guild: { id: spot.guild.id, name: spot.guild.name } }
        : { id: spot.id, kind: 'direct', name: spot.with?.globalName ?? spot.with?.username ?? seed.application.name, guild: null },
    )
  }

  messages(where: Standpoint): Message[] {
    const { player, spot } = this.#actor(where)
    return this.messageStore.list(spot.id, player.id).map(({ message }) => structuredClone(message))
  }

  list(): JournalEntry[] {
    return this.journal.list()
  }

  clear(): void {
    this.pending.clear()
    this.#modals.clear()
    this.messageStore.clear()
    this.journal.clear()
    this.attachments.clear()
  }

  /** @throws EmulatorError `unknown_user`, `bad_request`. */
  #actor({ as, channel }: Standpoint): Actor {
    const player = findPlayer(this.#service.seed.players, as)
    const spot = channel === undefined ? spotsOf(player, this.#service)[0] : findSpot(channel, player, this.#service)
    if (spot === undefined) throw new EmulatorError('bad_request', `${player.username} sees no channel ${JSON.stringify(channel)}.`)
    return { player, spot }
  }

  /** The command, or the refusal that the player gets. */
  #choose({ command, version }: UseOrder, actor: Actor): Command | Outcome {
    const known = pickable(actor.player, actor.spot, this.#service)
    const commandId = known.find(({ id, definition }) => id === command || definition.name === command)?.id ?? command
    try {
      return invocable({ commandId, version }, actor, this.#service)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const { message, rule, code } = error.words
      return this.#refused(command, 2, { because: `${message}: ${rule}`, code })
    }
  }

  /** Options, or the target of a menu; text says what is wrong. */
  #details(command: Command, order: UseOrder, actor: Actor): Record<string, unknown> | string {
    const { definition } = command
    if (definition.type === userCommand || definition.type === messageCommand) return this.#target(definition.type, order, actor)
    const scene = { ...actor, service: this.#service }
    const { entries, problems } = fill(definition.options ?? [], order.options ?? [], this.#rules(actor))
    if (problems.length > 0) return problems.join('; ')
    const resolved = resolve(entries, scene, this.attachments)
    return { ...(entries.length === 0 ? {} : { options: entries }), ...(resolved === undefined ? {} : { resolved }) }
  }

  #rules(actor: Actor, focused?: string) {
    const attach: Attach = (value, option) => this.attachments.add(value, { channelId: actor.spot.id, option })
    return { find: finder({ ...actor, service: this.#service }), attach, focused }
  }

  #target(type: number, { target = '' }: UseOrder, actor: Actor): Record<string, unknown> | string {
    const scene = { ...actor, service: this.#service }
    if (type === userCommand) {
      if (!peopleIn(scene).some(({ id }) => id === target)) return 'the target is nobody in this channel'
      const resolved = Object.fromEntries(lookUp(target, scene).map(([kind, payload]) => [kind, { [target]: payload }]))
      return { target_id: target, resolved }
    }
    const seen = this.messageStore.list(actor.spot.id, actor.player.id).find(({ message }) => message.id === target)
    return seen === undefined ? 'the target is no message here' : { target_id: target, resolved: { messages: { [target]: seen.message } } }
  }

  #send({ player, spot, kind, subject, data, command, source }: Sending): Promise<Outcome> {
    const [id, token] = [this.#nextId(), newToken()]
    const owners = ownersOf(spot, player, this.#service)
    const byUserOnly = !Object.hasOwn(owners, '0')
    const pending = this.pending.open({ id, token, kind, player, spot, subject, command, source: source?.id, byUserOnly })
    const message = source === undefined ? {} : { message: source }
    const payload = interactionPayload({ id, type: kind, data, ...message }, { player, spot, token }, this.#service)
    return this.#courier.deliver(pending, payload)
  }

  #refused(subject: string, kind: InteractionKind, { because, code }: { because: string; code?: number }): Outcome {
    this.#courier.refuseUnsent(subject, kind, { id: this.#nextId(), because })
    return { kind: 'refused', because, ...(code === undefined ? {} : { code }) }
  }

  #nextId(): string {
    return this.#snowflakes.next(this.#service.clock.now())
  }
}

export function maySend(player: Player, spot: Spot): boolean {
  if (spot.kind === 'direct') return true
  const member = memberOf(spot.guild, player.id)
  return member !== undefined && has(actorIn(spot.guild, member, spot.channel), sendMessages)
}

function subjectOf({ definition: { type, name } }: Command): string {
  return type === userCommand || type === messageCommand || type === entryPoint ? name : `/${name}`
}

function registeredIn({ place }: Command): Record<string, string> {
  return place.guildId === undefined ? {} : { guild_id: place.guildId }
}

function isFocused(entries: Entry[]): boolean {
  return entries.some(({ focused, options }) => focused === true || (options !== undefined && isFocused(options)))
}
