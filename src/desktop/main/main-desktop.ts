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
import type { LazyLobbies } from '../../client/groups/lazy-lobbies'
import type { ClientContext } from '../../client/sign-in/client-context'
import { bindMethods } from '../../shared/foundation/bind-methods'
import { Emitter, type ListenerOptions } from '../../shared/foundation/emitter'
import { importPart, loadOnce } from '../../shared/foundation/import-part'
import type { CallOptions } from '../../shared/foundation/options'
import { isLoopback } from '../../client/activity/host-window'
import type { LocalProgram } from './local-program/local-program'

/** Variable with the folder of the emulator's socket. It is read for a service on this computer only. */
const FOLDER_VARIABLE = 'FOYER_LOCAL_PROGRAM'

export class MainDesktop implements Desktop {
  readonly #context: ClientContext
  readonly #emitter = new Emitter<DesktopEvents>(DESKTOP_EVENTS)
  readonly #program: () => Promise<LocalProgram>
  #state: { status: DesktopStatus; user: DesktopUser | null } = { status: 'absent', user: null }

  constructor(context: ClientContext, lobbies: LazyLobbies) {
    this.#context = context
    this.#program = loadOnce(async () => {
      const { LocalProgram } = await importPart(import('./local-program/local-program'))
      return new LocalProgram({
        context,
        lobbies,
        machine: process,
        pid: process.pid,
        folder: folderOf(context),
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

  /** @internal Looks for the program. With a service on this computer, only the emulator's is looked for. */
  open(): void {
    const { options, log } = this.#context
    if (isLoopback(options.service.host) && folderOf(this.#context) === undefined)
      return log('info', 'desktop.no_emulator', { variable: FOLDER_VARIABLE })
    this.#program().then(
      (program) => program.run(),
      () => log('warn', 'desktop.failed', { code: 'reload_required' }),
    )
  }

  setPresence(presence: ActivityPresence | null, options?: CallOptions): Promise<void> {
    return this.#context.call('desktop', async () => (await this.#program()).setPresence(presence, options))
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
    return this.#context.call('desktop', async () => (await this.#program()).acceptRequest(userId, options))
  }

  refuseRequest(userId: string, options?: CallOptions): Promise<void> {
    return this.#context.call('desktop', async () => (await this.#program()).refuseRequest(userId, options))
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

/** Undefined for the folders of the machine. */
function folderOf({ options }: ClientContext): string | undefined {
  return isLoopback(options.service.host) ? process.env[FOLDER_VARIABLE] || undefined : undefined
}
