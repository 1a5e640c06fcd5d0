/** What went wrong, and what to do about it, for each class of error and for the codes that deserve their own words. */
import { FoyerError, ProtocolError, RateLimitError, ValidationError } from 'foyer-sdk'
import { duration } from '../ui/time'
import { FaultControlError } from './fault-controls'

export interface Failure {
  className: string
  code: string
  /** What the message adds to the code; may be empty. */
  detail: string
  advice: string
  /** The service's own words. Anyone may have written them: text only. */
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
  missing_service_host: 'Say where the service lives.',
  missing_application_id: 'Say which application asks.',
  insecure_endpoint: 'Use an https: address, or http: on this machine, without credentials and fragment.',
  access_denied: 'The player said no. Stay where you are and offer the button again.',
  aborted: 'You cancelled. Nothing is left behind; try again whenever you like.',
  popup_blocked: 'Allow popups for this page, or sign in by redirect.',
  window_closed: 'The window was closed before the player answered. Try again.',
  timed_out: 'Nobody answered in time. Try again, or give the player longer.',
  state_mismatch: 'This answer belongs to no attempt of this page: it was used, is too old, or was begun elsewhere. Start a new sign-in.',
  stale: 'The player came back without an answer. Offer the button again.',
  invalid_grant: 'The code was used before, is too old, or its verifier does not fit. Start a new sign-in.',
  invalid_scope: 'The service does not know one of the scopes. Fix them in the arguments.',
  issuer_mismatch: 'Compare the issuer in the settings with the one the service sends, character by character.',
  connection_failed: 'Is the service running, and does it allow this origin (CORS)? Then try again.',
  keys_unavailable: 'The keys that sign ID tokens could not be fetched. Check the keys URL, then try again.',
  http_401: 'The service refuses a token that is only just made, so a renewal would not help yet. Try again in a minute.',
  made_by_server: 'Only the game’s backend removes players from a lobby that it made.',
  unknown_lobby: 'The lobby has ended. Join again, and it is made anew.',
  missing_access: 'This player is not in the lobby any more. Join again.',
  signed_out: 'Nobody is signed in: sit down first.',
  session_expired: 'There is nothing to renew the session with. Sign in again.',
  refresh_rejected: 'The service has ended the session. Sign in again.',
  refresh_in_doubt: 'An answer was lost on the way. The session stays; try again in half a minute.',
  refresh_answer_lost: 'An answer with new tokens was lost on the way, and the service takes the old ones no more. Sign in again.',
  offline: 'There is no network. The session stays.',
  invalid_id_token: 'Do not trust this answer. Check issuer and application id in the settings; if they are right, report it.',
}

/** A mistake in one field or claim, where that says more than its code. */
const BY_PLACE: Partial<Record<string, string>> = {
  'invalid_id_token: sub':
    'The service names this player by something that is no decimal number. Foyer takes decimal ids only: it cannot be used with this service.',
  'invalid_argument: applicationId':
    'An application id is a decimal number without sign or spaces, as the service shows it. Copy it again.',
  'invalid_argument: clientId': 'A client id is a decimal number without sign or spaces, as the service shows it. Copy it again.',
}

const LIMITS: Partial<Record<string, string>> = {
  join_lobby: 'A player may join 10 times in 60 seconds.',
  send_message: 'A player may write 3,000 messages in 2 hours, or what the service has just said.',
  global: 'The application may send 50 requests a second.',
}

export function explain(error: unknown): Failure {
  if (error instanceof FaultControlError) return adviceOnFaultControls(error)
  if (!(error instanceof FoyerError)) {
    return { className: 'Error', code: 'unexpected', detail: String(error), advice: 'This is a fault of the page: please report it.' }
  }
  const { name, code, message } = error
  const advice = error instanceof RateLimitError ? adviceOnLimit(error) : adviceOn(error)
  const quote = 'untrustedDescription' in error && error.untrustedDescription
  return { className: name, code, detail: detailOf(message, code), advice, ...(typeof quote === 'string' && { quote }) }
}

function adviceOnFaultControls({ name, message }: FaultControlError): Failure {
  const advice = 'The emulator, or the server of this page, does not answer. Is `npm run demo` still running? Start it again and reload.'
  return { className: name, code: 'service_down', detail: message, advice }
}

function adviceOn(error: FoyerError): string {
  const { name, code } = error
  const fields = error instanceof ValidationError ? error.issues.map(({ path }) => path) : [placeOf(error)]
  const [byPlace] = fields.flatMap((field) => BY_PLACE[`${code}: ${field}`] ?? [])
  return byPlace ?? BY_CODE[code] ?? BY_CLASS[name] ?? 'Try again.'
}

/** The claim, or the setting that a message names. */
function placeOf(error: FoyerError): string {
  if (error instanceof ProtocolError) return error.path ?? ''
  return /\b(?:applicationId|clientId)\b/.exec(error.message)?.[0] ?? ''
}

function adviceOnLimit({ code, bucket, retryAfter }: RateLimitError): string {
  const wait = duration(Math.ceil(retryAfter / 1000) * 1000)
  if (code === 'too_many_refusals') return `So much was refused that the service would soon block this address. Try again in ${wait}.`
  return `${LIMITS[bucket] ?? 'The limit is full.'} Try again in ${wait}: that is longer than a call waits, so this one was not kept.`
}

/** Messages begin with the code in words. */
function detailOf(message: string, code: string): string {
  return message.replace(code.replaceAll('_', ' '), '').replace(/^: /, '')
}

/** The faults of an input by the field they belong to. */
export function faultsByField(error: FoyerError | undefined): Partial<Record<string, string>> {
  if (!(error instanceof ValidationError)) return {}
  return Object.fromEntries(error.issues.map(({ path, code, message }) => [path, `${code}: ${message}`]))
}

/** `ConfigurationError` names the field inside its message only. */
export function configurationField(error: FoyerError): string {
  if (error.code === 'missing_service_host') return 'host'
  return /: (?:service\.)?(\w+)/.exec(error.message)?.[1] ?? ''
}
