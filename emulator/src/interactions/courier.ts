/** Takes an interaction to the backend, and its answer to whoever waits for it. */
import { readAnswer, type Answer } from './answer.js'
import type { Backend } from './backend.js'
import type { Outcome } from './controls.js'
import { shown, type Journal, type JournalEntry } from './journal.js'
import type { Pending } from './pending.js'
import { deadline, type Exchange } from './post.js'
import type { Responder } from './responder.js'

interface Parts {
  backend: Backend
  journal: Journal
  responder: Responder
  now: () => number
}

const kindNames = { 2: 'command', 3: 'component', 4: 'autocomplete', 5: 'form' } as const

export class Courier {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Resolves with what the player gets to see; it does not fail. */
  async deliver(pending: Pending, payload: unknown): Promise<Outcome> {
    const { backend, journal, responder } = this.#parts
    const entry = journal.add(this.#head(pending))
    const fault = await backend.fault()
    if (fault !== undefined) return this.#refuse(entry, responder.fail(pending, fault))
    const started = performance.now()
    const answered = backend.send(payload).then((exchange) => this.#settle(pending, entry, { exchange, started }))
    return Promise.race([pending.called, answered])
  }

  /** Puts down that something was refused before it was sent. */
  refuseUnsent(subject: string, kind: keyof typeof kindNames, { id, because }: { id: string; because: string }): void {
    this.#parts.journal.add({ id, at: this.#parts.now(), kind: kindNames[kind], subject, refused: because })
  }

  async #settle(pending: Pending, entry: JournalEntry, { exchange, started }: { exchange: Exchange; started: number }): Promise<Outcome> {
    const { journal, responder } = this.#parts
    Object.assign(entry, { request: shown(exchange, pending.token) })
    journal.close(entry, exchange)
    const { answer, failure } = exchange
    if (pending.state === 'answered') {
      if (answer?.status === 200 && answer.body !== '') journal.refuse(entry, 'the callback came first: this answer was not looked at')
      return pending.called
    }
    if (answer === undefined) return this.#refuse(entry, responder.fail(pending, failure ?? 'no answer'))
    if (answer.status === 202 && answer.body === '') return this.#awaitCall(pending, entry, started)
    const read = readBody(exchange, pending)
    if (typeof read === 'string') return this.#refuse(entry, responder.fail(pending, read))
    const outcome = responder.apply(pending, read)
    return outcome.kind === 'failed' ? this.#refuse(entry, outcome) : outcome
  }

  /** 202 promises that the answer comes by a call, in what is left of the three seconds. */
  async #awaitCall(pending: Pending, entry: JournalEntry, started: number): Promise<Outcome> {
    const late = new Promise<undefined>((resolve) => {
      setTimeout(() => resolve(undefined), Math.max(0, deadline - (performance.now() - started))).unref()
    })
    const outcome = await Promise.race([pending.called, late])
    if (outcome !== undefined) return outcome
    return this.#refuse(entry, this.#parts.responder.fail(pending, 'answered with 202, and no callback came within 3 seconds'))
  }

  #refuse(entry: JournalEntry, outcome: Outcome): Outcome {
    this.#parts.journal.refuse(entry, outcome.because ?? '')
    return outcome
  }

  #head({ id, kind, subject }: Pending) {
    return { id, at: this.#parts.now(), kind: kindNames[kind], subject }
  }
}

function readBody({ answer }: Exchange, { kind }: Pending): Answer | string {
  if (answer === undefined) return 'no answer'
  if (answer.status !== 200) return `answered with status ${answer.status} instead of 200`
  const body = parse(answer.body)
  if (body === undefined) return 'the answer is no JSON'
  const read = readAnswer(body, kind)
  return Array.isArray(read) ? read.join('; ') : read
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
