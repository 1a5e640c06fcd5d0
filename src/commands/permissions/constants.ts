/** The two ids that mean everybody and everywhere in a guild (S:157). */
import { ConfigurationError } from '../../foundation/errors'
import { isSnowflake } from '../../foundation/ids'

/** Of all members: the guild's own id. To be sent with type ROLE. */
export function everyoneId(guildId: string): string {
  return requireGuild(guildId)
}

/** Of all channels: the guild's id less one, in exact 64-bit arithmetic. To be sent with type CHANNEL. */
export function allChannelsId(guildId: string): string {
  return String(BigInt(requireGuild(guildId)) - 1n)
}

function requireGuild(guildId: string): string {
  if (!isSnowflake(guildId) || guildId === '0') throw new ConfigurationError('invalid_argument', 'guildId')
  return guildId
}
