/** Describes an error: who caused it, and what to do about it. */
import {
  ApiError,
  AuthorizationError,
  FoyerError,
  ProtocolError,
  RateLimitError,
  ValidationError,
} from 'foyer-sdk'
import { duration } from 'kit/format-time'
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

const LIMITS: Partial<Record<string, string>> = {
  join_lobby: 'A player may join 10 times in 60 seconds.',
  send_message: 'A player may write 3,000 messages in 2 hours, or the limit that the service last reported.',
  global: 'The application may send 50 requests a second.',
}

export function explain(error: unknown): Failure {
  if (error instanceof FaultControlError) return adviceOnFaultControls(error)
  if (!(error instanceof FoyerError)) {
    return {
      className: 'Error',
      code: 'unexpected',
      detail: String(error),
      advice: 'This is a bug in the page: please report it.',
    }
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
    // The rule of the emulator is in both.
    ...(typeof quote === 'string' && !message.includes(quote) && { quote }),
  }
}

function adviceOnFaultControls({ name, message }: FaultControlError): Failure {
  const advice =
    'The emulator, or the server of this page, does not answer. Is `npm run demo` still running? Start it again and reload.'
  return { className: name, code: 'service_down', detail: message, advice }
}

function adviceOn(error: FoyerError): string {
  const fields = error instanceof ValidationError ? error.issues.map(({ path }) => path) : [fieldOf(error)]
  return adviceFor(error, fields)
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

const REDIRECT_ADVICE =
  'Send a redirect URI that is registered, or register this one, character by character. Trying again changes nothing.'

const ADVICE_BY_CLASS: Partial<Record<string, string>> = {
  ConfigurationError: 'Fix the code or the settings; trying again changes nothing.',
  ValidationError: 'Fix the marked arguments.',
  AuthorizationError: 'Let the player try again.',
  SessionError: 'Sign in again.',
  NetworkError: 'Check that the service is running and reachable, then try again.',
  ApiError: 'Read its status; with 5xx or 429 try again later.',
  ProtocolError: 'Report it to the service: it broke its own contract.',
}

const ADVICE_BY_CODE: Partial<Record<string, string>> = {
  missing_service_host: 'Set the host of the service.',
  missing_application_id: 'Set the application id.',
  insecure_endpoint: 'Use an https: address, or http: on this machine, without credentials and fragment.',
  access_denied: 'The player declined. Show the sign-in button again.',
  invalid_request:
    'The service does not take this request. Its own words name the parameter; compare it under Request.',
  invalid_client:
    'The service does not know this application id, or expects a client secret. Compare the id in the settings of the service.',
  unauthorized_client: 'The application may not sign in this way. Allow it in its settings at the service.',
  unsupported_response_type:
    'The service has no authorization code flow for this application, and Foyer uses no other.',
  server_error: 'The service failed. Try again later, and report it if it goes on.',
  temporarily_unavailable: 'The service is overloaded or in maintenance. Try again later.',
  login_required: 'prompt=none was asked for, and nobody is signed in at the service. Sign in without it.',
  interaction_required: 'prompt=none was asked for, and the player has not agreed yet. Sign in without it.',
  consent_required: 'prompt=none was asked for, and the player has not agreed yet. Sign in without it.',
  redirect_mismatch:
    'The callback came to another address than the one that was sent. Compare both under Request and Exchange.',
  missing_code: 'The callback has neither a code nor an error. Report it to the service.',
  malformed_callback: 'This is no callback: it is no address, too long, or has a parameter twice.',
  response_type_mismatch:
    'The callback has its answer in the fragment, or tokens in place of a code. Foyer asks for a code in the query: leave out response_mode and response_type.',
  callback_unavailable: 'The callback page did not answer. The message says what is wrong with it.',
  aborted: 'The sign-in was cancelled. Try again at any time.',
  surface_failed:
    'This page could not show the consent page: its message says why. A server of the page that has stopped is started with `npm run demo`.',
  popup_blocked: 'Allow popups for this page, or sign in by redirect.',
  window_closed: 'The window was closed before the player decided. Try again.',
  timed_out: 'The player did not respond in time. Try again, or increase the timeout.',
  state_mismatch:
    'This callback belongs to no attempt of this page: it was used already, is too old, or was started elsewhere. Start a new sign-in.',
  stale: 'The player returned without a response. Show the sign-in button again.',
  invalid_grant: 'The code was used before, is too old, or its verifier does not fit. Start a new sign-in.',
  invalid_scope: 'The service does not support one of the scopes. Fix them in the arguments.',
  issuer_mismatch:
    'Compare the issuer in the settings with the one the service sends, character by character.',
  connection_failed: 'Is the service running, and does it allow this origin (CORS)? Then try again.',
  keys_unavailable: 'The keys that sign ID tokens could not be fetched. Check the keys URL, then try again.',
  http_401:
    'The service refuses a token that was just issued, so a refresh would not help yet. Try again in a minute.',
  made_by_server: 'Only the game’s backend can remove players from a lobby that it created.',
  unknown_lobby: 'The lobby has ended. Join again to create a new one.',
  missing_scope: 'The session has no such scope. Sign out, and sign in again.',
  missing_permission:
    'Linking needs the flag CanLinkLobby in the lobby, and the permissions to manage, view and write in the channel.',
  missing_access: 'This player is not in the lobby any more. Join again.',
  signed_out: 'Nobody is signed in: sign in first.',
  session_expired: 'The session has no refresh token. Sign in again.',
  refresh_rejected: 'The service has ended the session. Sign in again.',
  refresh_in_doubt: 'A response was lost. The session is kept; try again in half a minute.',
  refresh_answer_lost:
    'A response with new tokens was lost, and the service no longer accepts the old ones. Sign in again.',
  offline: 'There is no network. The session is kept.',
  invalid_id_token:
    'Do not trust this response. Check issuer and application id in the settings; if they are right, report it.',
}

/** Advice for one field or claim, where that is more specific than its code. */
const ADVICE_BY_FIELD: Partial<Record<string, string>> = {
  'invalid_id_token: sub':
    'The service identifies this player by a value that is no decimal number. Foyer supports decimal ids only: it cannot be used with this service.',
  'invalid_argument: applicationId':
    'An application id is a decimal number without sign or spaces, as the service shows it. Copy it again.',
  'invalid_argument: clientId':
    'A client id is a decimal number without sign or spaces, as the service shows it. Copy it again.',
}

/** Advice on a request that the API refused, by the first of these that fits its status. */
const ADVICE_BY_STATUS: readonly (readonly [from: number, to: number, advice: string])[] = [
  [400, 400, 'The request is wrong: compare its body with what the API takes. Trying again changes nothing.'],
  [401, 401, 'The API does not accept this token. Refresh the session, or sign in again.'],
  [
    403,
    403,
    'The player or the application may not do this. Compare the scopes of the session with those that the call needs.',
  ],
  [404, 404, 'It does not exist, or not any more. Read the address of the request.'],
  [405, 428, 'The API refuses this request in its present state. Read the body of its response.'],
  [429, 429, 'Too many requests were sent. Wait as long as Retry-After says.'],
  [500, 599, 'The service failed. Try again later, and report it if it goes on.'],
]

/** True if the service says that the redirect URI is not registered. */
export function isRedirectRefused(error: unknown): error is AuthorizationError {
  return (
    error instanceof AuthorizationError &&
    /redirect_uri/.test(`${error.code} ${error.message} ${error.untrustedDescription ?? ''}`)
  )
}

/** @param fields claims or settings that the error names. */
function adviceFor(error: FoyerError, fields: readonly string[]): string {
  const { name, code } = error
  const [byPlace] = fields.flatMap((field) => ADVICE_BY_FIELD[`${code}: ${field}`] ?? [])
  if (byPlace !== undefined) return byPlace
  if (isRedirectRefused(error)) return REDIRECT_ADVICE
  return ADVICE_BY_CODE[code] ?? byStatus(error) ?? ADVICE_BY_CLASS[name] ?? 'Try again.'
}

function byStatus(error: FoyerError): string | undefined {
  if (!(error instanceof ApiError)) return undefined
  const { status } = error
  return ADVICE_BY_STATUS.find(([from, to]) => status >= from && status <= to)?.[2]
}

type Cause =
  | 'this page or its settings'
  | 'the service'
  | 'the player'
  | 'the browser'
  | 'the network'
  | 'a used or foreign callback'

const CAUSE_BY_CODE: Partial<Record<string, Cause>> = {
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

const CAUSE_BY_CLASS: Partial<Record<string, Cause>> = {
  ConfigurationError: 'this page or its settings',
  ValidationError: 'this page or its settings',
  AuthorizationError: 'this page or its settings',
  SessionError: 'this page or its settings',
  RateLimitError: 'this page or its settings',
  NetworkError: 'the network',
  ProtocolError: 'the service',
}

/** Claims that differ also when the settings name another service or application. */
const CAUSE_BY_CLAIM: Partial<Record<string, Cause>> = {
  iss: 'this page or its settings',
  aud: 'this page or its settings',
}

function causeOf(error: FoyerError): Cause | undefined {
  if (error instanceof ProtocolError && error.code === 'invalid_id_token')
    return CAUSE_BY_CLAIM[error.path ?? ''] ?? 'the service'
  if (error instanceof ApiError)
    return (error.status ?? 500) >= 500 || error.status === 429 ? 'the service' : 'this page or its settings'
  return CAUSE_BY_CODE[error.code] ?? CAUSE_BY_CLASS[error.name]
}
