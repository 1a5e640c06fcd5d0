/** Probes the backend's URL before anything is sent there. */
import type { KeyObject } from 'node:crypto'
import { fieldsOf } from '../foundation/type-guards.js'
import { problemOfForged } from './problem-of-address.js'
import { sendSignedRequest, type SignedRequestResult } from './send-signed-request.js'
import { forgersKey } from './signature-headers.js'

export interface Probe {
  kind: 'ping' | 'forged ping'
  exchange: SignedRequestResult
  /** Undefined if the backend responded correctly. */
  refused: string | undefined
}

/**
 * Sends a forged request first: a backend that responds with anything but 401 does not verify signatures, and receives no more requests.
 */
export async function probe(url: string, ping: unknown, key: KeyObject): Promise<Probe[]> {
  const forged = await sendSignedRequest(url, ping, forgersKey())
  const first: Probe = { kind: 'forged ping', exchange: forged, refused: faultOfForged(forged) }
  if (first.refused !== undefined) return [first]
  const asked = await sendSignedRequest(url, ping, key)
  return [first, { kind: 'ping', exchange: asked, refused: faultOfPing(asked) }]
}

function faultOfForged({ answer, failure }: SignedRequestResult): string | undefined {
  return answer === undefined ? failure : problemOfForged(answer)
}

function faultOfPing({ answer, failure }: SignedRequestResult): string | undefined {
  if (answer === undefined) return failure
  if (answer.status === 401) return 'PING was answered with 401: the endpoint verifies with the key of another application'
  if (answer.status !== 200) return `PING was answered with ${answer.status} instead of 200`
  if (!/^application\/json\b/i.test(answer.headers['content-type'] ?? '')) return 'PING was answered without Content-Type: application/json'
  return fieldsOf(parse(answer.body))['type'] === 1 ? undefined : 'PING was not answered with { "type": 1 }'
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
