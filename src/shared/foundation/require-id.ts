/** Requires ids that become part of a path: another text could lead to another resource, and none to the whole list. */
import { ConfigurationError } from './errors'
import { ID_REMEDY, isSnowflake, type Snowflake } from './ids'

/** @throws ConfigurationError `invalid_argument`, with a message that does not quote the value. */
export function requireId(id: unknown, name: string): Snowflake {
  if (isSnowflake(id)) return id
  throw new ConfigurationError('invalid_argument', name, { remedy: ID_REMEDY })
}
