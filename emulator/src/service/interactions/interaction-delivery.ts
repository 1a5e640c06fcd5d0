/** Delivers an interaction to the backend, and its response to the caller. */
import { ApiError } from '../../check/api-error.js'
import { requireUploadable } from './attachments.js'
import { readBackendResponse, type BackendResponse } from './backend-response.js'
import type { Gateway } from '../gateway/gateway.js'
import type { Backend } from './backend.js'
import type { Outcome } from './interaction-controls.js'
import { shown, type DeliveryLog, type DeliveryLogEntry } from './delivery-log.js'
import type { Pending } from './pending-interactions.js'
import { DEADLINE, type SignedRequestResult } from './send-signed-request.js'
import type { ResponseApplier } from './response-applier.js'

interface DeliveryParts {
  backend: Backend
  gateway: Gateway
  deliveryLog: DeliveryLog
  applier: ResponseApplier
  now: () => number
}

const KIND_NAMES = { 2: 'command', 3: 'component', 4: 'autocomplete', 5: 'form' } as const

const NOBODY =
  'no endpoint is set, and no bot is connected to the gateway: say where the backend takes interactions, or start the bot'

export class InteractionDelivery {
  readonly #parts: DeliveryParts

  constructor(parts: DeliveryParts) {
    this.#parts = parts
  }

  /** Resolves with the outcome for the player. Never rejects. */
  async deliver(pending: Pending, payload: unknown): Promise<Outcome> {
    const { backend, deliveryLog, applier } = this.#parts
    const entry = deliveryLog.add(this.#head(pending))
    if (backend.url === undefined) return this.#deliverByGateway(pending, entry, payload)
    const fault = await backend.fault()
    if (fault !== undefined) return this.#refuse(entry, applier.fail(pending, fault))
    const started = performance.now()
    const answered = backend
      .send(payload)
      .then((exchange) => this.#settle(pending, entry, { exchange, started }))
    return Promise.race([pending.called, answered])
  }

  /** An application without an endpoint gets its interactions through the gateway. */
  async #deliverByGateway(pending: Pending, entry: DeliveryLogEntry, payload: unknown): Promise<Outcome> {
    const { gateway, applier } = this.#parts
    const sent = { url: gateway.url, headers: {}, body: JSON.stringify(payload) }
    if (!gateway.deliver(payload)) return this.#refuse(entry, applier.fail(pending, NOBODY))
    Object.assign(entry, { request: shown(sent, pending.token) })
    return this.#awaitCall(pending, entry, {
      started: performance.now(),
      late: 'a bot at the gateway got it, and no callback came within 3 seconds',
    })
  }

  /** Logs a refusal before anything was sent. */
  refuseUnsent(
    subject: string,
    kind: keyof typeof KIND_NAMES,
    { id, because }: { id: string; because: string },
  ): void {
    this.#parts.deliveryLog.add({
      id,
      at: this.#parts.now(),
      kind: KIND_NAMES[kind],
      subject,
      refused: because,
    })
  }

  async #settle(
    pending: Pending,
    entry: DeliveryLogEntry,
    { exchange, started }: { exchange: SignedRequestResult; started: number },
  ): Promise<Outcome> {
    const { deliveryLog, applier } = this.#parts
    Object.assign(entry, { request: shown(exchange, pending.token) })
    deliveryLog.close(entry, exchange)
    const { answer, failure } = exchange
    if (pending.state === 'answered') {
      if (answer?.status === 200 && answer.body !== '')
        deliveryLog.refuse(entry, 'the callback came first: this answer was not looked at')
      return pending.called
    }
    if (answer === undefined) return this.#refuse(entry, applier.fail(pending, failure ?? 'no answer'))
    if (answer.status === 202 && answer.body === '')
      return this.#awaitCall(pending, entry, {
        started,
        late: 'answered with 202, and no callback came within 3 seconds',
      })
    const read = readBody(exchange, pending)
    if (typeof read === 'string') return this.#refuse(entry, applier.fail(pending, read))
    const outcome = applier.apply(pending, read)
    return outcome.kind === 'failed' ? this.#refuse(entry, outcome) : outcome
  }

  /** The response follows as an API call, within the rest of the three seconds. */
  async #awaitCall(
    pending: Pending,
    entry: DeliveryLogEntry,
    { started, late: because }: { started: number; late: string },
  ): Promise<Outcome> {
    const late = new Promise<undefined>((resolve) => {
      setTimeout(() => resolve(undefined), Math.max(0, DEADLINE - (performance.now() - started))).unref()
    })
    const outcome = await Promise.race([pending.called, late])
    if (outcome !== undefined) return outcome
    return this.#refuse(entry, this.#parts.applier.fail(pending, because))
  }

  #refuse(entry: DeliveryLogEntry, outcome: Outcome): Outcome {
    this.#parts.deliveryLog.refuse(entry, outcome.because ?? '')
    return outcome
  }

  #head({ id, kind, subject }: Pending) {
    return { id, at: this.#parts.now(), kind: KIND_NAMES[kind], subject }
  }
}

function readBody({ answer }: SignedRequestResult, pending: Pending): BackendResponse | string {
  if (answer === undefined) return 'no answer'
  if (answer.status !== 200) return `answered with status ${answer.status} instead of 200`
  const body = parse(answer.body)
  if (body === undefined) return 'the answer is no JSON'
  try {
    requireUploadable(answer.files)
    return readBackendResponse(body, { ...pending, files: answer.files })
  } catch (error) {
    if (error instanceof ApiError) return error.fields.rule
    throw error
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
