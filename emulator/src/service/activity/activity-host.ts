/** Host window state: its frames, their messages, and the participants of the instance. */
import { describeScopes, expandScopes } from '../../model/scope.js'
import { fieldsOf, textOf } from '../../foundation/values.js'
import type { EmulatorContext } from '../../state/emulator-context.js'
import { findUser } from '../../state/find-user.js'
import type { Player } from '../../state/seed/seed.js'
import { findBearer, type Bearer } from '../oauth/find-bearer.js'
import { ActivityStores, HostImages } from './activity-stores.js'
import { HostDialogs, type Dialog, type DialogResult } from './host-dialogs.js'
import { Instances, newFrameId, type Instance, type InstanceChange, type LaunchExtras } from './instances.js'
import { issueCode, type CodeRequest } from './issue-code.js'
import { relationshipPayload } from './relationship-commands.js'
import { participant, type AuthorizedFrame, type ChatMessage, type RpcContext } from './rpc-context.js'
import { RpcSession } from './rpc-session.js'
import { randomBytes } from 'node:crypto'
import type { Provider } from 'oidc-provider'

/** Milliseconds in which a new window must open its stream. */
const PATIENCE = 10_000

/** The player's answer to a request for consent. */
interface ConsentAnswer {
  isApproved: boolean
}

export class ActivityHost implements RpcContext {
  readonly instances: Instances
  readonly stores: ActivityStores
  readonly dialogs = new HostDialogs()
  readonly images = new HostImages()
  /** Sends a message to the chat; set once the chat exists. */
  postMessage: ((message: ChatMessage) => void) | undefined
  /** URL of the host page; undefined while no game is set. */
  pageUrl: () => string | undefined = () => undefined
  readonly #context: EmulatorContext
  readonly #provider: Promise<Provider>
  readonly #windows = new Map<string, HostWindow>()
  readonly #consents = new Map<string, (answer: ConsentAnswer) => void>()
  readonly #granted = new Map<string, Set<string>>()

  constructor(context: EmulatorContext, provider: Promise<Provider>) {
    this.#context = context
    this.#provider = provider
    this.stores = new ActivityStores(context)
    context.events.subscribe(({ name, data }) => {
      const owner = textOf(fieldsOf(data)['user_id'])
      if (name === 'ENTITLEMENT_CREATE' && owner !== undefined)
        this.notify(owner, 'ENTITLEMENT_CREATE', { data: { entitlement: data } })
    })
    this.instances = new Instances(context.clock, (change) => this.#changed(change))
  }

  /** Opens a window with one frame per player; undefined if the instance has ended. */
  open(instanceId: string, players: Player[]): HostWindow | undefined {
    const instance = this.instances.find(instanceId)
    if (instance === undefined) return undefined
    const window = new HostWindow(randomBytes(16).toString('hex'), instance)
    for (const player of players) this.#addFrame(window, player)
    this.#windows.set(window.id, window)
    setTimeout(() => !window.listening && this.closeWindow(window), PATIENCE).unref()
    return window
  }

  /** Sends data to every open host page. */
  broadcast(data: Record<string, unknown>): void {
    for (const window of this.#windows.values()) window.send(data)
  }

  find(windowId: string): HostWindow | undefined {
    return this.#windows.get(windowId)
  }

  /** Finds the player of a frame, in any window, and the instance. */
  findFrame(frameId: string): { player: Player; instance: Instance } | undefined {
    const window = [...this.#windows.values()].find(({ frames }) => frames.has(frameId))
    const player = window?.frames.get(frameId)?.player
    return window && player && { player, instance: window.instance }
  }

  /** The browser disconnected, or reloads the page. */
  closeWindow(window: HostWindow): void {
    if (!this.#windows.delete(window.id)) return
    for (const frame of window.frames.values()) this.#leave(window, frame, 'a moment')
  }

  /** The player leaves the Activity. */
  closeFrame(window: HostWindow, frameId: string): void {
    const frame = window.frames.get(frameId)
    if (frame === undefined) return
    window.frames.delete(frameId)
    this.#leave(window, frame, 'no')
  }

  /** Returns false if nobody asked, or somebody has answered. */
  answerConsent(id: string, answer: ConsentAnswer): boolean {
    const settle = this.#consents.get(id)
    this.#consents.delete(id)
    settle?.(answer)
    return settle !== undefined
  }

  /** All sessions of a player, in all windows. */
  sessionsOf(userId: string): RpcSession[] {
    return this.#sessions().filter(({ place }) => place.player.id === userId)
  }

  connected({ place }: AuthorizedFrame): void {
    this.#postToWindow(place.frameId, { status: 'connected' })
    this.instances.connect(place.instance.id, place.player.id, place.frameId)
  }

  disconnected(game: AuthorizedFrame): void {
    const { place } = game
    this.dialogs.cancel(game)
    this.#postToWindow(place.frameId, { status: 'disconnected' })
    this.instances.disconnect(place.instance.id, place.player.id, place.frameId)
  }

  /** Sends the join secret of an invitation that was accepted before the game was there (assumed). */
  subscribed({ place }: AuthorizedFrame, event: string): void {
    if (event !== 'ACTIVITY_JOIN') return
    const secret = this.stores.invitations.takeSecret(place.player.id)
    if (secret !== undefined) this.join(place.player.id, secret)
  }

  /** Sends ACTIVITY_JOIN, now or when the player's game subscribes to it. */
  join(userId: string, secret: string): void {
    const data = { applicationId: this.#context.seed.application.id, secret }
    const sent = this.sessionsOf(userId).filter((session) => session.notify('ACTIVITY_JOIN', data))
    if (sent.length === 0) this.stores.invitations.keepSecret(userId, secret)
  }

  participants(instance: Instance): unknown[] {
    const { guildId } = instance.location
    return this.playersIn(instance).map((player) =>
      participant(player, { nickname: this.stores.profiles.nickname(guildId, player.id) }),
    )
  }

  playersIn(instance: Instance): Player[] {
    return this.instances.participants(instance.id).flatMap((id) => findUser(id, this.#context) ?? [])
  }

  isPlaying(userId: string): boolean {
    return this.sessionsOf(userId).some(({ connected }) => connected)
  }

  notify(
    userId: string,
    event: string,
    { data, about }: { data: unknown; about?: Record<string, string> },
  ): void {
    for (const session of this.sessionsOf(userId)) session.notify(event, data, about)
  }

  presenceChanged(userId: string): void {
    const player = findUser(userId, this.#context)
    if (player === undefined) return
    for (const { id } of this.#context.seed.players) {
      if (id === userId || this.stores.relationships.kind(id, userId) === 'none') continue
      this.notify(id, 'RELATIONSHIP_UPDATE', { data: relationshipPayload(id, player, { rpc: this }) })
    }
    this.#context.events.emit({ name: 'ACTIVITY_PRESENCE', data: { user_id: userId } })
  }

  ask(game: AuthorizedFrame, dialog: Dialog): Promise<DialogResult> {
    return this.dialogs.ask(game, dialog, (shown) =>
      this.#postToWindow(game.place.frameId, { dialog: shown }),
    )
  }

  post(message: ChatMessage): void {
    this.postMessage?.(message)
  }

  keepImage(image: { type: string; bytes: Buffer }): string {
    return `${this.pageUrl()}images/${this.images.add(image)}`
  }

  isOwnFile(url: string): boolean {
    return [this.pageUrl(), `${this.#context.url}/`].some((own) => own !== undefined && url.startsWith(own))
  }

  linkOf(parameters: Record<string, string | undefined>): string {
    const url = new URL(this.pageUrl() ?? this.#context.url)
    for (const [name, value] of Object.entries(parameters))
      if (value !== undefined) url.searchParams.set(name, value)
    return url.href
  }

  granted({ id }: Player, scopes: string[]): boolean {
    const given = this.#granted.get(id)
    return given !== undefined && expandScopes(scopes).every((scope) => given.has(scope))
  }

  async consent({ place }: AuthorizedFrame, scopes: string[]): Promise<boolean> {
    const id = randomBytes(12).toString('hex')
    const described = describeScopes(scopes).map(({ name, description }) => ({ name, description }))
    const { isApproved } = await new Promise<ConsentAnswer>((resolve) => {
      this.#consents.set(id, resolve)
      this.#postToWindow(place.frameId, {
        consent: { id, scopes: described, application: this.#context.seed.application.name },
      })
    })
    if (isApproved)
      this.#granted.set(
        place.player.id,
        new Set([...(this.#granted.get(place.player.id) ?? []), ...expandScopes(scopes)]),
      )
    return isApproved
  }

  async issueCode(request: CodeRequest): Promise<string> {
    return issueCode(request, this.#context, await this.#provider)
  }

  async findBearer(token: string): Promise<Bearer | string> {
    return findBearer(token, this.#context, await this.#provider)
  }

  clear(): void {
    for (const window of this.#windows.values()) window.end()
    this.#windows.clear()
    this.#consents.clear()
    this.#granted.clear()
    this.dialogs.clear()
    this.images.clear()
    this.stores.clear()
    this.instances.clear()
  }

  #addFrame(window: HostWindow, player: Player): void {
    const frameId = newFrameId()
    const extras = this.instances.open(window.instance.id, player.id, frameId)
    if (extras === undefined) return
    const session = new RpcSession(
      { frameId, player, instance: window.instance, platform: extras.platform ?? 'desktop' },
      { context: this.#context, rpc: this, send: (message) => window.send({ frame: frameId, message }) },
    )
    window.frames.set(frameId, { id: frameId, player, extras, session })
  }

  #leave(window: HostWindow, { id, player }: Frame, stays: 'a moment' | 'no'): void {
    this.instances.leave(window.instance.id, player.id, { frameId: id, stays })
    if (!this.isPlaying(player.id) && this.stores.presences.delete(player.id)) this.presenceChanged(player.id)
  }

  #postToWindow(frameId: string, data: Record<string, unknown>): void {
    for (const window of this.#windows.values())
      if (window.frames.has(frameId)) window.send({ frame: frameId, ...data })
  }

  #sessions(): RpcSession[] {
    return [...this.#windows.values()].flatMap(({ frames }) =>
      [...frames.values()].map(({ session }) => session),
    )
  }

  #changed({ kind, instance }: InstanceChange): void {
    const { id: instance_id } = instance
    const participants = this.participants(instance)
    if (kind === 'participants')
      for (const session of this.#sessions())
        if (session.place.instance.id === instance_id)
          session.notify('ACTIVITY_INSTANCE_PARTICIPANTS_UPDATE', { participants })
    const users = this.instances.participants(instance_id)
    this.#context.events.emit({
      name: `ACTIVITY_INSTANCE_${kind.toUpperCase()}`,
      data: { instance_id, participants: users },
    })
  }
}

export interface Frame {
  readonly id: string
  readonly player: Player
  readonly extras: LaunchExtras
  readonly session: RpcSession
}

export class HostWindow {
  /** Secret: only its own page has it. */
  readonly id: string
  readonly instance: Instance
  readonly frames = new Map<string, Frame>()
  readonly #waiting: unknown[] = []
  #sink: ((data: unknown) => void) | undefined
  #ended: (() => void) | undefined

  constructor(id: string, instance: Instance) {
    this.id = id
    this.instance = instance
  }

  get listening(): boolean {
    return this.#sink !== undefined
  }

  /** Sends in order; queues until the stream is open. */
  send(data: unknown): void {
    if (this.#sink === undefined) this.#waiting.push(data)
    else this.#sink(data)
  }

  /** Sends queued messages first. */
  listen(sink: (data: unknown) => void, ended: () => void): void {
    this.#sink = sink
    this.#ended = ended
    for (const data of this.#waiting.splice(0)) sink(data)
  }

  end(): void {
    this.#ended?.()
  }
}
