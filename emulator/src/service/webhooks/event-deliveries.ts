/** Delivers events to the backend's webhook address: signed, repeated with growing delays for ten minutes, and logged. */
import { sentence } from '../../foundation/sentence.js'
import { bindMethods } from '../../foundation/bind-methods.js'
import { EmulatorError } from '../../foundation/emulator-error.js'
import type { ServiceEvent } from '../../model/service-event.js'
import type { EmulatorContext } from '../../state/emulator-context.js'
import {
  forgersKey,
  problemOfAddress,
  problemOfForged,
  readKey,
  sendSignedRequest,
} from '../interactions/send-signed-request.js'
import type { EventControls, EventDelivery } from './event-controls.js'
import { randomUUID, type KeyObject } from 'node:crypto'

const CAPACITY = 200
/** Milliseconds after which a frozen clock is read again. */
const MIN_WAIT = 1000
const MAX_WAIT = 600_000
/** Milliseconds between the first attempt and each further one; assumed, up to ten minutes. */
const RETRY_AT = [1000, 5000, 30_000, 120_000, 300_000, 600_000]

export class EventDeliveries implements EventControls {
  readonly #context: EmulatorContext
  readonly #key: KeyObject
  readonly #undo: () => void
  readonly #timers = new Set<NodeJS.Timeout>()
  /** Attempts that follow, with their time by the emulator's clock. */
  #due: { delivery: EventDelivery; at: number }[] = []
  #log: EventDelivery[] = []
  #url: string | undefined
  #isTrusted = false

  constructor(context: EmulatorContext, url: string | undefined) {
    bindMethods(this)
    this.#context = context
    this.#key = readKey(context.credentials.interactionKey)
    this.#url = url
    this.#undo = context.events.subscribe((event) => {
      const found = toWebhookEvent(event)
      if (found !== undefined && this.#url !== undefined) void this.send(found)
    })
  }

  get url(): string | undefined {
    return this.#url
  }

  async connect(url: string): Promise<void> {
    if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
      throw new EmulatorError(
        'bad_request',
        `The address must begin with http: or https:, unlike ${JSON.stringify(url)}.`,
      )
    const reason = await this.#probe(url)
    if (reason !== undefined)
      throw new EmulatorError('endpoint_refused', sentence(`The address is refused: ${reason}`), {
        rule: reason,
      })
    this.#url = url
    this.#isTrusted = true
  }

  async send({
    type,
    data,
    forged = false,
  }: {
    type: string
    data?: unknown
    forged?: boolean
  }): Promise<EventDelivery> {
    const delivery = this.#add({ type, data, forged })
    await this.#attempt(delivery)
    return structuredClone(delivery)
  }

  async resend(id: string): Promise<EventDelivery> {
    const delivery = this.#log.find((each) => each.id === id)
    if (delivery === undefined)
      throw new EmulatorError('bad_request', `There is no event ${JSON.stringify(id)} in the log.`)
    await this.#attempt(delivery, { repeats: false })
    return structuredClone(delivery)
  }

  list(): EventDelivery[] {
    return structuredClone(this.#log)
  }

  /** Starts the attempts whose time has come; called after the emulator's clock was advanced. */
  look(): void {
    const now = this.#context.clock.now()
    const due = this.#due.filter(({ at }) => at <= now)
    this.#due = this.#due.filter(({ at }) => at > now)
    for (const { delivery } of due) void this.#attempt(delivery)
  }

  clear(): void {
    for (const timer of this.#timers) clearTimeout(timer)
    this.#timers.clear()
    this.#due = []
    this.#log = []
  }

  stop(): void {
    this.#undo()
    this.clear()
  }

  async #attempt(
    delivery: EventDelivery,
    { repeats }: { repeats: boolean } = { repeats: true },
  ): Promise<void> {
    if (this.#url === undefined) {
      delivery.attempts.push({
        at: this.#context.clock.now(),
        refused: 'no address is set: --events-url',
        ms: 0,
      })
      delivery.state = 'refused'
      return
    }
    // The first event probes an address that nobody has probed yet.
    const reason = this.#isTrusted ? undefined : await this.#probe(this.#url)
    this.#isTrusted = reason === undefined
    const status =
      reason === undefined ? await this.#post(this.#url, delivery) : this.#refuse(delivery, reason)
    if (status === (delivery.forged ? 401 : 204)) delivery.state = 'delivered'
    else if (repeats && !delivery.forged) this.#repeat(delivery)
    else delivery.state = 'refused'
  }

  #refuse(delivery: EventDelivery, refused: string): undefined {
    delivery.attempts.push({ at: this.#context.clock.now(), refused, ms: 0 })
  }

  #repeat(delivery: EventDelivery): void {
    const wait = RETRY_AT[delivery.attempts.length - 1]
    delivery.state = wait === undefined ? 'refused' : 'pending'
    if (wait === undefined) return
    const first = delivery.attempts[0]?.at ?? this.#context.clock.now()
    this.#due.push({ delivery, at: first + wait })
    this.#lookIn(wait)
  }

  /** Looks again if the clock was frozen or set back meanwhile. */
  #lookIn(ms: number): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      this.look()
      const next = Math.min(...this.#due.map(({ at }) => at))
      const rest = Math.min(MAX_WAIT, Math.max(MIN_WAIT, next - this.#context.clock.now()))
      if (this.#due.length > 0 && this.#timers.size === 0) this.#lookIn(rest)
    }, ms).unref()
    this.#timers.add(timer)
  }

  async #post(url: string, delivery: EventDelivery): Promise<number | undefined> {
    const { context, key } = { context: this.#context, key: delivery.forged ? forgersKey() : this.#key }
    const { type, data, attempts } = delivery
    const at = context.clock.now()
    // Without a zone, as the service writes it.
    const timestamp = new Date(attempts[0]?.at ?? at).toISOString().replace('Z', '')
    const head = { version: 1, application_id: context.seed.application.id }
    const body =
      type === 'PING' ? { ...head, type: 0 } : { ...head, type: 1, event: { type, timestamp, data } }
    const { answer, failure, ms } = await sendSignedRequest(url, body, key)
    const expected = delivery.forged ? 401 : 204
    const refused =
      failure ??
      (answer === undefined || answer.status === expected ? undefined : refusalOf(answer, delivery))
    attempts.push({
      at,
      ms,
      ...(answer && { status: answer.status }),
      ...(refused === undefined ? {} : { refused }),
    })
    return answer?.status
  }

  /** Returns the reason why the address is refused. A backend that accepts a forged request does not verify, and receives no event. */
  async #probe(url: string): Promise<string | undefined> {
    const problem = problemOfAddress(url)
    if (problem !== undefined) return problem
    for (const forged of [true, false]) {
      const delivery = this.#add({ type: 'PING', data: null, forged })
      await this.#post(url, delivery)
      const refused = delivery.attempts[0]?.refused
      delivery.state = refused === undefined ? 'delivered' : 'refused'
      if (refused !== undefined) return forged ? refused : `PING was ${refused}`
    }
    return undefined
  }

  #add(event: Pick<EventDelivery, 'type' | 'data' | 'forged'>): EventDelivery {
    const delivery: EventDelivery = { id: randomUUID(), ...event, state: 'pending', attempts: [] }
    this.#log.push(delivery)
    if (this.#log.length > CAPACITY) this.#log.shift()
    return delivery
  }
}

function refusalOf(
  answer: { status: number; headers: Record<string, string> },
  { forged }: Pick<EventDelivery, 'forged'>,
): string | undefined {
  return forged ? problemOfForged(answer) : `answered with ${answer.status} instead of 204`
}

/** Name and data of an event, as in the body of a webhook. */
interface WebhookEvent {
  type: string
  data: unknown
}

/** Names of the service's events. */
const TYPES: Readonly<Record<string, string>> = {
  'lobby.message': 'LOBBY_MESSAGE_CREATE',
  'lobby.message_updated': 'LOBBY_MESSAGE_UPDATE',
  ENTITLEMENT_CREATE: 'ENTITLEMENT_CREATE',
  ENTITLEMENT_UPDATE: 'ENTITLEMENT_UPDATE',
  ENTITLEMENT_DELETE: 'ENTITLEMENT_DELETE',
  'application.authorized': 'APPLICATION_AUTHORIZED',
  'application.deauthorized': 'APPLICATION_DEAUTHORIZED',
}

/** Returns undefined for an event that the service does not send. */
function toWebhookEvent({ name, data }: ServiceEvent): WebhookEvent | undefined {
  const type = TYPES[name]
  return type === undefined ? undefined : { type, data }
}
