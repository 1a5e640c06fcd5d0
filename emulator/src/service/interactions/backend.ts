/** URL of the game's backend, which must pass a probe before it receives anything. */
import { sentence } from '../../foundation/sentence.js'
import { EmulatorError } from '../../foundation/emulator-error.js'
import { fieldsOf } from '../../foundation/values.js'
import type { EmulatorContext } from '../../state/emulator-context.js'
import type { Snowflakes } from '../../state/snowflakes.js'
import { shown, type DeliveryLog } from './delivery-log.js'
import { pingPayload } from './interaction-payload.js'
import {
  forgersKey,
  problemOfAddress,
  problemOfForged,
  readKey,
  sendSignedRequest,
  type SignedRequestResult,
} from './send-signed-request.js'
import type { KeyObject } from 'node:crypto'

interface Parts {
  context: EmulatorContext
  snowflakes: Snowflakes
  deliveryLog: DeliveryLog
}

export class Backend {
  readonly #parts: Parts
  readonly #key: KeyObject
  #url: string | undefined
  #trusted = false

  constructor(parts: Parts, url: string | undefined) {
    this.#parts = parts
    this.#key = readKey(parts.context.credentials.interactionKey)
    this.#url = url
  }

  get url(): string | undefined {
    return this.#url
  }

  /** @throws EmulatorError `bad_request`, or `endpoint_refused` with the reason; the URL is then unchanged. */
  async connect(url: string): Promise<void> {
    if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
      throw new EmulatorError(
        'bad_request',
        `The endpoint must begin with http: or https:, unlike ${JSON.stringify(url)}.`,
      )
    const reason = await this.#test(url)
    if (reason !== undefined)
      throw new EmulatorError('endpoint_refused', sentence(`The endpoint is refused: ${reason}`), {
        rule: reason,
      })
    this.#url = url
    this.#trusted = true
  }

  /** Returns the reason why nothing can be sent, or undefined. Probes a URL that was not probed yet. */
  async fault(): Promise<string | undefined> {
    if (this.#url === undefined) return 'no endpoint is set'
    if (this.#trusted) return undefined
    const reason = await this.#test(this.#url)
    this.#trusted = reason === undefined
    return reason
  }

  send(payload: unknown): Promise<SignedRequestResult> {
    return sendSignedRequest(this.#url ?? '', payload, this.#key)
  }

  async #test(url: string): Promise<string | undefined> {
    const problem = problemOfAddress(url)
    if (problem !== undefined) return problem
    const { context, snowflakes, deliveryLog } = this.#parts
    const ping = pingPayload(snowflakes.next(context.clock.now()), context)
    const probes = await probe(url, ping, this.#key)
    for (const { kind, exchange, refused } of probes) {
      const head = { id: String(ping['id']), at: context.clock.now(), kind, subject: 'test of the endpoint' }
      const entry = deliveryLog.add({ ...head, request: shown(exchange, String(ping['token'])) })
      deliveryLog.close(entry, exchange)
      if (refused !== undefined) deliveryLog.refuse(entry, refused)
    }
    return probes.find(({ refused }) => refused !== undefined)?.refused
  }
}

interface Probe {
  kind: 'ping' | 'forged ping'
  exchange: SignedRequestResult
  /** Undefined if the backend responded correctly. */
  refused: string | undefined
}

/**
 * Sends a forged request first: a backend that responds with anything but 401 does not verify signatures, and receives no more requests.
 */
async function probe(url: string, ping: unknown, key: KeyObject): Promise<Probe[]> {
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
  if (answer.status === 401)
    return 'PING was answered with 401: the endpoint verifies with the key of another application, or a body parser such as express.json() stands before it and has changed the bytes'
  if (answer.status !== 200) return `PING was answered with ${answer.status} instead of 200`
  if (!/^application\/json\b/i.test(answer.headers['content-type'] ?? ''))
    return 'PING was answered without Content-Type: application/json'
  return fieldsOf(parse(answer.body))['type'] === 1 ? undefined : 'PING was not answered with { "type": 1 }'
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
