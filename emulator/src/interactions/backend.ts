/** URL of the game's backend, which must pass a probe before it receives anything. */
import type { KeyObject } from 'node:crypto'
import { EmulatorError } from '../foundation/emulator-error.js'
import type { EmulatorContext } from '../context/emulator-context.js'
import type { Snowflakes } from '../state/snowflakes.js'
import { probe } from './probe.js'
import { shown, type DeliveryLog } from './delivery-log.js'
import { problemOfAddress } from './problem-of-address.js'
import { pingPayload } from './interaction-payload.js'
import { sendSignedRequest, type SignedRequestResult } from './send-signed-request.js'
import { readKey } from './signature-headers.js'

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
      throw new EmulatorError('bad_request', `The endpoint must begin with http: or https:, unlike ${JSON.stringify(url)}.`)
    const reason = await this.#test(url)
    if (reason !== undefined) throw new EmulatorError('endpoint_refused', `The endpoint is refused: ${reason}.`, { rule: reason })
    this.#url = url
    this.#trusted = true
  }

  /** Returns the reason why nothing can be sent, or undefined. Probes a URL that was not probed yet. */
  async fault(): Promise<string | undefined> {
    if (this.#url === undefined) return 'no endpoint is set: say where the backend takes interactions'
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
