/** The player's name and picture: from the service's user, or from a verified ID token that names the player. Pure. */
import { isRecord, isText } from '../foundation/untrusted-values'
import { avatarUrl } from '../service/avatar-url'
import type { ServiceConfig } from '../service/service-config'
import type { IdTokenClaims } from './token-set'

/** Each field is set once it is known. Names are chosen by players: show them as plain text. */
export interface SessionUser {
  /** Unique user name. */
  readonly username?: string
  /** The name that other players see: the player's display name, or the user name without one. */
  readonly displayName?: string
  /** Address of the picture: `https:`, or of the service's own origin. */
  readonly avatarUrl?: string
}

/** No control characters, 256 characters at most. */
const NAME = /^[ -~\u00a0-\uffff]{1,256}$/
const ADDRESS = /^[!-~]{1,2048}$/

/** The user in a response of `GET /users/@me`. Empty if the response names nobody. */
export function userFromResponse(
  body: Readonly<Record<string, unknown>>,
  service: Pick<ServiceConfig, 'cdnUrl'>,
): SessionUser {
  const { id, username, global_name: globalName, avatar } = body
  if (!isText(username, NAME) || typeof id !== 'string') return {}
  const picture = avatarUrl(service, { id, avatar: isText(avatar, ADDRESS) ? avatar : null })
  return { username, displayName: isText(globalName, NAME) ? globalName : username, avatarUrl: picture }
}

/** Empty for the ID tokens of most services, which name nobody. */
export function userFromClaims(claims: IdTokenClaims | undefined, issuer: string): SessionUser {
  const { preferred_username: username, nickname, picture } = { ...claims }
  const displayName = isText(nickname, NAME) ? nickname : username
  return {
    ...(isText(username, NAME) && { username }),
    ...(isText(displayName, NAME) && { displayName }),
    ...(isPicture(picture, issuer) && { avatarUrl: picture }),
  }
}

/** A user of a store is untrusted input. */
export function isSessionUser(value: unknown): value is SessionUser {
  if (!isRecord(value)) return false
  return (
    isOptional(value['username'], NAME) &&
    isOptional(value['displayName'], NAME) &&
    isOptional(value['avatarUrl'], ADDRESS)
  )
}

function isOptional(field: unknown, form: RegExp): boolean {
  return field === undefined || isText(field, form)
}

export function isSameUser(one: SessionUser | undefined, other: SessionUser | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
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
