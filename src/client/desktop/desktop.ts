/** `client.desktop`: the service's own program on this computer, for a game in Electron (types only). */
import type { EventEmitter } from 'eventemitter3'
import type { CallOptions } from '../../shared/foundation/options'
import type { ListenerOptions } from '../../shared/foundation/emitter'
import type { UserId } from '../../shared/foundation/ids'
import type { ActivityPresence } from '../activity/presence-sender'

/**
 * `absent`: no program, or it has ended; looked for again, after 0.5 to 60 s. `connecting`: one was found. `connected`: it takes presence and
 * sends invitations. `refused`: it refused this application; not tried again until the app starts anew.
 */
export type DesktopStatus = 'absent' | 'connecting' | 'connected' | 'refused'

/** User of the service, as the program reports it. Unverified. */
export interface DesktopUser {
  /** User id. */
  readonly id: UserId
  /** Unique user name. Display it as plain text. */
  readonly username: string
  /** Display name, or null if the user has set none. Display it as plain text. */
  readonly globalName: string | null
}

/** Events of `client.desktop`. */
export interface DesktopEvents {
  /** The status changed. */
  statusChanged: (event: { status: DesktopStatus; previous: DesktopStatus }) => void
  /**
   * Somebody asks to join the player. `accept` sends them the join secret of the presence, `refuse` closes the request. Both may reject like
   * `acceptRequest`.
   */
  joinRequested: (event: {
    user: DesktopUser
    accept: () => Promise<void>
    refuse: () => Promise<void>
  }) => void
  /** Somebody invites the player. The player accepts in the program, which then sends `activityJoin`. */
  invited: (event: { user: DesktopUser }) => void
}

/**
 * The service's program on this computer. Without it nothing fails: a presence is kept, and sent when the program appears. The names are those
 * of `ActivityHost`.
 */
export interface Desktop {
  /** Whether the program is there. */
  readonly status: DesktopStatus
  /** User of the program, who need not be the player of this game; null while it is not connected. */
  readonly user: DesktopUser | null
  /**
   * Shows to friends what the player does, until the next call; null removes it. With `party.lobbyId` the size of the party follows the lobby.
   * With `secrets.join` the client joins the lobby of an accepted invitation, and emits `activityLobby`. Five updates reach the program in
   * 20 s, and the last one always does. Resolves at once without the program.
   *
   * @throws ValidationError `invalid_argument` for a text that is not 2 to 128 characters. @throws ApiError if the program refuses it.
   */
  setPresence(presence: ActivityPresence | null, options?: CallOptions): Promise<void>
  /** Joins lobbies of accepted invitations without a presence: each is emitted as `activityLobby`. Returns a function that ends this. */
  followInvitations(): () => void
  /** Accepts the request of `joinRequested`. @throws ApiError `activity_closed` without the program. */
  acceptRequest(userId: string, options?: CallOptions): Promise<void>
  /** Closes the request of `joinRequested`. @throws ApiError `activity_closed` without the program. */
  refuseRequest(userId: string, options?: CallOptions): Promise<void>
  /** Calls the listener with one object for each event of this name. Returns a function that removes it. @throws ConfigurationError `invalid_argument`. */
  on<Name extends keyof DesktopEvents>(
    event: Name,
    listener: EventEmitter.EventListener<DesktopEvents, Name>,
    options?: ListenerOptions,
  ): () => void
}

/** Names for the check at run time. */
export const DESKTOP_EVENTS: readonly (keyof DesktopEvents)[] = ['statusChanged', 'joinRequested', 'invited']
