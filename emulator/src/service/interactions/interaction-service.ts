/** Simulates players: commands, autocomplete, components, modals and messages. */
import { bindMethods } from '../../foundation/bind-methods.js'
import type { ActivityService } from '../activity/activity-service.js'
import type { ChatMessage } from '../activity/rpc-context.js'
import type { Gateway } from '../gateway/gateway.js'
import { findVisibleChannel, maySend, noSuchChannel, visibleChannels } from '../guilds/visible-channels.js'
import { ENTRY_POINT, type Command, type Option } from '../../model/stored-command.js'
import { noOption } from './read-inputs.js'
import { EmulatorError } from '../../foundation/emulator-error.js'
import { findPlayer } from '../../state/find-user.js'
import type { EmulatorContext } from '../../state/emulator-context.js'
import { Snowflakes } from '../../state/snowflakes.js'
import type { InteractionKind } from './backend-response.js'
import { Attachments } from './attachments.js'
import { Backend } from './backend.js'
import { CommandForm, commandFields, findFocused, subjectOf, type Actor } from './command-form.js'
import { findComponent, countWithin, findSelected, usableComponents, wantsOffered } from './find-component.js'
import { fillModal } from './fill-modal.js'
import type {
  ChannelView,
  InteractionControls,
  Outcome,
  PressButtonInput,
  UserContext,
  SubmitModalInput,
  TypeOptionInput,
  UseCommandInput,
} from './interaction-controls.js'
import { SELECT_TYPES } from '../../check/check-components.js'
import { InteractionDelivery } from './interaction-delivery.js'
import { DeliveryLog, type DeliveryLogEntry } from './delivery-log.js'
import { messageEvent } from './message-event.js'
import { Messages, type Message } from './messages.js'
import { interactionPayload, newToken, ownersOf } from './interaction-payload.js'
import { userPayload } from '../guilds/user-payload.js'
import { PendingInteractions, type Pending } from './pending-interactions.js'
import { ResponseApplier, type OpenModal } from './response-applier.js'

const SERVICE_LAUNCH = 2

const NO_MESSAGE =
  'the player sees no such message here; message takes the id of a message, such as outcome.message.id'

function noComponent({ components }: Message): string {
  const ids = usableComponents(components)
  return `the message has no such component; component takes its custom_id, and there ${ids.length === 0 ? 'are none' : `are: ${ids.join(', ')}`}`
}

/** An option is typed if it is focused, and its value is among the options. */
function notTyped(focused: string, { options = [] }: TypeOptionInput, { definition }: Command): string {
  if (!isOptionOf(definition.options ?? [], focused))
    return noOption(
      focused,
      (definition.options ?? []).map(({ name }) => name),
    )
  return options.length === 0
    ? `nothing is typed in ${focused}: options holds its value, such as [{ name: '${focused}', value: 'a' }]`
    : `nothing is typed in ${focused}`
}

const isOptionOf = (options: readonly Option[], wanted: string): boolean =>
  options.some(({ name, options: inner = [] }) => name === wanted || isOptionOf(inner, wanted))

interface Sending extends Actor {
  kind: InteractionKind
  subject: string
  data: Record<string, unknown>
  command?: Pending['command']
  source?: Message | undefined
  /** Type of the option that is being typed. */
  typed?: number
  /** The interaction that opened the form. */
  trigger?: Pending['metadata']
}

interface InteractionParts {
  activity: ActivityService
  gateway: Gateway
  /** The backend's endpoint; without one, bots get interactions by the gateway. */
  url: string | undefined
  changed: () => void
}

export class InteractionService implements InteractionControls {
  readonly pending: PendingInteractions
  readonly messageStore: Messages
  readonly deliveryLog: DeliveryLog
  readonly applier: ResponseApplier
  readonly attachments: Attachments
  readonly #context: EmulatorContext
  readonly #backend: Backend
  readonly #delivery: InteractionDelivery
  readonly #gateway: Gateway
  readonly #purchases: () => ActivityService['host']['stores']['purchases']
  readonly #form: CommandForm
  readonly #snowflakes = new Snowflakes(0n)
  readonly #modals = new Map<string, OpenModal>()

  constructor(context: EmulatorContext, { activity, gateway, url, changed }: InteractionParts) {
    bindMethods(this)
    this.#context = context
    const { clock } = context
    this.#gateway = gateway
    this.#purchases = () => activity.host.stores.purchases
    this.pending = new PendingInteractions(clock)
    this.messageStore = new Messages(clock, this.#snowflakes, (change) => {
      changed()
      const event = change && messageEvent(change, context)
      if (event !== undefined) context.events.emit(event)
    })
    this.deliveryLog = new DeliveryLog(changed)
    this.attachments = new Attachments(context, this.#snowflakes)
    this.#form = new CommandForm({ context, attachments: this.attachments, messages: this.messageStore })
    this.applier = new ResponseApplier({
      context,
      activity,
      messages: this.messageStore,
      attachments: this.attachments,
      modals: this.#modals,
    })
    this.#backend = new Backend({ context, snowflakes: this.#snowflakes, deliveryLog: this.deliveryLog }, url)
    this.#delivery = new InteractionDelivery({
      backend: this.#backend,
      gateway,
      deliveryLog: this.deliveryLog,
      applier: this.applier,
      now: () => clock.now(),
    })
  }

  get url(): string | undefined {
    return this.#backend.url
  }

  /** How many bots get the interactions: none while an endpoint is set. */
  get bots(): number {
    return this.#backend.url === undefined ? this.#gateway.sessions().length : 0
  }

  connect(url: string): Promise<void> {
    return this.#backend.connect(url)
  }

  async use(input: UseCommandInput): Promise<Outcome> {
    const actor = this.#userContext(input)
    const command = this.#form.choose(input, actor)
    if ('because' in command) return this.#refused(input.command, 2, command)
    const { definition } = command
    const subject = subjectOf(command)
    if (definition.type === ENTRY_POINT && definition.handler === SERVICE_LAUNCH)
      return { kind: 'activity', activity: this.applier.launch(actor.player, actor.location) }
    const details = this.#form.details(command, input, actor)
    if (typeof details === 'string') return this.#refused(subject, 2, { because: details })
    const data = { ...commandFields(command), ...details }
    return this.#send({
      ...actor,
      kind: 2,
      subject,
      data,
      command: { id: command.id, type: definition.type },
    })
  }

  async type(input: TypeOptionInput): Promise<Outcome> {
    const actor = this.#userContext(input)
    const { focused, unchecked: isUnchecked } = input
    const command = this.#form.choose(input, actor)
    if ('because' in command) return this.#refused(input.command, 2, command)
    const { entries, problems } = this.#form.fill(command, input, { actor, focused, isUnchecked })
    // The client does not send invalid input: there are no suggestions yet.
    const typed = findFocused(entries)
    if (typed === undefined)
      return { kind: 'refused', because: problems.join('; ') || notTyped(focused, input, command) }
    const data = { ...commandFields(command), version: command.version, options: entries }
    const { id, definition } = command
    return this.#send({
      ...actor,
      kind: 4,
      subject: subjectOf(command),
      data,
      command: { id, type: definition.type },
      typed: typed.type,
    })
  }

  async press(input: PressButtonInput): Promise<Outcome> {
    const actor = this.#userContext(input)
    const seen = this.messageStore
      .list(actor.location.id, actor.player.id)
      .find(({ message }) => message.id === input.message)
    const component = seen === undefined ? undefined : findComponent(seen.message.components, input.component)
    if (seen === undefined || component === undefined)
      return this.#refused(input.component, 3, { because: seen ? noComponent(seen.message) : NO_MESSAGE })
    const isSelect = SELECT_TYPES.includes(Number(component['type']))
    const selected = isSelect
      ? findSelected(component, input.values ?? [], { ...actor, context: this.#context })
      : undefined
    const problem =
      selected &&
      (countWithin(component, selected.values.length, { inMessage: true }) ?? wantsOffered(selected))
    if (problem !== undefined) return this.#refused(input.component, 3, { because: `the select ${problem}` })
    const resolved =
      selected && Object.keys(selected.resolved).length > 0 ? { resolved: selected.resolved } : {}
    const data = {
      ...(component['id'] === undefined ? {} : { id: component['id'] }),
      custom_id: input.component,
      component_type: component['type'],
      ...(selected && { values: selected.values, ...resolved }),
    }
    return this.#send({ ...actor, kind: 3, subject: input.component, data, source: seen.message })
  }

  async submit(input: SubmitModalInput): Promise<Outcome> {
    const actor = this.#userContext(input)
    const modal = this.#modals.get(input.modal)
    if (modal === undefined || modal.player.id !== actor.player.id)
      return this.#refused(input.modal, 5, {
        because:
          'the player has no such form before them: modal takes the modal.id of the outcome that opened it',
      })
    const form = {
      values: { ...input.values },
      view: { ...actor, context: this.#context },
      attachments: this.attachments,
    }
    const { components, resolved, problems } = fillModal(modal.components, form)
    if (problems.length > 0) return this.#refused(modal.customId, 5, { because: problems.join('; ') })
    this.#modals.delete(input.modal)
    const source = modal.source === undefined ? undefined : this.messageStore.find(modal.source)
    const data = { custom_id: modal.customId, components, ...(resolved && { resolved }) }
    const outcome = await this.#send({
      ...actor,
      kind: 5,
      subject: modal.customId,
      data,
      source,
      trigger: modal.trigger,
    })
    // The form stays open until the application has responded.
    if (outcome.kind === 'failed' || outcome.kind === 'refused') this.#modals.set(input.modal, modal)
    return outcome
  }

  say(input: UserContext & { content: string }): Message {
    const { player, location } = this.#userContext(input)
    if (!maySend(player, location))
      throw new EmulatorError('bad_request', `${player.username} may not send messages in this channel.`)
    if (input.content.trim() === '' || input.content.length > 2000)
      throw new EmulatorError('bad_request', 'A message has 1 to 2000 characters.')
    return this.messageStore.add(
      { content: input.content },
      { channelId: location.id, author: userPayload(player), type: 0 },
    )
  }

  /** Posts a message that a game sent in the name of a player. */
  postAs({ channelId, author, content, more = {} }: ChatMessage): void {
    this.messageStore.add({ content }, { channelId, author: userPayload(author), type: 0, more })
  }

  channels(as: string): ChannelView[] {
    const { seed } = this.#context
    return visibleChannels(findPlayer(seed.players, as), this.#context).map((location) =>
      location.kind === 'guild'
        ? {
            id: location.id,
            kind: 'guild',
            name: location.channel.name,
            guild: { id: location.guild.id, name: location.guild.name },
          }
        : {
            id: location.id,
            kind: 'direct',
            name: location.with?.globalName ?? location.with?.username ?? seed.application.name,
            guild: null,
          },
    )
  }

  messages(where: UserContext): Message[] {
    const { player, location } = this.#userContext(where)
    return this.messageStore.list(location.id, player.id).map(({ message }) => structuredClone(message))
  }

  list(): DeliveryLogEntry[] {
    return this.deliveryLog.list()
  }

  clear(): void {
    this.pending.clear()
    this.#modals.clear()
    this.messageStore.clear()
    this.deliveryLog.clear()
    this.attachments.clear()
  }

  /** @throws EmulatorError `unknown_user`, `bad_request`. */
  #userContext({ as, channel }: UserContext): Actor {
    const player = findPlayer(this.#context.seed.players, as)
    const location =
      channel === undefined
        ? visibleChannels(player, this.#context)[0]
        : findVisibleChannel(channel, player, this.#context)
    if (location === undefined) throw noSuchChannel(channel ?? '', player, this.#context)
    return { player, location }
  }

  #send({
    player,
    location,
    kind,
    subject,
    data,
    command,
    source,
    typed,
    trigger,
  }: Sending): Promise<Outcome> {
    const [id, token] = [this.#nextId(), newToken()]
    const owners = ownersOf(location, player, this.#context)
    const byUserOnly = !Object.hasOwn(owners, '0')
    const metadata = {
      id,
      type: kind,
      user: userPayload(player),
      authorizing_integration_owners: owners,
      name: subject,
      ...(kind === 3 && source !== undefined ? { interacted_message_id: source.id } : {}),
      ...(trigger === undefined ? {} : { triggering_interaction_metadata: trigger }),
    }
    const pending = this.pending.open({
      id,
      metadata,
      token,
      kind,
      player,
      location,
      subject,
      command,
      source: source?.id,
      typed,
      byUserOnly,
    })
    const message = source === undefined ? {} : { message: source }
    const guildId = location.kind === 'guild' ? location.guild.id : undefined
    const entitlements = this.#purchases().valid(player.id, guildId)
    const payload = interactionPayload(
      { id, type: kind, data, ...message },
      { player, location, token, entitlements },
      this.#context,
    )
    return this.#delivery.deliver(pending, payload)
  }

  #refused(
    subject: string,
    kind: InteractionKind,
    { because, code }: { because: string; code?: number },
  ): Outcome {
    this.#delivery.refuseUnsent(subject, kind, { id: this.#nextId(), because })
    return { kind: 'refused', because, ...(code === undefined ? {} : { code }) }
  }

  #nextId(): string {
    return this.#snowflakes.next(this.#context.clock.now())
  }
}
