/** List of the messages between games and host: each request with its answer and the time between them, filtered by words. */
import { element, find } from './host-elements.js'

/** Message of the Activity's protocol: an operation code and its payload. */
export type RpcMessage = [
  op: number,
  payload?: { cmd?: string; evt?: string | null; nonce?: string | null; code?: number; message?: string },
]

/** A message as it passed the page. `→`: from the game. */
interface Passed {
  player: string
  direction: '→' | '←'
  message: RpcMessage
}

/** Requests that stay in the page. */
const CAPACITY = 500
const SECRETS = new Set(['access_token', 'code', 'secret', 'join', 'match', 'ticket'])
const DIRECTIONS = { '→': 'from the game', '←': 'to the game' }

export class MessageLog {
  readonly #list = find(document, '#log')
  /** Requests without an answer, by player and nonce. */
  readonly #open = new Map<string, { item: HTMLElement; at: number }>()
  /** Text of each request and its answer for the filter, which does not depend on what is open. */
  readonly #texts = new WeakMap<HTMLElement, string>()
  #count = 0

  constructor() {
    find(document, '#log-filter').addEventListener('input', () => this.#filter())
  }

  add(passed: Passed): void {
    const at = Date.now()
    const { player, direction, message } = passed
    const nonce = message[1]?.nonce
    const key = `${player} ${nonce}`
    const asked = direction === '←' && nonce ? this.#open.get(key) : undefined
    const item = asked?.item ?? element('li')
    const line = lineOf(passed, { at, since: asked?.at })
    item.append(line)
    this.#texts.set(item, `${this.#texts.get(item) ?? ''}${line.textContent}`.toLowerCase())
    if (isRefused(message)) item.classList.add('refused')
    if (asked) this.#open.delete(key)
    else {
      this.#list.append(item)
      if (direction === '→' && nonce) this.#open.set(key, { item, at })
    }
    if (this.#list.children.length > CAPACITY) this.#dropFirst()
    this.#count += 1
    find(document, '#count').textContent = String(this.#count)
    this.#show(item)
  }

  #dropFirst(): void {
    const first = this.#list.firstElementChild
    first?.remove()
    for (const [key, { item }] of this.#open) if (item === first) this.#open.delete(key)
  }

  #filter(): void {
    for (const item of this.#list.children) if (item instanceof HTMLElement) this.#show(item)
  }

  /** Each word must occur in the request or in its answer. */
  #show(item: HTMLElement): void {
    const field = find(document, '#log-filter')
    const words = field instanceof HTMLInputElement ? field.value.toLowerCase().split(/\s+/) : []
    const text = this.#texts.get(item) ?? ''
    item.hidden = !words.every((word) => text.includes(word))
  }
}

/** @param times epoch ms of the message, and of the request that it answers. */
function lineOf(
  { player, direction, message }: Passed,
  { at, since }: { at: number; since: number | undefined },
): HTMLElement {
  const line = element('div', { className: since === undefined ? 'line' : 'line answer' })
  const arrow = element('span', { textContent: direction })
  arrow.setAttribute('role', 'img')
  arrow.setAttribute('aria-label', DIRECTIONS[direction])
  line.append(
    element('time', { textContent: since === undefined ? timeOf(at) : `+${at - since} ms` }),
    element('span', { className: 'who', textContent: player }),
    arrow,
    element('b', { textContent: nameOf(message) }),
    jsonOf(message),
  )
  return line
}

/** Characters of JSON that stay in one line. */
const SHORT = 100

/** Long JSON is one line, which opens to the whole of it. */
function jsonOf(message: RpcMessage): HTMLElement {
  const text = JSON.stringify(message, hideSecrets)
  const code = element('code', { textContent: text })
  if (text.length <= SHORT) return code
  const summary = element('summary')
  summary.append(code)
  const folded = element('details', { className: 'folded' })
  folded.append(summary)
  folded.addEventListener('toggle', () => {
    code.textContent = folded.open ? JSON.stringify(message, hideSecrets, 2) : text
  })
  return folded
}

/** Time of day with milliseconds, as the clock of this machine has it. */
function timeOf(at: number): string {
  const date = new Date(at)
  return `${date.toTimeString().slice(0, 8)}.${String(date.getMilliseconds()).padStart(3, '0')}`
}

const OPERATIONS = ['handshake', 'message', 'close', 'hello']

/** Event, command, or the kind of the message, as a person would look for it. */
function nameOf([op, payload]: RpcMessage): string {
  return payload?.evt || payload?.cmd || OPERATIONS[op] || `operation ${op}`
}

function isRefused([op, payload]: RpcMessage): boolean {
  return op === 2 || payload?.evt === 'ERROR'
}

function hideSecrets(key: string, value: unknown): unknown {
  return SECRETS.has(key) && typeof value === 'string' ? '[secret]' : value
}
