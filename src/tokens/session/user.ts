/** The player's name and picture, as a verified ID token has them. Pure. */
import { isText } from '../../foundation/encoding'
import type { SessionRecord } from './record'

/** Each is there only if the ID token brought it. Names are the player's own choice: show them as text. */
export interface SessionUser {
  /** The claim `preferred_username`. */
  readonly username?: string
  /** The name that others see: the claim `nickname`. */
  readonly displayName?: string
  /** The claim `picture`: an `https:` address, or one of the service's own origin. */
  readonly avatarUrl?: string
}

/** No control characters, and no longer than a line of text. */
const NAME = /^[ -~\u00a0-\uffff]{1,256}$/
const ADDRESS = /^[!-~]{1,2048}$/

export function sessionUser({ issuer, tokens: { claims } }: SessionRecord): SessionUser {
  const [username, displayName, avatarUrl] = [claims?.['preferred_username'], claims?.['nickname'], claims?.['picture']]
  return Object.freeze({
    ...(isText(username, NAME) && { username }),
    ...(isText(displayName, NAME) && { displayName }),
    ...(isPicture(avatarUrl, issuer) && { avatarUrl }),
  })
}

function isPicture(value: unknown, issuer: string): value is string {
  if (!isText(value, ADDRESS)) return false
  try {
    const { protocol, origin, username, password } = new URL(value)
    return !username && !password && (protocol === 'https:' || origin === new URL(issuer).origin)
  } catch {
    return false
  }
}
