/** Knows who sent a request: a player, the bot or the application, also for the requests of a sign-in before its player was known. */
import { chainLinksOf } from './related-exchanges.js'
import type { Exchange } from './record-exchange.js'

/** The sender of a request. */
export interface RequestSender {
  kind: 'player' | 'bot' | 'application'
  /** Id of the player or of the application. */
  id: string
  /** Shown name of the player, or name of the application. */
  name: string
  /** User name of a player. */
  username?: string
}

/** A request of the log. */
export interface SentRequest {
  sender?: RequestSender
  /** User name of the player who sent it. */
  player?: string
}

/** Values that several requests carry: those that this request is recognized by, and all that others are recognized by. */
interface Marks {
  own: readonly string[]
  all: readonly string[]
}

/** Marks that are kept. Each may be long, and a token may be used for days. */
const MAX_MARKS = 10_000

export class RequestSenders<Request extends SentRequest> {
  readonly #senders = new Map<string, RequestSender>()
  /** Requests of unknown senders. They are forgotten with the log's entry. */
  readonly #unknown = new Map<Request, Marks>()

  /** Sets the sender of a request if the service did not know it. Returns the earlier requests whose sender is known now. */
  add(request: Request, exchange: Exchange | undefined): Request[] {
    const marks = exchange === undefined ? { own: [], all: [] } : marksOf(exchange)
    const known = marks.own.map((mark) => this.#senders.get(mark)).find((sender) => sender !== undefined)
    const sender = request.sender ?? known
    if (sender !== undefined)
      return this.#learn(request, { sender, marks }).filter((each) => each !== request)
    if (marks.own.length > 0) this.#unknown.set(request, marks)
    return []
  }

  /** The log has this request no more. */
  forget(request: Request): void {
    this.#unknown.delete(request)
  }

  /** Goes from request to request by what they share. */
  #learn(request: Request, { sender, marks }: { sender: RequestSender; marks: Marks }): Request[] {
    request.sender = sender
    if (sender.username !== undefined) request.player = sender.username
    this.#unknown.delete(request)
    for (const mark of marks.all) this.#senders.set(mark, sender)
    while (this.#senders.size > MAX_MARKS)
      for (const oldest of this.#senders.keys()) {
        this.#senders.delete(oldest)
        break
      }
    const told = new Set(marks.all)
    const found = [...this.#unknown].filter(([, { own }]) => own.some((mark) => told.has(mark)))
    return [
      request,
      ...found.flatMap(([each, its]) =>
        each.sender === undefined ? this.#learn(each, { sender, marks: its }) : [],
      ),
    ]
  }
}

const AUTHORIZE = /^\/(?:oauth2\/authorize|\.well-known\/authorize-check)\?(.+)$/

/** An authorize request is recognized by its attempt. One that was refused, or only checked, has none: it is recognized by its query. */
function marksOf(exchange: Exchange): Marks {
  const sent = chainLinksOf(exchange)
  const [, query] = AUTHORIZE.exec(exchange.target) ?? []
  const asked = query === undefined ? [] : [`query ${query.split('&').toSorted().join('&')}`]
  return { own: sent.length > 0 ? sent : asked, all: [...sent, ...asked] }
}
