/** The steps of a sign-in as they happen. They survive a redirect, and hold nothing secret. */
import type { LogEntry } from 'foyer-sdk'
import { Store } from '../store'
import { explain } from './advice'
import { stepWords } from './words'

export interface Step {
  kind: 'done' | 'warning' | 'failed'
  title: string
  detail: string
  checks: readonly string[]
  /** ms since the first step. */
  at: number
}

const KEPT = 'foyer-demo:steps'

interface Timeline {
  /** Epoch ms with fractions. */
  begun: number
  steps: readonly Step[]
}

export class Steps {
  readonly list = new Store<readonly Step[]>([])
  #begun = now()

  /** Begins an empty list; times count from here. */
  begin(): void {
    this.#begun = now()
    this.list.set([])
  }

  record({ step, level, data }: LogEntry): void {
    const { title, detail, checks = [] } = stepWords(step)
    const to = data['redirectUri'] ? ` The answer goes to ${data['redirectUri']}` : ''
    this.#add({ kind: level === 'warn' ? 'warning' : 'done', title, detail: detail + to, checks })
  }

  note(title: string, detail: string): void {
    this.#add({ kind: 'done', title, detail, checks: [] })
  }

  fail(error: unknown): void {
    const { className, code, detail, advice } = explain(error)
    this.#add({ kind: 'failed', title: code, detail: `${className}. ${detail && `${detail}. `}${advice}`, checks: [] })
  }

  /** Before the page is left. */
  keep(): void {
    const timeline: Timeline = { begun: this.#begun, steps: this.list.value }
    try {
      sessionStorage.setItem(KEPT, JSON.stringify(timeline))
    } catch {
      // Then the list begins with the answer.
    }
  }

  /** When the page has come back. */
  restore(): void {
    try {
      const timeline: Timeline | null = JSON.parse(sessionStorage.getItem(KEPT) ?? 'null')
      sessionStorage.removeItem(KEPT)
      if (!timeline) return this.begin()
      this.#begun = timeline.begun
      this.list.set(timeline.steps)
    } catch {
      this.begin()
    }
  }

  toText(): string {
    const lines = this.list.value.map(({ kind, title, detail, checks, at }) =>
      [
        `${String(Math.round(at)).padStart(7)} ms  ${kind.padEnd(7)}  ${title}`,
        detail,
        checks.length > 0 && `checked: ${checks.join(', ')}`,
      ]
        .filter(Boolean)
        .join('\n                     '),
    )
    return lines.join('\n')
  }

  #add(step: Omit<Step, 'at'>): void {
    this.list.set([...this.list.value, { ...step, at: now() - this.#begun }])
  }
}

function now(): number {
  return performance.timeOrigin + performance.now()
}
