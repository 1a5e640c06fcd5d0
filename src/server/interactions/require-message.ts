/** Response bodies of interaction calls. Pure. */
import { isRecord } from '../../shared/foundation/untrusted-values'
import { ProtocolError } from '../../shared/foundation/errors'
import { isSnowflake } from '../../shared/foundation/ids'
import type { Message } from '../../shared/wire/interaction-request'
import { InteractionError } from './interaction-error'

/** Message flag of a placeholder. */
const LOADING = 128

/** @throws ProtocolError `malformed_response`. */
export function requireMessage(body: unknown, route: string): Message {
  if (isMessage(body)) return body
  throw new ProtocolError('malformed_response', route, { expected: 'a message' })
}

/** True for a placeholder that waits for its text. */
export const isLoading = (message: unknown): boolean => (Number(fields(message)['flags']) & LOADING) !== 0

/** Returns the id of a message; undefined if the response has none. */
export function messageId(message: unknown): string | undefined {
  const { id } = fields(message)
  return isSnowflake(id) ? id : undefined
}

const isMessage = (body: unknown): body is Message => typeof fields(body)['id'] === 'string'

/**
 * Reads the instance id from either of its two locations (docs/interface/activities.md#launching).
 * @throws InteractionError `instance_unknown`.
 */
export function instanceId(body: unknown): string {
  const { interaction, resource } = fields(body)
  const id =
    fields(interaction)['activity_instance_id'] ?? fields(fields(resource)['activity_instance'])['id']
  if (typeof id !== 'string') throw new InteractionError('instance_unknown')
  return id
}

const fields = (value: unknown): Readonly<Record<string, unknown>> => (isRecord(value) ? value : {})
