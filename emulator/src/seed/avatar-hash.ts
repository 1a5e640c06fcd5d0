/** The hash of a player's picture: equal on every machine. */
import { createHash } from 'node:crypto'

/** 32 hexadecimal digits, as the service's. */
export function avatarHash(id: string): string {
  return createHash('md5').update(id).digest('hex')
}
