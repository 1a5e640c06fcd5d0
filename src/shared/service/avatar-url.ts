/** The address of a user's picture, from the hash that the service sends (docs/interface/README.md#pictures). Pure. */
import { ConfigurationError } from '../foundation/errors'
import type { ServiceConfig } from './service-config'

/** Number of default pictures. */
const DEFAULTS = 6
/** Ids begin with a time; the lower 22 bits are a counter. */
const COUNTER = 2 ** 22
/** Letters of a hash. Anything else could leave the path. */
const HASH = /^[\w-]{1,128}$/

/** The parts of a user that decide the picture. */
export interface AvatarOwner {
  /** User id. */
  readonly id: string
  /** Hash of the picture as the service sends it. Null or absent for a user without one. */
  readonly avatar?: string | null | undefined
}

/**
 * Returns the address of a user's picture: animated for a hash that begins with `a_`, and one of six default pictures for a user without a
 * hash. `service` is the one of the client, or its `cdnUrl` or `host` alone.
 *
 * @example
 * ```ts
 * image.src = avatarUrl({ cdnUrl: 'https://cdn.service.example' }, { id: author.id, avatar: author.avatar })
 * ```
 * @throws ConfigurationError `invalid_argument` without an address or without a user's id.
 */
export function avatarUrl(
  service: Pick<ServiceConfig, 'cdnUrl'> | Pick<ServiceConfig, 'host'>,
  owner: AvatarOwner,
): string {
  const { host, cdnUrl = host }: Partial<Pick<ServiceConfig, 'cdnUrl' | 'host'>> = { ...service }
  const { id, avatar }: Partial<AvatarOwner> = { ...owner }
  if (typeof cdnUrl !== 'string' || typeof id !== 'string')
    throw new ConfigurationError('invalid_argument', 'avatarUrl', {
      remedy: 'Pass the service, or { host }, and a user with an id',
    })
  // A service may be given with a slash at the end of its host.
  const base = cdnUrl.replace(/([^/])\/$/, '$1')
  if (typeof avatar !== 'string' || !HASH.test(avatar)) return `${base}/embed/avatars/${defaultOf(id)}.png`
  return `${base}/avatars/${encodeURIComponent(id)}/${avatar}.${avatar.startsWith('a_') ? 'gif' : 'png'}`
}

/** `(id >> 22) % 6`, digit by digit: signing in needs no `BigInt`. */
function defaultOf(id: string): number {
  let rest = 0
  for (const digit of id) rest = (rest * 10 + (Number(digit) || 0)) % (COUNTER * DEFAULTS)
  return Math.floor(rest / COUNTER)
}
