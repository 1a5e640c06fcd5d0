/** The gateway: accepts connections of bots, keeps their sessions, and sends each what happens. */
import { bindMethods } from '../../foundation/bind-methods.js'
import { sameSecret } from '../../foundation/credentials.js'
import { EmulatorError } from '../../foundation/emulator-error.js'
import { fieldsOf } from '../../foundation/values.js'
import { intentNames, INTENT } from '../../model/intent.js'
import type { ServiceEvent } from '../../model/service-event.js'
import type { EmulatorContext } from '../../state/emulator-context.js'
import type { Guild } from '../../state/seed/seed.js'
import { isBotIn } from '../guilds/guild-with-application.js'
import { decideAnswer, type GatewayAnswer, type MemberRequest } from './decide-answer.js'
import { GatewayConnection, type GatewayLink } from './gateway-connection.js'
import type {
  GatewayControls,
  GatewayDisturbance,
  GatewayEventView,
  GatewaySessionView,
} from './gateway-controls.js'
import { toGatewayEvent } from './gateway-events.js'
import { CLOSE, OPCODE } from './gateway-protocol.js'
import { GatewaySession } from './gateway-session.js'
import { guildPayload, membersPayload, readyPayload } from './ready-payload.js'
import { randomBytes } from 'node:crypto'

export const GATEWAY_PATH = '/gateway'

/** Milliseconds between two looks at the deadlines. */
const LOOK_INTERVAL = 5000
/** Sessions that an application may begin in a day. */
const STARTS_PER_DAY = 1000
const DAY = 86_400_000
/** Connections without IDENTIFY that may wait at once: one more ends the oldest. */
const MOST_WAITING = 100

export class Gateway implements GatewayControls {
  readonly #context: EmulatorContext
  readonly #connections = new Set<GatewayConnection>()
  readonly #sessions = new Map<string, GatewaySession>()
  readonly #undo: () => void
  /** Times of IDENTIFY within the last day. */
  #starts: number[] = []
  #timer: NodeJS.Timeout | undefined

  constructor(context: EmulatorContext) {
    bindMethods(this)
    this.#context = context
    this.#undo = context.events.subscribe((event) => {
      if (event.name === 'application.authorized') this.#showGuilds()
      this.#publish(event)
    })
  }

  get url(): string {
    return gatewayAddress(new URL(this.#context.url).host)
  }

  /** True if a bot has a session, even if its connection is broken at the moment. */
  get hasSessions(): boolean {
    return this.#sessions.size > 0
  }

  /** Begins with a connection; returns what its socket reports to. */
  accept(
    link: GatewayLink,
    { url }: { url: string },
  ): { received: (data: Buffer | undefined) => void; ended: () => void } {
    const connection = new GatewayConnection(link, { url, clock: this.#context.clock })
    const waiting = [...this.#connections].filter(({ session }) => session === undefined)
    if (waiting.length >= MOST_WAITING)
      waiting[0]?.close({ code: CLOSE.notAuthenticated, reason: 'too many connections without IDENTIFY' })
    this.#connections.add(connection)
    this.#watch()
    connection.hello()
    return {
      received: (data) => this.#receive(connection, data),
      ended: () => {
        connection.leave()
        this.#connections.delete(connection)
      },
    }
  }

  /** Sends an interaction to every session. Returns false if there is none. */
  deliver(payload: unknown): boolean {
    this.#publish({ name: 'INTERACTION_CREATE', data: payload })
    return this.hasSessions
  }

  /** How many sessions can still begin, as `GET /gateway/bot` says it. Times are in milliseconds. */
  startLimit(): { total: number; remaining: number; reset_after: number; max_concurrency: number } {
    const now = this.#context.clock.now()
    this.#starts = this.#starts.filter((at) => at > now - DAY && at <= now)
    return {
      total: STARTS_PER_DAY,
      remaining: Math.max(0, STARTS_PER_DAY - this.#starts.length),
      reset_after: (this.#starts[0] ?? now - DAY) + DAY - now,
      max_concurrency: 1,
    }
  }

  sessions(): GatewaySessionView[] {
    return [...this.#sessions.values()].map(({ id, intents, sequence, connection }) => ({
      id,
      intents: intentNames(intents),
      connected: connection !== undefined,
      sequence,
      heartbeats: connection?.heartbeats ?? 0,
      lastHeartbeat: connection?.heardAt ?? null,
    }))
  }

  events(id: string): GatewayEventView[] {
    const session = this.#sessions.get(id)
    if (session === undefined)
      throw new EmulatorError('bad_request', `The gateway has no session ${JSON.stringify(id)}.`)
    return session.events.map(({ sequence, at, type, text }) => ({
      sequence,
      at,
      type,
      data: withoutToken(fieldsOf(JSON.parse(text))['d']),
    }))
  }

  disturb(how: GatewayDisturbance): void {
    if (how === 'invalidate') this.#sessions.clear()
    for (const connection of this.#connections) {
      if (how === 'drop') connection.destroy()
      else if (how === 'invalidate') connection.invalidate()
      else connection.sendFrame(OPCODE.reconnect, null)
    }
  }

  /** Ends what has missed its deadline, and shows changes of installations; called after the clock or the state changed. */
  look(): void {
    for (const connection of this.#connections) {
      const closing = connection.look()
      if (closing === undefined) continue
      // A session that has timed out cannot be resumed.
      if (connection.session !== undefined) this.#sessions.delete(connection.session.id)
      connection.close(closing)
    }
    for (const session of this.#sessions.values())
      if (session.isAbandoned()) this.#sessions.delete(session.id)
    this.#showGuilds()
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#undo()
    this.#sessions.clear()
    for (const connection of this.#connections)
      connection.close({ code: CLOSE.goingAway, reason: 'the emulator stops' })
  }

  #receive(connection: GatewayConnection, data: Buffer | undefined): void {
    if (connection.countFrame())
      return connection.close({ code: CLOSE.rateLimited, reason: 'over 120 frames in a minute' })
    const { credentials, seed } = this.#context
    const answer = decideAnswer(data, {
      identified: connection.session !== undefined,
      isBotToken: (token) => sameSecret(token, credentials.botToken),
      granted: seed.application.privilegedIntents,
    })
    this.#answer(connection, answer)
  }

  #answer(connection: GatewayConnection, answer: GatewayAnswer): void {
    switch (answer.kind) {
      case 'close':
        return connection.close(answer.closing)
      case 'acknowledge':
        return connection.beat()
      case 'identify':
        return this.#begin(connection, answer.intents)
      case 'resume':
        return this.#resume(connection, answer)
      case 'members':
        return this.#listMembers(connection, answer.request)
      case 'ignore':
        return undefined
    }
  }

  #begin(connection: GatewayConnection, intents: number): void {
    const { clock } = this.#context
    this.#starts.push(clock.now())
    const session = new GatewaySession({ id: randomBytes(16).toString('hex'), intents, clock })
    this.#sessions.set(session.id, session)
    connection.join(session)
    const place = { url: connection.url, guilds: this.#guilds() }
    session.dispatch('READY', readyPayload(session, place, this.#context))
    this.#showGuildsTo(session)
  }

  #resume(
    connection: GatewayConnection,
    { sessionId, sequence }: { sessionId: string; sequence: number },
  ): void {
    const session = this.#sessions.get(sessionId)
    const missed = session?.since(sequence)
    if (missed === 'unknown')
      return connection.close({ code: CLOSE.invalidSequence, reason: 'the session has no event of this seq' })
    if (session === undefined || missed === undefined || missed === 'gone') {
      this.#sessions.delete(sessionId)
      return connection.invalidate()
    }
    session.connection?.close({ code: CLOSE.unknownError, reason: 'another connection resumed this session' })
    connection.join(session)
    for (const text of missed) connection.send(text)
    session.dispatch('RESUMED', {})
    return undefined
  }

  #listMembers({ session }: GatewayConnection, request: MemberRequest): void {
    const guild = this.#guilds().find(({ id }) => id === request.guildId)
    if (guild !== undefined)
      session?.dispatch('GUILD_MEMBERS_CHUNK', membersPayload(guild, request, this.#context))
  }

  #publish(event: ServiceEvent): void {
    const { id: applicationId } = this.#context.seed.application
    for (const session of this.#sessions.values()) {
      const data = toGatewayEvent(event, { intents: session.intents, applicationId })
      if (data !== undefined) session.dispatch(event.name, data)
    }
  }

  #showGuilds(): void {
    for (const session of this.#sessions.values()) this.#showGuildsTo(session)
  }

  /** Reports the guilds that have the application now, and that have it no more. */
  #showGuildsTo(session: GatewaySession): void {
    if ((session.intents & INTENT.GUILDS) === 0) return
    const guilds = this.#guilds()
    const gone = [...session.guilds].filter((known) => guilds.every(({ id }) => id !== known))
    for (const id of gone) {
      session.guilds.delete(id)
      session.dispatch('GUILD_DELETE', { id })
    }
    for (const guild of guilds) {
      if (session.guilds.has(guild.id)) continue
      session.guilds.add(guild.id)
      session.dispatch('GUILD_CREATE', guildPayload(guild, this.#context))
    }
  }

  #guilds(): Guild[] {
    return this.#context.seed.guilds.filter(({ id }) => isBotIn(id, this.#context))
  }

  /** Looks at the deadlines while there are connections. */
  #watch(): void {
    this.#timer ??= setInterval(() => {
      this.look()
      if (this.#connections.size > 0 || this.#sessions.size > 0) return
      clearInterval(this.#timer)
      this.#timer = undefined
    }, LOOK_INTERVAL).unref()
  }
}

/** @param host with its port, as the bot reached it. */
export function gatewayAddress(host: string): string {
  return `ws://${host}${GATEWAY_PATH}`
}

/** Anyone with the token of an interaction can respond to it. */
function withoutToken(data: unknown): unknown {
  const fields = fieldsOf(data)
  return typeof fields['token'] === 'string' ? { ...fields, token: '[token]' } : data
}
