/** Amounts by which the inspector moves the clock, and what it says about them. */

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Milliseconds of each unit, by the name that the page shows. */
export const UNITS = { seconds: SECOND, minutes: MINUTE, hours: HOUR, days: DAY } as const

export type Unit = keyof typeof UNITS

/** Longest step: a clock further away has no date. */
const MAX_STEP = 3650 * DAY

export interface ClockStep {
  label: string
  /** Milliseconds. */
  advance: number
  /** Effect that the step is for. */
  effect?: string
}

/** Lifetimes are those of the emulator's tokens. */
export const PRESETS: readonly ClockStep[] = [
  { label: '1 minute', advance: MINUTE },
  { label: '2 minutes', advance: 2 * MINUTE, effect: 'codes expire' },
  { label: '1 hour', advance: HOUR, effect: 'ID tokens expire' },
  { label: '1 day', advance: DAY },
  { label: '8 days', advance: 8 * DAY, effect: 'access tokens expire' },
  { label: '91 days', advance: 91 * DAY, effect: 'refresh tokens expire' },
]

/** Returns the largest amount of a unit that one step may have. */
export function largestAmount(unit: Unit): number {
  return MAX_STEP / UNITS[unit]
}

/** Changes that the form can make, with the text of the choice: WebKit draws a closed list as wide as its longest choice. */
export const DIRECTIONS = { forward: 'forward', ahead: 'ahead', behind: 'behind' } as const

export type Direction = keyof typeof DIRECTIONS

/** Body of `POST /_emulator/clock`. */
interface ClockChange {
  advance?: number
  skew?: number
  frozen?: boolean
}

/** A change of the clock, and the words that confirm it. */
export interface ClockOrder {
  change: ClockChange
  done: string
}

/** Clocks of a service that differ from the game's. */
export const SKEWS: readonly { label: string; skew: number }[] = [
  { label: '10 minutes behind', skew: -10 * MINUTE },
  { label: '10 minutes ahead', skew: 10 * MINUTE },
  { label: 'no difference', skew: 0 },
]

export function advanceBy({ label, advance }: ClockStep): ClockOrder {
  return { change: { advance }, done: `The clock is ${label} ahead of before: tokens and deadlines aged.` }
}

export function skewTo(skew: number): ClockOrder {
  return { change: { skew }, done: `The clock was set. ${offsetWords(skew)}` }
}

export function freeze({ frozen }: { frozen: boolean }): ClockOrder {
  return {
    change: { frozen },
    done: frozen
      ? 'The clock stands: nothing ages.'
      : 'The clock runs again, from the time at which it stood.',
  }
}

/** Returns undefined for an amount that is no number, negative, or too large. */
export function readClockOrder(amount: string, unit: Unit, direction: Direction): ClockOrder | undefined {
  const count = amount.trim() === '' ? Number.NaN : Number(amount)
  if (!(count > 0 && count <= largestAmount(unit))) return undefined
  const ms = count * UNITS[unit]
  if (direction === 'forward') return advanceBy({ label: inUnit(count, unit), advance: ms })
  return skewTo(direction === 'ahead' ? ms : -ms)
}

/** Describes the distance of the emulator's clock from the machine's; less than two seconds are none. */
export function offsetWords(ms: number): string {
  const distance = Math.abs(ms)
  if (distance < 2 * SECOND) return 'It is the time of this machine.'
  const [unit, length] = (['days', 'hours', 'minutes', 'seconds'] as const)
    .map((name) => [name, UNITS[name]] as const)
    .find(([, each]) => distance >= each) ?? ['seconds', SECOND]
  const count = Math.round((distance / length) * 10) / 10
  return `It is ${inUnit(count, unit)} ${ms > 0 ? 'ahead of' : 'behind'} this machine.`
}

function inUnit(count: number, unit: Unit): string {
  return `${count} ${count === 1 ? unit.slice(0, -1) : unit}`
}
