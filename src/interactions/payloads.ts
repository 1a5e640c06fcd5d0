/** What is said to the service of an interaction, and what it says back. Pure. */
import { isRecord } from '../foundation/encoding'
import { ProtocolError } from '../foundation/errors'
import { requireRecord } from '../foundation/require'
import type { Message } from '../wire/interaction'
import type { MessageData } from '../wire/interaction-response'
import type { Reply } from './interaction-types'
import { InteractionError } from './error'

/** The bit of a message that one player alone sees. */
export const EPHEMERAL = 64

/** `ephemeral` becomes its bit. @throws ConfigurationError `invalid_argument` for what is no reply. */
export function messageData(reply: Reply | string): MessageData {
  if (typeof reply === 'string') return { content: reply }
  requireRecord(reply, 'reply')
  const { ephemeral, ...data } = reply
  return ephemeral ? { ...data, flags: (data.flags ?? 0) | EPHEMERAL } : data
}

/** @throws ProtocolError `malformed_response`. */
export function requireMessage(body: unknown, route: string): Message {
  if (isMessage(body)) return body
  throw new ProtocolError('malformed_response', route, { expected: 'a message' })
}

const isMessage = (body: unknown): body is Message => typeof fields(body)['id'] === 'string'

/** Told in two places (supplement C.6). @throws InteractionError `instance_unknown`. */
export function instanceId(body: unknown): string {
  const { interaction, resource } = fields(body)
  const id = fields(interaction)['activity_instance_id'] ?? fields(fields(resource)['activity_instance'])['id']
  if (typeof id !== 'string') throw new InteractionError('instance_unknown')
  return id
}

const fields = (value: unknown): Readonly<Record<string, unknown>> => (isRecord(value) ? value : {})
