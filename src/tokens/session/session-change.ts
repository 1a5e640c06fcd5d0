/** Changes of the session that are reported to the client. */
import type { SessionError } from '../../foundation/errors'
import type { Session } from './session'

/** A change of the session that the game did not cause. */
export type SessionChange =
  | { kind: 'refreshed'; session: Session; elsewhere: boolean }
  | { kind: 'signed_in'; session: Session }
  /** Another tab signed a player in while no player was signed in here. */
  | { kind: 'found'; session: Session }
  /** The player's names have become known. */
  | { kind: 'named'; session: Session }
  | { kind: 'ended'; session?: undefined; error: SessionError }
