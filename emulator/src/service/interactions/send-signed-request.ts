/** Sends one signed request to the backend, with a timeout of three seconds. */
import { textOf } from '../../foundation/values.js'
import type { Files } from './backend-response.js'
import { isMultipart, readUpload, type Upload } from './read-upload.js'
import { createPrivateKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto'

/** Request and response. One-time tokens are hidden wherever it is shown. */
export interface SignedRequestResult {
  url: string
  headers: Record<string, string>
  body: string
  /** Undefined without a response; `failure` then names the reason. */
  answer: { status: number; headers: Record<string, string>; body: string; files: Files } | undefined
  failure: string | undefined
  /** Duration in milliseconds. */
  ms: number
}

export const DEADLINE = 3000
const MAX_ANSWER = 1_048_576

/** Never rejects; `failure` describes an error. */
export async function sendSignedRequest(
  url: string,
  payload: unknown,
  key: KeyObject,
): Promise<SignedRequestResult> {
  const body = JSON.stringify(payload)
  const signed = signatureHeaders(body, String(Math.floor(Date.now() / 1000)), key)
  const headers = {
    'Content-Type': 'application/json',
    'User-Agent': 'Service-Interactions/1.0 (foyer-emulator)',
    ...signed,
  }
  const sent = { url, headers, body }
  const started = performance.now()
  const ms = () => Math.round(performance.now() - started)
  try {
    const signal = AbortSignal.timeout(DEADLINE)
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal })
    const read = await readAnswer(response)
    signal.throwIfAborted()
    if (read === undefined)
      return { ...sent, answer: undefined, failure: 'the answer is no valid multipart', ms: ms() }
    const { text, files } = read
    if (text.length > MAX_ANSWER)
      return { ...sent, answer: undefined, failure: 'the answer is longer than 1 MiB', ms: ms() }
    const answer = {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: text,
      files,
    }
    return { ...sent, answer, failure: undefined, ms: ms() }
  } catch (error) {
    return { ...sent, answer: undefined, failure: reasonOf(error, url), ms: ms() }
  }
}

/** JSON, or JSON with files; undefined for a multipart body that cannot be read. */
async function readAnswer(response: Response): Promise<Upload | undefined> {
  return isMultipart(response.headers.get('content-type'))
    ? readUpload(response)
    : { text: await response.text(), files: new Map() }
}

function reasonOf(error: unknown, url: string): string {
  if (error instanceof Error && error.name === 'TimeoutError') return 'no answer within 3 seconds'
  return describeConnectionFailure(error instanceof Error ? error.cause : undefined, url)
}

export function readKey(pkcs8: string): KeyObject {
  return createPrivateKey({ key: Buffer.from(pkcs8, 'base64'), format: 'der', type: 'pkcs8' })
}

/** Random key: its signatures are well-formed forgeries. */
export function forgersKey(): KeyObject {
  return generateKeyPairSync('ed25519').privateKey
}

function signatureHeaders(body: string, timestamp: string, key: KeyObject): Record<string, string> {
  const signature = sign(null, Buffer.from(timestamp + body), key)
  return { 'X-Signature-Ed25519': signature.toString('hex'), 'X-Signature-Timestamp': timestamp }
}

const SELF_SIGNED = new Set(['DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN'])
const OTHER_CERTIFICATE: Record<string, string> = {
  CERT_HAS_EXPIRED: 'has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'is for another host',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'comes without its intermediate certificates',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'is of an unknown authority',
}
/** The peer speaks HTTP where TLS is expected. */
const NO_TLS = new Set(['EPROTO', 'ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_PACKET_LENGTH_TOO_LONG'])

/** Returns the problem of an address, or undefined. Never quotes user info. */
export function problemOfAddress(url: string): string | undefined {
  const parsed = URL.parse(url)
  if (parsed === null) return 'the address is no URL'
  return parsed.username === '' && parsed.password === ''
    ? undefined
    : 'the address holds a user name or a password, which the service does not send: remove the part before the @'
}

/** Returns the reason why no response came. */
function describeConnectionFailure(cause: unknown, url: string): string {
  const code = cause instanceof Error && 'code' in cause ? (textOf(cause.code) ?? '') : ''
  const place = URL.parse(url)?.origin ?? 'this address'
  if (SELF_SIGNED.has(code))
    return `the certificate of ${place} is self-signed (${code}), and the service accepts only those of public authorities: use http: for a local backend`
  const certificate = OTHER_CERTIFICATE[code]
  if (certificate !== undefined) return `the certificate of ${place} ${certificate} (${code})`
  if (NO_TLS.has(code)) return `${place} does not speak TLS (${code}): is it http: instead of https:?`
  return `nothing answers at ${place}${code === '' ? '' : ` (${code})`}`
}

/** Returns the reason why a response to a request with a wrong signature is not the expected 401. */
export function problemOfForged({
  status,
  headers,
}: {
  status: number
  headers: Record<string, string>
}): string | undefined {
  if (status === 401) return undefined
  const answered = `a request with a wrong signature was answered with ${status} instead of 401`
  if (status >= 300 && status < 400)
    return `${answered}: it redirects to ${targetOf(headers)}, and the service follows no redirects: enter the final address`
  if (status === 404 || status === 410)
    return `${answered}: nothing is at this path: is the endpoint at another path?`
  if (status === 405) return `${answered}: the path takes no POST: is the endpoint at another path?`
  if (status >= 200 && status < 300 && /^text\/html\b/i.test(headers['content-type'] ?? ''))
    return `${answered}: a page answers here: is the endpoint at another path?`
  if (status >= 200 && status < 300) return `${answered}: the endpoint does not verify signatures`
  return `${answered}: something in front of the endpoint, or the endpoint itself, fails before it verifies`
}

/** Without query and user info, which may hold secrets. */
function targetOf({ location }: Record<string, string>): string {
  if (location === undefined || location === '') return 'an address that it does not name'
  const target = URL.parse(location)
  return target === null ? (location.split(/[?#]/)[0] ?? '') : target.origin + target.pathname
}
