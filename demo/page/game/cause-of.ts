/** Attributes an error to the party that caused it, as far as the SDK can know. */
import { ApiError, type FoyerError, ProtocolError } from 'foyer-sdk'

export type Cause =
  'this page or its settings' | 'the service' | 'the player' | 'the browser' | 'the network' | 'a used or foreign callback'

const BY_CODE: Partial<Record<string, Cause>> = {
  access_denied: 'the player',
  window_closed: 'the player',
  timed_out: 'the player',
  aborted: 'the player',
  popup_blocked: 'the browser',
  unsupported: 'the browser',
  offline: 'the network',
  connection_failed: 'the network',
  state_mismatch: 'a used or foreign callback',
  stale: 'a used or foreign callback',
  invalid_grant: 'a used or foreign callback',
  keys_unavailable: 'the service',
  server_error: 'the service',
  temporarily_unavailable: 'the service',
  extra_scopes: 'the service',
  refresh_rejected: 'the service',
}

const BY_CLASS: Partial<Record<string, Cause>> = {
  ConfigurationError: 'this page or its settings',
  ValidationError: 'this page or its settings',
  AuthorizationError: 'this page or its settings',
  SessionError: 'this page or its settings',
  RateLimitError: 'this page or its settings',
  NetworkError: 'the network',
  ProtocolError: 'the service',
}

/** Claims that differ also when the settings name another service or application. */
const BY_CLAIM: Partial<Record<string, Cause>> = { iss: 'this page or its settings', aud: 'this page or its settings' }

export function causeOf(error: FoyerError): Cause | undefined {
  if (error instanceof ProtocolError && error.code === 'invalid_id_token') return BY_CLAIM[error.path ?? ''] ?? 'the service'
  if (error instanceof ApiError) return (error.status ?? 500) >= 500 || error.status === 429 ? 'the service' : 'this page or its settings'
  return BY_CODE[error.code] ?? BY_CLASS[error.name]
}
