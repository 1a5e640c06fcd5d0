/** Counts requests against their limits. */
import type { Clock } from '../../state/clock.js'
import { EmulatorError, WrongInput } from '../../foundation/emulator-error.js'
import {
  isLimitName,
  LIMIT_SUBJECTS,
  readLimits,
  settingsOf,
  type EdgeSetting,
  type HeaderMode,
  type LimitName,
  type LimitSetting,
  type LimitsInput,
  type Settings,
} from './settings.js'
import { createWindow, type Window } from './create-window.js'

/** A limit of a request, and the key under which it is counted. */
export interface Charge {
  name: LimitName
  key: string
}

/** Usage of a limit after a request. */
export interface LimitUse {
  name: LimitName
  limit: number
  remaining: number
  /** Milliseconds until the limit is fully available again. */
  resetAfter: number
}

export interface Verdict {
  uses: LimitUse[]
  /** The exhausted limit, and the milliseconds until it has room; of several, the one that takes longest. */
  refused: { name: LimitName; wait: number } | undefined
}

/** Settings of a limit, and its usage per application or player. */
export interface LimitView extends LimitSetting {
  counts: 'application' | 'player'
  uses: { key: string; used: number; remaining: number; resetAfter: number }[]
}

/** Settings of the block of addresses, and the counted responses of each address. */
export interface EdgeView extends EdgeSetting {
  uses: { address: string; used: number; remaining: number; resetAfter: number }[]
}

export interface LimitsView {
  limits: Partial<Record<LimitName, LimitView | null>>
  /** Null if addresses are never blocked. */
  edge: EdgeView | null
}

/** Number of windows after which unused ones are removed. */
const ENOUGH = 1000

export class Limits {
  readonly #clock: Clock
  #settings: Settings
  #windows = new Map<string, { charge: Charge; window: Window }>()
  #addresses = new Map<string, Window>()
  #sweepAt = ENOUGH

  /** @throws EmulatorError `invalid_setting` */
  constructor(clock: Clock, input: LimitsInput = 'production') {
    this.#clock = clock
    const settings = readLimits(settingsOf('production'), input)
    if (typeof settings === 'string') throw new EmulatorError('invalid_setting', settings)
    this.#settings = settings
  }

  /** Changes settings. A changed limit starts unused. @throws EmulatorError `bad_request` */
  set(input: unknown): void {
    const settings = readLimits(this.#settings, input)
    if (typeof settings === 'string') throw new WrongInput(settings)
    for (const [id, { charge }] of this.#windows)
      if (!isSameCount(this.#settings.limits[charge.name], settings.limits[charge.name]))
        this.#windows.delete(id)
    if (!isSameCount(this.#settings.edge, settings.edge)) this.#addresses.clear()
    this.#settings = settings
  }

  view(): LimitsView {
    const limits = Object.entries(this.#settings.limits).map(([name, setting]) => [
      name,
      setting && this.#viewOf(name, setting),
    ])
    return { limits: Object.fromEntries(limits), edge: this.#viewOfEdge() }
  }

  /** Resets the usage of all limits; keeps the settings. */
  clear(): void {
    this.#windows.clear()
    this.#addresses.clear()
  }

  headersOf(name: LimitName): HeaderMode {
    return this.#settings.limits[name]?.headers ?? 'visible'
  }

  figuresOf(name: LimitName): string {
    const { limit = 0, per = 0 } = this.#settings.limits[name] ?? {}
    return `${name}: at most ${limit} in ${per / 1000} s for one ${LIMIT_SUBJECTS[name]}`
  }

  /** Counts a request against all of its limits, or against none if one of them is exhausted. */
  take(charges: Charge[]): Verdict {
    const now = this.#clock.now()
    if (this.#windows.size >= this.#sweepAt) this.#sweep(now)
    const counted = charges.flatMap((charge) => {
      const setting = this.#settings.limits[charge.name]
      return setting === null
        ? []
        : [{ name: charge.name, limit: setting.limit, window: this.#window(charge, setting) }]
    })
    const waits = counted
      .map(({ name, window }) => ({ name, wait: window.wait(now) }))
      .filter(({ wait }) => wait > 0)
    const [refused] = waits.sort((one, other) => other.wait - one.wait)
    if (refused === undefined) for (const { window } of counted) window.spend(now)
    const uses = counted.map(({ name, limit, window }) => ({
      name,
      limit,
      remaining: window.remaining(now),
      resetAfter: window.wholeIn(now),
    }))
    return { uses, refused }
  }

  /** Milliseconds for which an address is blocked, and the headers that report it. */
  blockOf(address: string): (EdgeSetting & { wait: number }) | undefined {
    const wait = this.#addresses.get(address)?.wait(this.#clock.now()) ?? 0
    return this.#settings.edge !== null && wait > 0 ? { ...this.#settings.edge, wait } : undefined
  }

  /** Counts a response of 401, 403 or 429 to an address. */
  countInvalid(address: string): void {
    const { edge } = this.#settings
    if (edge === null) return
    const window = this.#addresses.get(address) ?? createWindow('sliding', edge)
    this.#addresses.set(address, window)
    window.spend(this.#clock.now())
  }

  #window(charge: Charge, { window: kind, ...size }: LimitSetting): Window {
    const id = `${charge.name} ${charge.key}`
    const known = this.#windows.get(id)
    if (known !== undefined) return known.window
    const window = createWindow(kind, size)
    this.#windows.set(id, { charge, window })
    return window
  }

  #sweep(now: number): void {
    for (const [id, { window }] of this.#windows) if (window.wholeIn(now) === 0) this.#windows.delete(id)
    this.#sweepAt = Math.max(ENOUGH, 2 * this.#windows.size)
  }

  #viewOfEdge(): EdgeView | null {
    const { edge } = this.#settings
    if (edge === null) return null
    const now = this.#clock.now()
    const windows = [...this.#addresses].filter(([, window]) => window.wholeIn(now) > 0)
    const uses = windows.map(([address, window]) => {
      const remaining = window.remaining(now)
      return { address, used: edge.limit - remaining, remaining, resetAfter: window.wholeIn(now) }
    })
    return { ...edge, uses }
  }

  #viewOf(name: string, setting: LimitSetting): LimitView | null {
    if (!isLimitName(name)) return null
    const now = this.#clock.now()
    const windows = [...this.#windows.values()].filter(
      ({ charge, window }) => charge.name === name && window.wholeIn(now) > 0,
    )
    const uses = windows.map(({ charge: { key }, window }) => {
      const remaining = window.remaining(now)
      return { key, used: setting.limit - remaining, remaining, resetAfter: window.wholeIn(now) }
    })
    return { ...setting, counts: LIMIT_SUBJECTS[name], uses }
  }
}

type Figures = Pick<LimitSetting, 'limit' | 'per'> & Partial<LimitSetting>

function isSameCount(before: Figures | null, after: Figures | null): boolean {
  return before?.limit === after?.limit && before?.per === after?.per && before?.window === after?.window
}
