/** Sends one signed request to the backend, with a timeout of three seconds. */
import type { KeyObject } from 'node:crypto'
import { isMultipart, readUpload, type Upload } from '../messages/read-upload.js'
import type { Files } from './backend-response.js'
import { describeConnectionFailure } from './problem-of-address.js'
import { signatureHeaders } from './signature-headers.js'

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
export async function sendSignedRequest(url: string, payload: unknown, key: KeyObject): Promise<SignedRequestResult> {
  const body = JSON.stringify(payload)
  const signed = signatureHeaders(body, String(Math.floor(Date.now() / 1000)), key)
  const headers = { 'Content-Type': 'application/json', 'User-Agent': 'Service-Interactions/1.0 (foyer-emulator)', ...signed }
  const sent = { url, headers, body }
  const started = performance.now()
  const ms = () => Math.round(performance.now() - started)
  try {
    const signal = AbortSignal.timeout(DEADLINE)
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal })
    const read = await readAnswer(response)
    signal.throwIfAborted()
    if (read === undefined) return { ...sent, answer: undefined, failure: 'the answer is no valid multipart', ms: ms() }
    const { text, files } = read
    if (text.length > MAX_ANSWER) return { ...sent, answer: undefined, failure: 'the answer is longer than 1 MiB', ms: ms() }
    const answer = { status: response.status, headers: Object.fromEntries(response.headers), body: text, files }
    return { ...sent, answer, failure: undefined, ms: ms() }
  } catch (error) {
    return { ...sent, answer: undefined, failure: reasonOf(error, url), ms: ms() }
  }
}

/** JSON, or JSON with files; undefined for a multipart body that cannot be read. */
async function readAnswer(response: Response): Promise<Upload | undefined> {
  return isMultipart(response.headers.get('content-type')) ? readUpload(response) : { text: await response.text(), files: new Map() }
}

function reasonOf(error: unknown, url: string): string {
  if (error instanceof Error && error.name === 'TimeoutError') return 'no answer within 3 seconds'
  return describeConnectionFailure(error instanceof Error ? error.cause : undefined, url)
}
