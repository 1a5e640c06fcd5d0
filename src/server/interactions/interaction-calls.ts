/** Port to the service, and the calls that an interaction token authorizes (docs/interface/interactions.md#delivery). */
import { isText, ownFields } from '../../shared/foundation/untrusted-values'
import { ConfigurationError } from '../../shared/foundation/errors'
import { isSnowflake } from '../../shared/foundation/ids'
import { requireRecord } from '../../shared/foundation/options'
import { EncodedBody } from '../messages/encode-body'
import type { PreparedMessage } from '../messages/prepare-message'
import type { PlayerInteraction } from '../../shared/wire/interaction-request'
import type { CheckedBody } from '../../shared/http/checked-body'

export interface InteractionCall {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Path below the API's base URL, starting with a slash. Contains the token, so never log it. */
  path: string
  /** Route template, safe for errors and logs. */
  route: string
  body?: EncodedBody | undefined
  /** Time-out of one attempt in ms. */
  timeout: number
  /** Epoch ms after which nothing is sent. Default: 15 minutes from now, the longest life of a token. */
  deadline?: number
  /**
   * Error number with which the service says that it has applied the call before; undefined if a second call would be applied too. Such
   * a call is not repeated after its response got lost.
   */
  appliedCode?: number
}

export interface InteractionCalls {
  /** Resolves with the decoded body. @throws ApiError, NetworkError, ProtocolError. */
  send(call: InteractionCall): Promise<unknown>
}

/** Fields of an interaction that responses need. */
export type Addressed = Pick<PlayerInteraction, 'id' | 'token' | 'application_id'>

const CALL_TIMEOUT = 10_000
/** Error number for an interaction that has its first response (docs/interface/interactions.md#delivery). */
const ACKNOWLEDGED = 40_060
const REQUIRED_FIELDS = 'interaction: id, application_id and token'
/** Refers to the message of the first response. */
const ORIGINAL = '@original'

interface CallbackOptions extends Partial<Pick<PreparedMessage, 'files'>> {
  readonly query?: string
}

/** Sends the first response as a separate call instead of the HTTP response. */
export function callbackCall(
  interaction: Addressed,
  response: CheckedBody,
  options?: CallbackOptions,
): InteractionCall {
  const { files, query = '' } = ownFields({ ...options })
  const { id, token } = requireFields(interaction)
  const path = `/interactions/${id}/${encodeURIComponent(token)}/callback${query}`
  const route = 'POST /interactions/{interaction.id}/{interaction.token}/callback'
  return {
    method: 'POST',
    path,
    route,
    body: EncodedBody.of(response, files),
    timeout: CALL_TIMEOUT,
    appliedCode: ACKNOWLEDGED,
  }
}

/** Sends a further message. */
export function followUpCall(interaction: Addressed, { body, files }: PreparedMessage): InteractionCall {
  return {
    method: 'POST',
    path: webhook(interaction),
    route: 'POST /webhooks/{application.id}/{interaction.token}',
    body: EncodedBody.of(body, files),
    timeout: CALL_TIMEOUT,
  }
}

/** Reads, edits or deletes a message. Default: that of the first response. */
export function messageCall(
  interaction: Addressed,
  method: 'GET' | 'PATCH' | 'DELETE',
  options?: { id?: string | undefined; message?: PreparedMessage },
): InteractionCall {
  const { id, message } = ownFields({ ...options })
  const path = `${webhook(interaction)}/messages/${id ?? ORIGINAL}`
  const route = `${method} /webhooks/{application.id}/{interaction.token}/messages/${id === undefined ? ORIGINAL : '{message.id}'}`
  return {
    method,
    path,
    route,
    timeout: CALL_TIMEOUT,
    body: message && EncodedBody.of(message.body, message.files),
  }
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
