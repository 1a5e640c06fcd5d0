/** The port to the service, and what an interaction's token alone allows to call (supplement A.5.1). */
import { isText } from '../foundation/encoding'
import { ConfigurationError } from '../foundation/errors'
import { isSnowflake } from '../foundation/ids'
import { requireRecord } from '../foundation/require'
import type { PlayerInteraction } from '../wire/interaction'

export interface InteractionCall {
  method: 'POST' | 'PATCH' | 'DELETE'
  /** Below the API's base URL, beginning with a slash. Holds the token. */
  path: string
  /** As it may stand in an error. */
  route: string
  body?: unknown
  /** ms. */
  timeout: number
}

export interface InteractionCalls {
  /** Gives the decoded body. Rejects with ApiError, NetworkError, ProtocolError. */
  send(call: InteractionCall): Promise<unknown>
}

/** What is needed of an interaction to answer it. */
export type Addressed = Pick<PlayerInteraction, 'id' | 'token' | 'application_id'>

const CALL_TIMEOUT = 10_000
const ADDRESS = 'interaction: id, application_id and token'
/** Names the message that was the first answer. */
const ORIGINAL = '@original'

/** The first answer as a call, where it does not go back with the request. */
export function callbackCall(interaction: Addressed, body: unknown, query = ''): InteractionCall {
  const { id, token } = requireAddress(interaction)
  const path = `/interactions/${id}/${encodeURIComponent(token)}/callback${query}`
  return { method: 'POST', path, route: 'POST /interactions/{interaction.id}/{interaction.token}/callback', body, timeout: CALL_TIMEOUT }
}

/** One more message. */
export function followUpCall(interaction: Addressed, body: unknown): InteractionCall {
  return {
    method: 'POST',
    path: webhook(interaction),
    route: 'POST /webhooks/{application.id}/{interaction.token}',
    body,
    timeout: CALL_TIMEOUT,
  }
}

/** Changes the first answer, or takes it away. */
export function originalCall(interaction: Addressed, method: 'PATCH' | 'DELETE', body?: unknown): InteractionCall {
  const path = `${webhook(interaction)}/messages/${ORIGINAL}`
  const route = `${method} /webhooks/{application.id}/{interaction.token}/messages/${ORIGINAL}`
  return { method, path, route, timeout: CALL_TIMEOUT, ...(body !== undefined && { body }) }
}

function webhook(interaction: Addressed): string {
  const { application_id: application, token } = requireAddress(interaction)
  return `/webhooks/${application}/${encodeURIComponent(token)}`
}

/** Another process may hand over anything, and it becomes a part of a path. @throws ConfigurationError `invalid_argument`. */
function requireAddress(interaction: Addressed): Addressed {
  requireRecord(interaction, ADDRESS)
  const { id, application_id: application, token } = interaction
  if (isSnowflake(id) && isSnowflake(application) && isText(token, /[^.]/)) return interaction
  throw new ConfigurationError('invalid_argument', ADDRESS)
}
