/** Host window state: its frames, their messages, and the participants of the instance. */
import { randomBytes } from 'node:crypto'
import type { Provider } from 'oidc-provider'
import { findBearer, type Bearer } from '../auth/resolve-access-token.js'
import { describeScopes, expandScopes } from '../model/scopes.js'
import { findUser } from '../context/find-user.js'
import type { Player } from '../seed/seed.js'
import type { EmulatorContext } from '../context/emulator-context.js'
import { issueCode, type CodeRequest } from './issue-authorization-code.js'
import { Instances, newFrameId, type Instance, type InstanceChange } from './instances.js'
import type { RpcContext, AuthorizedFrame } from './rpc-context.js'
import { RpcSession } from './rpc-session.js'
import { participant } from './rpc-users.js'
import { HostWindow, type Frame } from './host-window.js'

/** Milliseconds in which a new window must open its stream. */
const patience = 10_000

export class ActivityHost implements RpcContext {
  readonly instances: Instances
  readonly #context: EmulatorContext
  readonly #provider: Promise<Provider>
  readonly #windows = new Map<string, HostWindow>()
  readonly #consents = new Map<string, (approved: boolean) => void>()
  readonly #granted = new Map<string, Set<string>>()

  constructor(context: EmulatorContext, provider: Promise<Provider>) {
    this.#context = context
    this.#provider = provider
    this.instances = new Instances(context.clock, (change) => this.#changed(change))
  }

  /** Opens a window with one frame per player; undefined if the instance has ended. */
  open(instanceId: string, players: Player[]): HostWindow | undefined {
    const instance = this.instances.find(instanceId)
    if (instance === undefined) return undefined
    const window = new HostWindow(randomBytes(16).toString('hex'), instance)
    for (const player of players) this.#addFrame(window, player)
    this.#windows.set(window.id, window)
    setTimeout(() => !window.listening && this.closeWindow(window), patience).unref()
    return window
  }

  find(windowId: string): HostWindow | undefined {
    return this.#windows.get(windowId)
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

  answerConsent(id: string, approved: boolean): boolean {
    const answer = this.#consents.get(id)
    this.#consents.delete(id)
    answer?.(approved)
    return answer !== undefined
  }

  /** All sessions of a player, in all windows. */
  sessionsOf(userId: string): RpcSession[] {
    return this.#sessions().filter(({ place }) => place.player.id === userId)
  }

  connected({ place }: AuthorizedFrame): void {
    this.#postToWindow(place.frameId, { status: 'connected' })
    this.instances.connect(place.instance.id, place.player.id, place.frameId)
  }

  disconnected({ place }: AuthorizedFrame): void {
    this.#postToWindow(place.frameId, { status: 'disconnected' })
    this.instances.disconnect(place.instance.id, place.player.id, place.frameId)
  }

  participants(instance: Instance): unknown[] {
    const players = this.instances.participants(instance.id).flatMap((id) => findUser(id, this.#context) ?? [])
    return players.map((player) => participant(player, this.#context.url))
  }

  granted({ id }: Player, scopes: string[]): boolean {
    const given = this.#granted.get(id)
    return given !== undefined && expandScopes(scopes).every((scope) => given.has(scope))
  }

  async consent({ place }: AuthorizedFrame, scopes: string[]): Promise<boolean> {
    const id = randomBytes(12).toString('hex')
    const described = describeScopes(scopes).map(({ name, description }) => ({ name, description }))
    const approved = await new Promise<boolean>((resolve) => {
      this.#consents.set(id, resolve)
      this.#postToWindow(place.frameId, { consent: { id, scopes: described, application: this.#context.seed.application.name } })
    })
    if (approved) this.#granted.set(place.player.id, new Set([...(this.#granted.get(place.player.id) ?? []), ...expandScopes(scopes)]))
    return approved
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
    this.instances.clear()
  }

  #addFrame(window: HostWindow, player: Player): void {
    const frameId = newFrameId()
    const extras = this.instances.open(window.instance.id, player.id, frameId)
    if (extras === undefined) return
    const session = new RpcSession(
      { frameId, player, instance: window.instance },
      { context: this.#context, rpc: this, send: (message) => window.send({ frame: frameId, message }) },
    )
    window.frames.set(frameId, { id: frameId, player, extras, session })
  }

  #leave(window: HostWindow, { id, player }: Frame, stays: 'a moment' | 'no'): void {
    this.instances.leave(window.instance.id, player.id, { frameId: id, stays })
  }

  #postToWindow(frameId: string, data: Record<string, unknown>): void {
    for (const window of this.#windows.values()) if (window.frames.has(frameId)) window.send({ frame: frameId, ...data })
  }

  #sessions(): RpcSession[] {
    return [...this.#windows.values()].flatMap(({ frames }) => [...frames.values()].map(({ session }) => session))
  }

  #changed({ kind, instance }: InstanceChange): void {
    const { id: instance_id } = instance
    const participants = this.participants(instance)
    if (kind === 'participants')
      for (const session of this.#sessions())
        if (session.place.instance.id === instance_id) session.notify('ACTIVITY_INSTANCE_PARTICIPANTS_UPDATE', { participants })
    const users = this.instances.participants(instance_id)
    this.#context.events.emit({ name: `ACTIVITY_INSTANCE_${kind.toUpperCase()}`, data: { instance_id, participants: users } })
  }
}
