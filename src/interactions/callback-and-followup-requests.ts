/** Port to the service, and the calls that an interaction token authorizes (docs/interface/interactions.md#delivery). */
import { isText } from '../foundation/guard-untrusted-values'
import { ConfigurationError } from '../foundation/errors'
import { isSnowflake } from '../foundation/ids'
import { requireRecord } from '../foundation/require-record'
import { encodeBody, type EncodedBody } from '../messages/encode-body'
import type { PreparedMessage } from '../messages/prepare-message'
import type { PlayerInteraction } from '../wire/interaction-request'
import type { InteractionResponse } from '../wire/interaction-response'

export interface InteractionCall {
  method: 'POST' | 'PATCH' | 'DELETE'
  /** Path below the API's base URL, starting with a slash. Contains the token, so never log it. */
  path: string
  /** Route template, safe for errors and logs. */
  route: string
  body?: EncodedBody | undefined
  /** Time-out in ms. */
  timeout: number
}

export interface InteractionCalls {
  /** Resolves with the decoded body. @throws ApiError, NetworkError, ProtocolError. */
  send(call: InteractionCall): Promise<unknown>
}

/** Fields of an interaction that responses need. */
export type Addressed = Pick<PlayerInteraction, 'id' | 'token' | 'application_id'>

const CALL_TIMEOUT = 10_000
const REQUIRED_FIELDS = 'interaction: id, application_id and token'
/** Refers to the message of the first response. */
const ORIGINAL = '@original'

interface CallbackOptions extends Partial<Pick<PreparedMessage, 'files'>> {
  readonly query?: string
}

/** Sends the first response as a separate call instead of the HTTP response. */
export function callbackCall(
  interaction: Addressed,
  response: InteractionResponse,
  { files, query = '' }: CallbackOptions = {},
): InteractionCall {
  const { id, token } = requireFields(interaction)
  const path = `/interactions/${id}/${encodeURIComponent(token)}/callback${query}`
  const route = 'POST /interactions/{interaction.id}/{interaction.token}/callback'
  return { method: 'POST', path, route, body: encodeBody(response, files), timeout: CALL_TIMEOUT }
}

/** Sends a further message. */
export function followUpCall(interaction: Addressed, { data, files }: PreparedMessage): InteractionCall {
  return {
    method: 'POST',
    path: webhook(interaction),
    route: 'POST /webhooks/{application.id}/{interaction.token}',
    body: encodeBody(data, files),
    timeout: CALL_TIMEOUT,
  }
}

/** Edits or deletes the first response. */
export function originalCall(interaction: Addressed, method: 'PATCH' | 'DELETE', message?: PreparedMessage): InteractionCall {
  const path = `${webhook(interaction)}/messages/${ORIGINAL}`
  const route = `${method} /webhooks/{application.id}/{interaction.token}/messages/${ORIGINAL}`
  const body = message && encodeBody(message.data, message.files)
  return { method, path, route, timeout: CALL_TIMEOUT, body }
}

function webhook(interaction: Addressed): string {
  const { application_id: application, token } = requireFields(interaction)
  return `/webhooks/${application}/${encodeURIComponent(token)}`
}

/** Validates the fields, because they become part of a path. @throws ConfigurationError `invalid_argument`. */
function requireFields(interaction: Addressed): Addressed {
  requireRecord(interaction, REQUIRED_FIELDS)
  const { id, application_id: application, token } = interaction
  if (isSnowflake(id) && isSnowflake(application) && isText(token, /[^.]/)) return interaction
  throw new ConfigurationError('invalid_argument', REQUIRED_FIELDS)
}
