/** The service's program on this computer: found, connected and found again, with its presence, invitations and join requests. Loaded when it is switched on. */
import { type ActivityConnection, connect } from '../../../client/activity/activity-connection'
import type { HostPresence } from '../../../client/activity/host-types'
import type { HostPort } from '../../../client/activity/host-window'
import { isLoopbackOrigin } from '../../../shared/foundation/addresses'
import type { Clock } from '../../../shared/foundation/clock'
import { monotonic } from '../../../shared/foundation/monotonic-clock'
import { createDeferred, listenToAbort } from '../../../shared/foundation/async'
import { type CallOptions, checkOptions } from '../../../shared/foundation/options'
import { ApiError, FoyerError, NetworkError } from '../../../shared/foundation/errors'
import { type ActivityPresence, PresenceSender } from '../../../client/activity/presence-sender'
import { requirePresence } from '../../../client/activity/check-presence'
import { snakeFields } from '../../../client/activity/rename-fields'
import type { DesktopStatus, DesktopUser } from '../../../client/desktop/desktop'
import { InvitationJoins } from '../../../client/groups/invitation-joins'
import type { PlayerParts } from '../../../client/groups/player-parts'
import { presenceSource } from '../../../client/groups/presence-source'
import type { ClientContext } from '../../../client/sign-in/sign-in-client'
import { machinePresence } from './machine-presence'
import { EventLimit } from './event-limit'
import { PresenceOutbox } from './presence-outbox'
import { openProgramSocket, type Machine } from './program-socket'
import { isRefusedForGood, readProgramEvent, readUser } from './read-program-event'

/** Delays in ms between attempts to find the program: doubled from the first to the last. */
const FIRST_DELAY = 500
const LAST_DELAY = 60_000
/** Variable with the folder of the emulator's socket. It is read for a service on this computer only. */
const FOLDER_VARIABLE = 'FOYER_LOCAL_PROGRAM'
/** Without the first, nobody can join; a program may lack the others. */
const EVENTS = ['ACTIVITY_JOIN', 'ACTIVITY_JOIN_REQUEST', 'ACTIVITY_INVITE'] as const

export interface LocalProgramParts {
  context: ClientContext
  player: PlayerParts
  machine: Machine
  /** Process whose presence it is. */
  pid: number
  onState: (state: { status: DesktopStatus; user: DesktopUser | null }) => void
  onRequest: (user: DesktopUser) => void
  onInvitation: (user: DesktopUser) => void
}

export class LocalProgram {
  readonly #parts: LocalProgramParts
  /** The only folder in which to look for the socket; undefined for those of the machine. */
  readonly #folder: string | undefined
  readonly #outbox: PresenceOutbox
  readonly #presence: PresenceSender
  readonly #joins: InvitationJoins
  readonly #joinLimit = new EventLimit({ limit: 10, per: 60_000 })
  readonly #userLimit = new EventLimit({ limit: 30, per: 60_000 })
  readonly #clock
  #connection: ActivityConnection | undefined
  #user: DesktopUser | null = null
  /** One attempt for each connection and player. */
  #authentication: Promise<boolean> | undefined
  #delay = FIRST_DELAY
  /** True once a presence had a join secret: it is never ended, since an invitation may come later. */
  #isFollowing = false
  /** Settles when the program shows the last presence. */
  #shown: Promise<void> = Promise.resolve()

  constructor(parts: LocalProgramParts) {
    const { context, player } = parts
    this.#parts = parts
    const isLocal = isLoopbackOrigin(context.options.service.host)
    this.#folder = isLocal ? parts.machine.env[FOLDER_VARIABLE] || undefined : undefined
    this.#clock = monotonic(context.options.clock)
    this.#outbox = new PresenceOutbox(this.#clock)
    this.#joins = new InvitationJoins(context, player)
    const clear = () => void this.#outbox.put(null).catch(() => undefined)
    const source = machinePresence(presenceSource(context, player), context, clear)
    this.#presence = new PresenceSender(source, {
      authenticate: () => Promise.reject(new ApiError('invalid_permissions', 'desktop', { status: 0 })),
      // Not awaited, so that a later presence overtakes one that waits for the limit.
      setActivity: async ({ activity }) => {
        this.#shown = this.#outbox.put(activity)
        this.#shown.catch((error: unknown) => this.#report(error))
        return activity
      },
    })
    context.on('sessionChanged', () => this.#playerChanged())
    context.closeSignal.addEventListener('abort', () => this.#outbox.close())
  }

  /** Looks for the program until the client is closed, or the program refuses the application. Never rejects. */
  async run(): Promise<void> {
    const { closeSignal, log, options } = this.#parts.context
    // With a service on this computer, a real program is never touched.
    if (isLoopbackOrigin(options.service.host) && this.#folder === undefined)
      return log('info', 'desktop.no_emulator', { variable: FOLDER_VARIABLE })
    while (!closeSignal.aborted) {
      const isRefused = await this.#connectOnce()
      if (isRefused) return this.#show('refused')
      if (closeSignal.aborted) return undefined
      this.#show('absent')
      await this.#pause()
    }
  }

  async setPresence(presence: ActivityPresence | null, options: CallOptions | undefined): Promise<void> {
    const { signal } = checkOptions(options, ['signal'])
    const { context } = this.#parts
    requirePresence(presence)
    // Prevents joins that nobody can have asked for.
    if (presence?.secrets?.join && !this.#isFollowing) {
      this.#isFollowing = true
      this.#joins.follow()
    }
    await this.#presence.set(presence)
    await untilAborted(this.#shown, signal, context.options.clock)
  }

  followInvitations(): () => void {
    return this.#joins.follow()
  }

  async acceptRequest(userId: string, options: CallOptions | undefined): Promise<void> {
    const { signal } = checkOptions(options, ['signal'])
    await this.#command('SEND_ACTIVITY_JOIN_INVITE', { user_id: userId }, signal)
  }

  /** The documented name, and the one that public clients use. */
  async refuseRequest(userId: string, options: CallOptions | undefined): Promise<void> {
    const { signal } = checkOptions(options, ['signal'])
    const args = { user_id: userId }
    await this.#command('CLOSE_ACTIVITY_REQUEST', args, signal).catch((error: unknown) => {
      if (!(error instanceof ApiError) || error.code !== 'invalid_command') throw error
      return this.#command('CLOSE_ACTIVITY_JOIN_REQUEST', args, signal)
    })
  }

  /** Resolves when the connection has ended, with true if the program refused this application. */
  async #connectOnce(): Promise<boolean> {
    const { context, machine } = this.#parts
    const { options, log } = context
    const { clock, service, applicationId } = options
    if (!applicationId) return false
    const host = await openProgramSocket({ machine, folder: this.#folder, brand: service.brand, clock, log })
    if (!host || context.closeSignal.aborted) return false
    this.#show('connecting')
    try {
      await this.#converse(host, applicationId)
      return false
    } catch (error) {
      const code = error instanceof FoyerError ? error.code : 'unknown'
      if (!context.closeSignal.aborted) log('warn', 'desktop.failed', { code })
      return isRefusedForGood(error)
    } finally {
      this.#connection = undefined
      this.#outbox.close()
    }
  }

  /** Resolves when the program ends a connection that worked. @throws ApiError, NetworkError if none came about. */
  async #converse(host: HostPort, clientId: string): Promise<void> {
    const { clock } = this.#parts.context.options
    const { closeSignal } = this.#parts.context
    const ended = createDeferred<void>(clock, { signals: [], makeError: endOf })
    const forget = listenToAbort(closeSignal, () => ended.resolve())
    try {
      const connection = await connect({
        host,
        clock,
        closeSignal,
        handshake: { v: 1, client_id: clientId },
        events: [],
        onEvent: (event, data) => this.#receive(event, data),
        onClose: () => ended.resolve(),
      })
      await this.#welcome(connection)
      await ended.promise
    } finally {
      forget()
    }
  }

  async #welcome(connection: ActivityConnection): Promise<void> {
    this.#connection = connection
    this.#authentication = undefined
    this.#user = readUser(connection.ready)
    this.#delay = FIRST_DELAY
    this.#show('connected')
    await this.#subscribe()
    this.#showPresence()
  }

  /** Sends the presence that a program does not show yet, which has just appeared or accepts one now. */
  #showPresence(): void {
    this.#outbox
      .open((activity) => this.#setActivity(activity))
      .catch((error: unknown) => this.#report(error))
  }

  async #subscribe(): Promise<void> {
    const subscriptions = EVENTS.map((event) => this.#command('SUBSCRIBE', {}, undefined, event))
    const [joins] = await Promise.allSettled(subscriptions)
    if (joins?.status === 'rejected') this.#report(joins.reason)
  }

  #setActivity(activity: HostPresence | null): Promise<unknown> {
    const args = { pid: this.#parts.pid, activity: activity && snakeFields(activity) }
    return this.#command('SET_ACTIVITY', args).catch((error: unknown) => {
      // A program that has ended, or does not answer, is no fault of the presence.
      if (error instanceof NetworkError || !this.#connection) return undefined
      throw error
    })
  }

  /** Sends a command. A program that demands it gets the token of the signed-in player, once. */
  async #command(name: string, args: object, signal?: AbortSignal, event?: string): Promise<unknown> {
    const connection = this.#connection
    if (!connection)
      throw new ApiError('activity_closed', 'desktop', {
        status: 0,
        remedy: "The service's program is not connected: see client.desktop.status",
      })
    const send = () => connection.command(name, args, { signal, ...(event !== undefined && { event }) })
    try {
      return await send()
    } catch (error) {
      const isDemanded = error instanceof ApiError && error.code === 'invalid_permissions'
      if (!isDemanded || !(await this.#authenticated(connection))) throw error
      return send()
    }
  }

  #authenticated(connection: ActivityConnection): Promise<boolean> {
    this.#authentication ??= this.#authenticate(connection).catch((error: unknown) => {
      this.#report(error)
      return false
    })
    return this.#authentication
  }

  async #authenticate(connection: ActivityConnection): Promise<boolean> {
    const { context, machine } = this.#parts
    const { caller } = context.authState
    // Nobody can say who owns a pipe of Windows: no token is written to one.
    if (caller.userId === undefined || machine.platform === 'win32') return false
    const { tokens } = await (await context.sessions()).getUsableRecord(caller)
    await connection.command('AUTHENTICATE', { access_token: tokens.accessToken.reveal() })
    return true
  }

  /** Tries again whatever needed a player. */
  #playerChanged(): void {
    this.#joins.goOn()
    const connection = this.#connection
    if (!connection || this.#authentication === undefined) return
    this.#authentication = undefined
    void this.#subscribe()
    this.#showPresence()
  }

  #receive(event: string, data: unknown): void {
    const { context, onRequest, onInvitation } = this.#parts
    const { log, options } = context
    const read = readProgramEvent(event, data, options.applicationId)
    if (!read) return log('warn', 'desktop.malformed_event', { event: event.slice(0, 64) })
    const limit = read.kind === 'join' ? this.#joinLimit : this.#userLimit
    if (!limit.take(this.#clock.elapsed())) return log('warn', 'desktop.too_many_events', { event })
    if (read.kind === 'request') return onRequest(read.user)
    if (read.kind === 'invitation') return onInvitation(read.user)
    this.#join(read.secret)
  }

  /** The user of the program accepted an invitation, who need not be the player of this game. */
  #join(secret: string): void {
    const { emit, authState, log } = this.#parts.context
    const { caller } = authState
    emit('activityJoin', { secret })
    if (caller.userId !== undefined && this.#user !== null && caller.userId !== this.#user.id)
      return log('warn', 'desktop.other_user')
    this.#joins.accept(secret, caller)
  }

  #show(status: DesktopStatus): void {
    if (status !== 'connected') this.#user = null
    this.#parts.onState({ status, user: this.#user })
  }

  #report(error: unknown): void {
    this.#parts.context.log('warn', 'desktop.refused', {
      code: error instanceof FoyerError ? error.code : 'unknown',
    })
  }

  #pause(): Promise<void> {
    const delay = this.#delay
    this.#delay = Math.min(delay * 2, LAST_DELAY)
    return new Promise((resolve) => {
      const end = () => {
        cancel()
        forget()
        resolve()
      }
      const cancel = this.#clock.afterUnref(delay, end)
      const forget = listenToAbort(this.#parts.context.closeSignal, end)
    })
  }
}

const endOf = (code: 'timed_out' | 'aborted') => new NetworkError(code, 'desktop')

/** @throws NetworkError `aborted`. */
function untilAborted(work: Promise<void>, signal: AbortSignal | undefined, clock: Clock): Promise<void> {
  const waiting = createDeferred<void>(clock, {
    signals: [signal],
    makeError: endOf,
  })
  work.then(waiting.resolve, waiting.reject)
  return waiting.promise
}
