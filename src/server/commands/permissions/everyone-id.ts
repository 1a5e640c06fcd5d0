/** Ids for all members and all channels of a guild (docs/interface/command-permissions.md#constants). */
import { ConfigurationError } from '../../../shared/foundation/errors'
import { isSnowflake } from '../../../shared/foundation/ids'

/** Returns the id for all members, which is the guild id. Use with type ROLE. @throws ConfigurationError `invalid_argument`. */
export function everyoneId(guildId: string): string {
  return requireGuild(guildId)
}

/**
 * Returns the id for all channels, which is the guild id minus one. Use with type CHANNEL. @throws ConfigurationError `invalid_argument`.
 */
export function allChannelsId(guildId: string): string {
  return String(BigInt(requireGuild(guildId)) - 1n)
}

function requireGuild(guildId: string): string {
  if (!isSnowflake(guildId) || guildId === '0') throw new ConfigurationError('invalid_argument', 'guildId')
  return guildId
}
