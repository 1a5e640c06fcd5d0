/** Clock of an emulator: the machine's time, plus an offset that tests set; it can be frozen. */
import { didYouMean } from '../foundation/closest-name.js'
import { WrongInput } from '../foundation/emulator-error.js'
import { fieldsOf, isObject } from '../foundation/values.js'

interface Kept {
  /** Offset from the machine's time, in milliseconds. */
  ahead: number
  keep: (ahead: number) => void
}

/** Change of the clock; `skew` applies before `advance`. */
export interface ClockChange {
  /** Milliseconds to go forward, also while the clock is frozen. */
  advance?: number | undefined
  /** Offset from the machine's time in milliseconds: negative for a clock that is behind. At most 100 years. */
  skew?: number | undefined
  /** True stops the clock; false lets it run again from the time at which it stands. */
  frozen?: boolean | undefined
}

/** State of the clock. */
export interface ClockState {
  /** Epoch milliseconds. */
  now: number
  /** Offset from the machine's time, in milliseconds; it shrinks while the clock is frozen. */
  ahead: number
  frozen: boolean
}

const CHANGE: readonly (keyof ClockChange)[] = ['advance', 'skew', 'frozen']
const FARTHEST = 36_525 * 86_400_000

export class Clock {
  #ahead: number
  /** Time at which the clock stands, while it is frozen. */
  #frozenAt: number | undefined
  readonly #keep: Kept['keep']

  constructor({ ahead, keep }: Kept = { ahead: 0, keep: () => undefined }) {
    this.#ahead = ahead
    this.#keep = keep
  }

  /** Epoch milliseconds. */
  now(): number {
    return this.#frozenAt ?? Date.now() + this.#ahead
  }

  /** Epoch seconds, the unit of tokens. */
  seconds(): number {
    return Math.floor(Date.now() / 1000) + this.aheadSeconds
  }

  /** Offset in whole seconds: constant between two changes, regardless of fractions, unless the clock is frozen. */
  get aheadSeconds(): number {
    if (this.#frozenAt === undefined) return Math.floor(this.#ahead / 1000)
    return Math.floor(this.#frozenAt / 1000) - Math.floor(Date.now() / 1000)
  }

  state(): ClockState {
    const frozenAt = this.#frozenAt
    const ahead = frozenAt === undefined ? this.#ahead : frozenAt - Date.now()
    return { now: this.now(), ahead, frozen: frozenAt !== undefined }
  }

  /** Returns true if the time went back. @throws EmulatorError `bad_request`; nothing has changed then. */
  change(input: unknown): boolean {
    const { advance = 0, skew, frozen = this.#frozenAt !== undefined } = readChange(input)
    const machine = Date.now()
    const before = this.#frozenAt ?? machine + this.#ahead
    const next = (skew === undefined ? before : machine + skew) + advance
    expectThat(isSkew(next - machine), 'The clock goes at most 100 years away from the time of the machine.')
    this.#frozenAt = frozen ? next : undefined
    this.#ahead = next - machine
    this.#keep(this.#ahead)
    return next < before
  }

  /** Returns to the machine's time, and runs. */
  reset(): void {
    this.#frozenAt = undefined
    this.#ahead = 0
    this.#keep(0)
  }
}

function readChange(input: unknown): ClockChange {
  const { advance, skew, frozen, ...others } = fieldsOf(input)
  const [unknown] = Object.keys(others)
  expectThat(isObject(input), 'A change of the clock is an object with advance, skew or frozen.')
  expectThat(
    unknown === undefined,
    `A change of the clock has no ${unknown}${didYouMean(unknown ?? '', CHANGE)}: it has advance, skew and frozen.`,
  )
  expectThat(
    advance === undefined || isForward(advance),
    'The clock goes forward only: advance must be a number of milliseconds of 0 or more; skew sets it back.',
  )
  expectThat(
    skew === undefined || isSkew(skew),
    'skew must be a number of milliseconds, of at most 100 years.',
  )
  expectThat(frozen === undefined || typeof frozen === 'boolean', 'frozen must be true or false.')
  return {
    ...(advance !== undefined && { advance }),
    ...(skew !== undefined && { skew }),
    ...(frozen !== undefined && { frozen }),
  }
}

function isForward(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}

/** True for an offset that the clock accepts. */
export function isSkew(value: unknown): value is number {
  return typeof value === 'number' && Math.abs(value) <= FARTHEST
}

function expectThat(ok: boolean, message: string): asserts ok {
  if (!ok) throw new WrongInput(message)
}
