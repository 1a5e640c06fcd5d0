/** `client.desktop` of a main process: its state and events. What talks to the program is loaded when it is switched on. */
import type { EventEmitter } from 'eventemitter3'
import type { ActivityPresence } from '../../client/activity/presence-sender'
import {
  type Desktop,
  DESKTOP_EVENTS,
  type DesktopEvents,
  type DesktopStatus,
  type DesktopUser,
} from '../../client/desktop/desktop'
import type { PlayerParts } from '../../client/groups/player-parts'
import type { ClientContext } from '../../client/sign-in/sign-in-client'
import { bindMethods, type CallOptions } from '../../shared/foundation/options'
import { Emitter, type ListenerOptions } from '../../shared/foundation/emitter'
import { importPart, loadOnce } from '../../shared/foundation/async'
import type { LocalProgram } from './local-program/local-program'

export class MainDesktop implements Desktop {
  readonly #context: ClientContext
  readonly #emitter = new Emitter<DesktopEvents>(DESKTOP_EVENTS)
  readonly #program: () => Promise<LocalProgram>
  #state: { status: DesktopStatus; user: DesktopUser | null } = { status: 'absent', user: null }

  constructor(context: ClientContext, player: PlayerParts) {
    this.#context = context
    this.#program = loadOnce(async () => {
      const { LocalProgram } = await importPart(import('./local-program/local-program'))
      return new LocalProgram({
        context,
        player,
        machine: process,
        pid: process.pid,
        onState: (state) => this.#change(state),
        onRequest: (user) => this.#emitRequest(user),
        onInvitation: (user) => this.#emitter.emit('invited', { user }),
      })
    })
    bindMethods(this)
  }

  get status(): DesktopStatus {
    return this.#state.status
  }

  get user(): DesktopUser | null {
    return this.#state.user
  }

  /** @internal Looks for the program until the client is closed. */
  open(): void {
    this.#program().then(
      (program) => program.run(),
      () => this.#context.log('warn', 'desktop.failed', { code: 'reload_required' }),
    )
  }

  setPresence(presence: ActivityPresence | null, options?: CallOptions): Promise<void> {
    return this.#context.call('desktop', [presence, options], async (_, ...given) =>
      (await this.#program()).setPresence(...given),
    )
  }

  followInvitations(): () => void {
    let isWanted = true
    let stop: (() => void) | undefined
    const follow = async () => {
      const program = await this.#program()
      if (isWanted) stop = program.followInvitations()
    }
    follow().catch(() => undefined)
    return () => {
      isWanted = false
      stop?.()
    }
  }

  acceptRequest(userId: string, options?: CallOptions): Promise<void> {
    return this.#context.call('desktop', [userId, options], async (_, ...given) =>
      (await this.#program()).acceptRequest(...given),
    )
  }

  refuseRequest(userId: string, options?: CallOptions): Promise<void> {
    return this.#context.call('desktop', [userId, options], async (_, ...given) =>
      (await this.#program()).refuseRequest(...given),
    )
  }

  on<Name extends keyof DesktopEvents>(
    event: Name,
    listener: EventEmitter.EventListener<DesktopEvents, Name>,
    options?: ListenerOptions,
  ): () => void {
    return this.#emitter.on(event, listener, options)
  }

  #emitRequest(user: DesktopUser): void {
    const { id } = user
    const [accept, refuse] = [() => this.acceptRequest(id), () => this.refuseRequest(id)]
    this.#emitter.emit('joinRequested', { user, accept, refuse })
  }

  #change(state: { status: DesktopStatus; user: DesktopUser | null }): void {
    const { status: previous } = this.#state
    this.#state = state
    const { status } = state
    if (status !== previous) this.#emitter.emit('statusChanged', { status, previous })
  }
}
