/** Steps of a sign-in as they happen. They survive a redirect and contain no secret. */
import { signal } from '@preact/signals'
import type { Check, LogEntry } from 'foyer-sdk'
import { explain } from './explain'
import { stepLabels } from './step-labels'

export interface SignInStep {
  kind: 'done' | 'warning' | 'failed'
  title: string
  detail: string
  /** Checks that the SDK reported. */
  checks: readonly Check[]
  /** ms since the first step. */
  at: number
}

const STORAGE_KEY = 'foyer-demo:steps'

interface Timeline {
  /** Epoch ms with fractions. */
  begun: number
  steps: readonly SignInStep[]
}

export class SignInSteps {
  readonly list = signal<readonly SignInStep[]>([])
  #begun = now()

  /** Starts an empty list; times are measured from now. */
  begin(): void {
    this.#begun = now()
    this.list.value = []
  }

  record({ step, level, data }: LogEntry): void {
    // The checks were reported just before; show them as this step.
    if (step === 'id_token.verified') return
    if (step.endsWith('.checked')) return this.#report(step, readChecks(data))
    const { title, detail } = stepLabels(step)
    const { redirectUri } = data
    const to = typeof redirectUri === 'string' ? ` The answer goes to ${redirectUri}` : ''
    this.#add({ kind: level === 'warn' ? 'warning' : 'done', title, detail: detail + to, checks: [] })
  }

  note(step: Pick<SignInStep, 'kind' | 'title' | 'detail'>): void {
    this.#add({ ...step, checks: [] })
  }

  fail(error: unknown): void {
    const { className, code, detail, advice } = explain(error)
    this.#add({ kind: 'failed', title: code, detail: `${className}. ${detail && `${detail}. `}${advice}`, checks: [] })
  }

  /** Saves the steps before a redirect leaves the page. */
  saveForRedirect(): void {
    const timeline: Timeline = { begun: this.#begun, steps: this.list.value }
    try {
      sessionStorage.setItem(STORAGE_KEY, JSON.stringify(timeline))
    } catch {
      // In that case the list begins with the callback.
    }
  }

  /** Restores the steps after the redirect. */
  restore(): void {
    try {
      const timeline: Timeline | null = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? 'null')
      sessionStorage.removeItem(STORAGE_KEY)
      if (!timeline) return this.begin()
      this.#begun = timeline.begun
      this.list.value = timeline.steps
    } catch {
      this.begin()
    }
  }

  toText(): string {
    const lines = this.list.value.map(({ kind, title, detail, checks, at }) =>
      [
        `${String(Math.round(at)).padStart(7)} ms  ${kind.padEnd(7)}  ${title}`,
        detail,
        ...checks.map((check) => `${check.result.padEnd(6)}  ${check.check}  ${comparison(check)}`),
      ]
        .filter(Boolean)
        .join('\n                     '),
    )
    return lines.join('\n')
  }

  /** Adds checks to the step that they belong to, or as a separate step if one failed or there is no such step. */
  #report(step: string, checks: readonly Check[]): void {
    const { title, detail } = stepLabels(step)
    const failed = checks.find(({ result }) => result === 'failed')
    if (failed) return this.#add({ kind: 'failed', title, detail: `The check of ${failed.check} failed.`, checks })
    const all = this.list.value
    const index = all.findLastIndex((one) => one.title === title)
    const shown = all[index]
    if (!shown || shown.checks.length > 0) return this.#add({ kind: 'done', title, detail, checks })
    this.list.value = all.with(index, { ...shown, checks })
  }

  #add(step: Omit<SignInStep, 'at'>): void {
    this.list.value = [...this.list.value, { ...step, at: now() - this.#begun }]
  }
}

/** Formats the expected and the received value, as the SDK reports them. */
export function comparison({ expected, got }: Check): string {
  return [expected && `expected ${expected}`, got && `got ${got}`].filter(Boolean).join(', ')
}

function readChecks({ checks }: LogEntry['data']): readonly Check[] {
  return Array.isArray(checks) ? checks : []
}

function now(): number {
  return performance.timeOrigin + performance.now()
}
