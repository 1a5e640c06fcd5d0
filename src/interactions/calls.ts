/** The port to the service, and what an interaction's token alone allows to call (supplement A.5.1). */
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
/** Names the message that was the first answer. */
const ORIGINAL = '@original'

/** The first answer as a call, where it does not go back with the request. */
export function callbackCall({ id, token }: Addressed, body: unknown, query = ''): InteractionCall {
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

const webhook = ({ application_id: application, token }: Addressed): string => `/webhooks/${application}/${encodeURIComponent(token)}`
