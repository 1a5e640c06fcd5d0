/** The player's name and picture, from a verified ID token. Pure. */
import { isText } from '../../foundation/guard-untrusted-values'
import type { SessionRecord } from './session-record'

/** Each field is set only if the ID token has its claim. Names are chosen by players: show them as plain text. */
export interface SessionUser {
  /** The claim `preferred_username`. */
  readonly username?: string
  /** The name that other players see: the claim `nickname`. */
  readonly displayName?: string
  /** The claim `picture`: an `https:` address, or one of the service's own origin. */
  readonly avatarUrl?: string
}

/** No control characters, 256 characters at most. */
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
