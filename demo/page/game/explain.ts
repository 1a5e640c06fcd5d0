/** Describes an error and advises what to do about it: by class, with specific advice for some codes. */
import { FoyerError, ProtocolError, RateLimitError, ValidationError } from 'foyer-sdk'
import { duration } from '../foundation/format-time'
import { adviceFor } from './advice-for'
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

