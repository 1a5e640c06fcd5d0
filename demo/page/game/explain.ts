/** Describes an error and advises what to do about it: by class, with specific advice for some codes. */
import { FoyerError, ProtocolError, RateLimitError, ValidationError } from 'foyer-sdk'
import { duration } from '../foundation/format-time'
import { causeOf, type Cause } from './cause-of'
import { FaultControlError } from './fault-controls'

export interface Failure {
  className: string
  code: string
  /** Details that the message adds to the code; may be empty. */
  detail: string
  advice: string
  /** Party that caused the error, if the SDK can tell. */
  cause?: Cause
  /** Description sent by the service. Untrusted: show it as text only. */
  quote?: string
}

const BY_CLASS: Partial<Record<string, string>> = {
  ConfigurationError: 'Fix the code or the settings; trying again changes nothing.',
  ValidationError: 'Fix the marked arguments.',
  AuthorizationError: 'Let the player try again.',
  SessionError: 'Sign in again.',
  NetworkError: 'Check that the service is running and reachable, then try again.',
  ApiError: 'Read its status; with 5xx or 429 try again later.',
  ProtocolError: 'Report it to the service: it broke its own contract.',
}

const BY_CODE: Partial<Record<string, string>> = {
  missing_service_host: 'Set the host of the service.',
  missing_application_id: 'Set the application id.',
  insecure_endpoint: 'Use an https: address, or http: on this machine, without credentials and fragment.',
  access_denied: 'The player declined. Show the sign-in button again.',
  aborted: 'The sign-in was cancelled. Try again at any time.',
  popup_blocked: 'Allow popups for this page, or sign in by redirect.',
  window_closed: 'The window was closed before the player decided. Try again.',
  timed_out: 'The player did not respond in time. Try again, or increase the timeout.',
  state_mismatch:
    'This callback belongs to no attempt of this page: it was used already, is too old, or was started elsewhere. Start a new sign-in.',
  stale: 'The player returned without a response. Show the sign-in button again.',
  invalid_grant: 'The code was used before, is too old, or its verifier does not fit. Start a new sign-in.',
  invalid_scope: 'The service does not support one of the scopes. Fix them in the arguments.',
  issuer_mismatch: 'Compare the issuer in the settings with the one the service sends, character by character.',
  connection_failed: 'Is the service running, and does it allow this origin (CORS)? Then try again.',
  keys_unavailable: 'The keys that sign ID tokens could not be fetched. Check the keys URL, then try again.',
  http_401: 'The service refuses a token that was just issued, so a refresh would not help yet. Try again in a minute.',
  made_by_server: 'Only the game’s backend can remove players from a lobby that it created.',
  unknown_lobby: 'The lobby has ended. Join again to create a new one.',
  missing_scope: 'The session has no such scope. Sign out, and sign in again.',
  missing_permission: 'Linking needs the flag CanLinkLobby in the lobby, and the permissions to manage, view and write in the channel.',
  missing_access: 'This player is not in the lobby any more. Join again.',
  signed_out: 'Nobody is signed in: sign in first.',
  session_expired: 'The session has no refresh token. Sign in again.',
  refresh_rejected: 'The service has ended the session. Sign in again.',
  refresh_in_doubt: 'A response was lost. The session is kept; try again in half a minute.',
  refresh_answer_lost: 'A response with new tokens was lost, and the service no longer accepts the old ones. Sign in again.',
  offline: 'There is no network. The session is kept.',
  invalid_id_token: 'Do not trust this response. Check issuer and application id in the settings; if they are right, report it.',
}

/** Advice for one field or claim, where that is more specific than its code. */
const BY_FIELD: Partial<Record<string, string>> = {
  'invalid_id_token: sub':
    'The service identifies this player by a value that is no decimal number. Foyer supports decimal ids only: it cannot be used with this service.',
  'invalid_argument: applicationId':
    'An application id is a decimal number without sign or spaces, as the service shows it. Copy it again.',
  'invalid_argument: clientId': 'A client id is a decimal number without sign or spaces, as the service shows it. Copy it again.',
}

const LIMITS: Partial<Record<string, string>> = {
  join_lobby: 'A player may join 10 times in 60 seconds.',
  send_message: 'A player may write 3,000 messages in 2 hours, or the limit that the service last reported.',
  global: 'The application may send 50 requests a second.',
}

export function explain(error: unknown): Failure {
  if (error instanceof FaultControlError) return adviceOnFaultControls(error)
  if (!(error instanceof FoyerError)) {
    return { className: 'Error', code: 'unexpected', detail: String(error), advice: 'This is a bug in the page: please report it.' }
  }
  const { name, code, message } = error
  const advice = error instanceof RateLimitError ? adviceOnLimit(error) : adviceOn(error)
  const cause = causeOf(error)
  const quote = 'untrustedDescription' in error && error.untrustedDescription
  return {
    className: name,
    code,
    detail: detailOf(message, code),
    advice,
    ...(cause && { cause }),
    ...(typeof quote === 'string' && { quote }),
  }
}

function adviceOnFaultControls({ name, message }: FaultControlError): Failure {
  const advice = 'The emulator, or the server of this page, does not answer. Is `npm run demo` still running? Start it again and reload.'
  return { className: name, code: 'service_down', detail: message, advice }
}

function adviceOn(error: FoyerError): string {
  const { name, code } = error
  const fields = error instanceof ValidationError ? error.issues.map(({ path }) => path) : [fieldOf(error)]
  const [byPlace] = fields.flatMap((field) => BY_FIELD[`${code}: ${field}`] ?? [])
  return byPlace ?? BY_CODE[code] ?? BY_CLASS[name] ?? 'Try again.'
}

/** Returns the claim or setting that the error names. */
function fieldOf(error: FoyerError): string {
  if (error instanceof ProtocolError) return error.path ?? ''
  return /\b(?:applicationId|clientId)\b/.exec(error.message)?.[0] ?? ''
}

function adviceOnLimit({ code, bucket, retryAfter }: RateLimitError): string {
  const wait = duration(Math.ceil(retryAfter / 1000) * 1000)
  if (code === 'too_many_refusals')
    return `So many requests were refused that the service would soon block this address. Try again in ${wait}.`
  return `${LIMITS[bucket] ?? 'The limit is full.'} Try again in ${wait}: a call does not wait that long, so this one was rejected.`
}

/** Strips the code from the message, which begins with it. */
function detailOf(message: string, code: string): string {
  return message.replace(code.replaceAll('_', ' '), '').replace(/^: /, '')
}

/** Groups the issues of a `ValidationError` by field. */
export function issuesByField(error: FoyerError | undefined): Partial<Record<string, string>> {
  if (!(error instanceof ValidationError)) return {}
  return Object.fromEntries(error.issues.map(({ path, code, message }) => [path, `${code}: ${message}`]))
}

/** Parses the field from the message: `ConfigurationError` has no property for it. */
export function configurationField(error: FoyerError): string {
  if (error.code === 'missing_service_host') return 'host'
  return /: (?:service\.)?(\w+)/.exec(error.message)?.[1] ?? ''
}
