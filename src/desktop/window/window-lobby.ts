/** A lobby in a window: its state comes from the main process, which runs its calls. */
import { createInviteLink, type InviteLinkOptions } from '../../client/lobbies/invite-link'
import { LiveLobby } from '../../client/lobbies/live-lobby'
import type { LobbyState } from '../../client/lobbies/lobby-state'
import { CALL_PATHS } from '../../client/call-paths'

/** Sends a call to the main process. */
export type SendCall = (path: string, args: readonly unknown[]) => Promise<unknown>

const LOBBY = 'lobby.'

/** Main process, as far as a lobby needs it. */
export interface LobbyOwner {
  send: SendCall
  /** The beginning of a link that opens the app. */
  inviteAddress: () => unknown
}

export class WindowLobby extends LiveLobby {
  readonly #inviteAddress: LobbyOwner['inviteAddress']
  #secret: string | undefined

  constructor(state: LobbyState, { send, inviteAddress }: LobbyOwner) {
    super(state)
    this.#inviteAddress = inviteAddress
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

  /** @internal The secret that this window joined with. */
  remember(secret: unknown): void {
    if (typeof secret === 'string') this.#secret = secret
  }

  /** See `Lobby.inviteLink`. */
  inviteLink(options?: InviteLinkOptions): string {
    this.requireOpen()
    const address = this.#inviteAddress()
    return createInviteLink(options, {
      secret: this.#secret,
      address: typeof address === 'string' ? address : undefined,
    })
  }

  async #call(send: SendCall, path: string, args: readonly unknown[]): Promise<unknown> {
    if (path === `${LOBBY}leave` && this.endReason === 'left') return undefined
    this.requireOpen()
    return send(path, [this.id, ...args])
  }
}

/** The window itself answers these at once. */
const OWN: ReadonlySet<string> = new Set(['lobbies.get', 'lobby.inviteLink', 'desktop.followInvitations'])

/** @param callAt creates the call of a path. */
export function groupOf<Call>(prefix: string, callAt: (path: string) => Call): Record<string, Call> {
  const paths = Object.keys(CALL_PATHS).filter((path) => path.startsWith(prefix) && !OWN.has(path))
  return Object.fromEntries(paths.map((path) => [path.slice(prefix.length), callAt(path)]))
}

/** Returns a function that ends the call. A main process that refuses it has nothing to end. */
export function hold(send: SendCall, path: string): () => void {
  const held = new AbortController()
  send(path, [{ signal: held.signal }]).catch(() => undefined)
  return () => held.abort()
}
