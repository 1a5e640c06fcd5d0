/** A lobby in a window: its state comes from the main process, which runs its calls. */
import { LiveLobby, type LobbyControl } from '../../client/lobbies/live-lobby'
import type { LobbyState } from '../../lobbies/lobby-state'
import { groupOf } from './group-of'

/** Sends a call to the main process. */
export type SendCall = (path: string, args: readonly unknown[]) => Promise<unknown>

const LOBBY = 'lobby.'

export class WindowLobby extends LiveLobby {
  constructor(state: LobbyState, take: (control: LobbyControl) => void, send: SendCall) {
    super(state, take)
    Object.assign(
      this,
      groupOf(
        LOBBY,
        (path) =>
          (...args: unknown[]) =>
            this.#call(send, path, args),
      ),
    )
  }

  async #call(send: SendCall, path: string, args: readonly unknown[]): Promise<unknown> {
    if (path === `${LOBBY}leave` && this.endReason === 'left') return undefined
    this.requireOpen()
    return send(path, [this.id, ...args])
  }
}
