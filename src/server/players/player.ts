/** Player who calls a game's backend. */
import { isText } from '../../shared/foundation/untrusted-values'
import type { UserId } from '../../shared/foundation/ids'

/** The player of a verified token. */
export interface Player {
  /** User id. */
  readonly id: UserId
  /** Unique user name, if the token holds it: those of most services do not (`client.users.get(id)` reads it). Chosen by the player: display it as plain text. */
  readonly username?: string
  /** Display name, if the token holds it and the player has set one. Chosen by the player: display it as plain text. */
  readonly globalName?: string
  /** End of the token in epoch ms. */
  readonly expiresAt: number
  /** Claims of the ID token; empty for an access token. */
  readonly claims: Readonly<Record<string, unknown>>
}

/** No control characters, 256 characters at most. */
const NAME = /^[ -~\u00a0-\uffff]{1,256}$/

/** Returns the names that are safe to store and to send in one line. */
export function namesOf(username: unknown, globalName: unknown): Pick<Player, 'username' | 'globalName'> {
  return { ...(isText(username, NAME) && { username }), ...(isText(globalName, NAME) && { globalName }) }
}
