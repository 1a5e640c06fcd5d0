/** Validates the fields of a payload that the SDK itself reads. The signature vouches for the rest. */
import { isRecord } from '../../shared/foundation/untrusted-values'
import { isSnowflake } from '../../shared/foundation/ids'
import type { Interaction, PlayerInteraction } from '../../shared/wire/interaction-request'

export function decodeInteraction(payload: unknown): Interaction | 'malformed_interaction' | 'unknown_type' {
  if (!isRecord(payload) || !isEnvelope(payload)) return 'malformed_interaction'
  if (payload['type'] === 1) return isPing(payload) ? payload : 'malformed_interaction'
  if (!isKnownType(payload['type'])) return 'unknown_type'
  return isFromPlayer(payload) ? payload : 'malformed_interaction'
}

type Fields = Readonly<Record<string, unknown>>

/** The token becomes part of a path, so it must not consist of dots. */
const isEnvelope = ({ id, application_id, token, type }: Fields): boolean =>
  isSnowflake(id) &&
  isSnowflake(application_id) &&
  typeof token === 'string' &&
  /[^.]/.test(token) &&
  typeof type === 'number'

const isKnownType = (type: unknown): boolean => type === 2 || type === 3 || type === 4 || type === 5

const isPing = (payload: Fields): payload is Fields & Interaction => payload['type'] === 1

function isFromPlayer(payload: Fields): payload is Fields & PlayerInteraction {
  const { type, data, member, user } = payload
  const player = isRecord(member) ? member['user'] : user
  return (
    isRecord(data) &&
    isUser(player) &&
    (type === 2 || type === 4 ? isCommandData(data, type) : typeof data['custom_id'] === 'string')
  )
}

const isUser = (user: unknown): boolean => isRecord(user) && typeof user['id'] === 'string'

function isCommandData({ name, type, options, resolved, target_id }: Fields, interaction: number): boolean {
  if (typeof name !== 'string' || (resolved !== undefined && !isRecord(resolved))) return false
  if (type === 1) return options === undefined || Array.isArray(options)
  if (interaction === 4) return false
  return type === 4 || ((type === 2 || type === 3) && typeof target_id === 'string' && isRecord(resolved))
}
