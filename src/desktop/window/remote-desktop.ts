/** `client.desktop` of a window: its calls run in the main process, which has the connection to the service's program. */
import { DESKTOP_EVENTS } from '../../client/desktop/desktop'
import { Emitter, type ListenerOptions } from '../../shared/foundation/emitter'
import { isRecord } from '../../shared/foundation/untrusted-values'
import { groupOf, hold, type SendCall } from './window-lobby'

type Listener = (...args: unknown[]) => unknown

export class RemoteDesktop {
  /** The last state of the main process. */
  status: unknown = 'absent'
  user: unknown = null
  readonly #emitter = new Emitter<Record<string, Listener>>(DESKTOP_EVENTS)
  readonly #send: SendCall

  constructor(send: SendCall) {
    this.#send = send
    Object.assign(
      this,
      groupOf(
        'desktop.',
        (path) =>
          (...args: unknown[]) =>
            send(path, args),
      ),
    )
  }

  readonly followInvitations = (): (() => void) => hold(this.#send, 'desktop.followInvitations')

  readonly on = (event: string, listener: Listener, options?: ListenerOptions): (() => void) =>
    this.#emitter.on(event, listener, options)

  /** Takes the state of the main process; undefined without the option `localProgram`. */
  apply(state: unknown): void {
    const { status = 'absent', user = null } = isRecord(state) ? state : {}
    const { status: previous } = this
    Object.assign(this, { status, user })
    if (status !== previous) this.#emitter.emit('statusChanged', { status, previous })
  }

  /** Takes an event of the main process. The answers to a request are calls. */
  receive(event: string, data: unknown): void {
    const user = isRecord(data) ? data['user'] : undefined
    if (event !== 'joinRequested') return this.#emitter.emit(event, { user })
    const answer = (path: string) => () => this.#send(path, [isRecord(user) ? user['id'] : ''])
    this.#emitter.emit(event, {
      user,
      accept: answer('desktop.acceptRequest'),
      refuse: answer('desktop.refuseRequest'),
    })
  }

  close(): void {
    this.#emitter.clear()
  }
}
