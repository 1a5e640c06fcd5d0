/** Runs: the attempts to sign in, each with its steps and its outcome. They survive a redirect and contain no secret. */
import { signal } from '@preact/signals'
import type { Check, LogEntry } from 'foyer-sdk'
import { keepList, takeList } from '../foundation/kept-list'
import type { Exchange } from '../exchanges/exchange'
import type { RecordedCall } from '../exchanges/exchange-recorder'
import { explain } from './explain'
import type { RequestChange } from './request-changes'
import { stepLabels } from './step-labels'

export interface SignInStep {
  kind: 'done' | 'warning' | 'failed'
  /** Step of the SDK's log; empty for one of this page. */
  name: string
  title: string
  detail: string
  /** Checks that the SDK reported. */
  checks: readonly Check[]
  /** ms since the run began. */
  at: number
}

export interface Run {
  /** 1, 2, … */
  readonly id: number
  /** Epoch ms with fractions. */
  readonly startedAt: number
  /** Undefined while it runs. */
  readonly endedAt?: number | undefined
  readonly mode: string
  /** `waiting`, `signed in`, or the code of the error. */
  readonly outcome: string
  readonly isFailed: boolean
  /** Name of the player. */
  readonly player?: string | undefined
  /** Changes that the tester made to the request. */
  readonly changes: readonly RequestChange[]
  /** Claims of the ID token, as text. */
  readonly claims: Readonly<Record<string, string>>
  readonly steps: readonly SignInStep[]
  /** Set for a run that was opened from a file. */
  readonly opened?: OpenedMessages
}

/** Everything that was sent in a run of a file. */
interface OpenedMessages {
  readonly file: string
  readonly messages: readonly Exchange[]
  readonly calls: readonly RecordedCall[]
}

const STORAGE_KEY = 'foyer-demo:runs'
/** Number of runs that are kept. */
const MAX_RUNS = 20

export class Runs {
  readonly all = signal<readonly Run[]>(takeList(STORAGE_KEY, []))
  /** Key of the row that the tester has chosen. */
  readonly chosenRow = signal<string | undefined>(undefined)
  #failure: unknown
  readonly #chosen = signal<number | undefined>(undefined)

  constructor() {
    window.addEventListener('pagehide', () => keepList(STORAGE_KEY, this.all.value))
  }

  /** Latest run of this page. */
  get current(): Run | undefined {
    return this.all.value.findLast(({ opened }) => opened === undefined)
  }

  /** Run that is shown: the chosen one, or the latest. */
  get shown(): Run | undefined {
    return this.all.value.find(({ id }) => id === this.#chosen.value) ?? this.current ?? this.all.value.at(-1)
  }

  choose(id: number): void {
    this.#chosen.value = id
    this.chosenRow.value = undefined
  }

  /** Begins a run, which is shown. Returns its number. */
  begin({ mode, changes = [] }: Pick<Run, 'mode'> & Partial<Pick<Run, 'changes'>>): number {
    const id = this.#nextId()
    const run: Run = {
      id,
      startedAt: now(),
      mode,
      outcome: 'waiting',
      isFailed: false,
      changes,
      claims: {},
      steps: [],
    }
    this.all.value = [...this.all.value, run].slice(-MAX_RUNS)
    this.#chosen.value = undefined
    this.chosenRow.value = undefined
    return id
  }

  /** Adds a run of a file, which is shown. */
  open(run: Run, opened: OpenedMessages): void {
    const id = this.#nextId()
    this.all.value = [...this.all.value, { ...run, id, opened }].slice(-MAX_RUNS)
    this.choose(id)
  }

  #nextId(): number {
    return (this.all.value.at(-1)?.id ?? 0) + 1
  }

  /** Ends the latest run, if it has not ended. */
  end(result: Pick<Run, 'outcome' | 'isFailed'> & Partial<Pick<Run, 'player' | 'claims'>>): void {
    if (this.current?.endedAt === undefined) this.#change({ ...result, endedAt: now() })
  }

  record({ step, level, data }: LogEntry): void {
    // The checks were reported just before; show them as this step.
    if (step === 'id_token.verified') return
    if (step.endsWith('.checked')) return this.#report(step, readChecks(data))
    const { title, detail } = stepLabels(step)
    const { redirectUri } = data
    const to = typeof redirectUri === 'string' ? ` The answer goes to ${redirectUri}` : ''
    this.#add({
      kind: level === 'warn' ? 'warning' : 'done',
      name: step,
      title,
      detail: detail + to,
      checks: [],
    })
  }

  note(step: Pick<SignInStep, 'kind' | 'title' | 'detail'>): void {
    this.#add({ ...step, name: '', checks: [] })
  }

  /** An error that is reported twice, by an event and by the call that met it, is one step. */
  fail(error: unknown): void {
    if (error === this.#failure) return
    this.#failure = error
    const { className, code, detail, advice } = explain(error)
    this.#add({
      kind: 'failed',
      name: '',
      title: code,
      detail: `${className}. ${detail && `${detail}. `}${advice}`,
      checks: [],
    })
  }

  /** Adds checks to the step that they belong to, or as a separate step if one failed or there is no such step. */
  #report(name: string, checks: readonly Check[]): void {
    const { title, detail } = stepLabels(name)
    const failed = checks.find(({ result }) => result === 'failed')
    if (failed)
      return this.#add({
        kind: 'failed',
        name,
        title,
        detail: `The check of ${failed.check} failed.`,
        checks,
      })
    const all = this.current?.steps ?? []
    const index = all.findLastIndex((one) => one.title === title)
    const shown = all[index]
    if (!shown || shown.checks.length > 0) return this.#add({ kind: 'done', name, title, detail, checks })
    this.#change({ steps: all.with(index, { ...shown, checks }) })
  }

  /** A callback that belongs to no attempt of this page is a run of its own. */
  #add(step: Omit<SignInStep, 'at'>): void {
    if (!this.current) this.begin({ mode: 'redirect' })
    const { steps = [], startedAt = now() } = this.current ?? {}
    const last = steps.at(-1)
    // The report of a check can arrive after the error that followed from it.
    const isLate = step.name !== '' && last?.name === '' && last.kind === 'failed'
    const place = isLate ? steps.length - 1 : steps.length
    const at = isLate ? last.at : now() - startedAt
    this.#change({ steps: steps.toSpliced(place, 0, { ...step, at }) })
  }

  #change(change: Partial<Run>): void {
    this.all.value = this.all.value.map((run) => (run === this.current ? { ...run, ...change } : run))
  }
}

/** Number of checks that passed. */
export function passedChecks({ steps }: Run): number {
  return steps.flatMap(({ checks }) => checks).filter(({ result }) => result === 'passed').length
}

/** Claims as text, without the nonce, which is random. */
export function claimTexts(all: Readonly<Record<string, unknown>>): Record<string, string> {
  const entries = Object.entries(all).filter(([name]) => name !== 'nonce')
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  )
}

/** The steps as text. */
export function stepsText({ steps }: Run): string {
  const lines = steps.map(({ kind, title, detail, checks, at }) =>
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

/** Formats the received value, and of a failed check the expected one too. */
export function comparison({ result, expected, got }: Check): string {
  if (result === 'passed') return got ?? ''
  return [expected && `expected ${expected}`, got && `got ${got}`].filter(Boolean).join(', ')
}

function readChecks({ checks }: LogEntry['data']): readonly Check[] {
  return Array.isArray(checks) ? checks : []
}

function now(): number {
  return performance.timeOrigin + performance.now()
}
