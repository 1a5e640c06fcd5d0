/** Cases of the efficiency benchmark: windows, network delays, bursts, and visible headers. Each row has its target. */
import type { Cell } from './service'

export interface Row extends Cell {
  readonly name: string
  /** Share of the best possible time. */
  readonly target: number
}

const KINDS = ['sliding', 'fixed', 'first', 'token'] as const
const TRIPS = [0, 20, 100]
const SHOWN = ['none', 'visible'] as const
type Targets = Readonly<Record<number, number>>
const STEADY: Targets = { 0: 0.98, 20: 0.96, 100: 0.9 }
const SHAKY: Targets = { 0: 0.98, 20: 0.96, 100: 0.86 }
const EDGE: Targets = { 0: 0.97, 20: 0.96, 100: 0.84 }
const MANY: Targets = { 0: 0.93, 100: 0.85 }

const BURST: Omit<Row, 'name'> = {
  kind: 'sliding',
  limit: 50,
  per: 1000,
  requests: 150,
  trip: 0,
  jitter: 0,
  early: 0,
  lead: 0,
  headers: 'none',
  target: 0,
}

function row(differs: Partial<Row>): Row {
  const cell = { ...BURST, ...differs }
  const { limit, per, kind, trip, jitter, early, headers, key } = cell
  const parts = [
    `${limit} in ${per / 1000} s, ${kind}, ${trip} ms${jitter > 0 ? ' ± 50 %' : ''}`,
    ...(early > 0 ? ['edge'] : []),
    ...(headers === 'none' ? [] : [`headers ${headers}`]),
    ...(key === undefined ? [] : ['a player']),
  ]
  return { ...cell, name: parts.join(', ') }
}

/** Row that warms up every run. */
export const WARM = row({ per: 100, trip: 10 })

/** A burst of three windows on a sliding window: compared with peers. */
export const BESIDE: readonly Row[] = [20, 100].map((trip) => row({ trip, target: STEADY[trip] ?? 1 }))

/** Subset that takes half a minute: every kind once without headers, and with headers where they could do most harm. */
export function someRows(): Row[] {
  const kinds = KINDS.slice(0, 2)
  return [
    ...KINDS.flatMap((kind) => TRIPS.map((trip) => row({ kind, trip, target: STEADY[trip] ?? 1 }))),
    ...KINDS.map((kind) => row({ kind, trip: 20, headers: 'visible', target: STEADY[20] ?? 1 })),
    ...kinds.flatMap((kind) =>
      [20, 100].map((trip) => row({ kind, trip, jitter: 0.5, target: SHAKY[trip] ?? 1 })),
    ),
    ...kinds.flatMap((kind) =>
      TRIPS.map((trip) => row({ kind, trip, early: 1, lead: 900, target: EDGE[trip] ?? 1 })),
    ),
    ...kinds.flatMap((kind) =>
      [0, 100].map((trip) => row({ kind, limit: 500, requests: 1500, trip, target: MANY[trip] ?? 1 })),
    ),
    ...kinds.map((kind) =>
      row({ kind, limit: 500, per: 10_000, requests: 1500, trip: 100, jitter: 0.5, target: 0.97 }),
    ),
  ]
}

/** The whole matrix. */
export function allRows(): Row[] {
  const cells = KINDS.flatMap((kind) => SHOWN.map((headers) => ({ kind, headers })))
  return [
    ...cells.flatMap((cell) => TRIPS.map((trip) => row({ ...cell, trip, target: STEADY[trip] ?? 1 }))),
    ...cells.flatMap((cell) =>
      TRIPS.map((trip) => row({ ...cell, trip, jitter: 0.5, target: SHAKY[trip] ?? 1 })),
    ),
    ...cells.flatMap((cell) =>
      TRIPS.map((trip) => row({ ...cell, trip, early: 1, lead: 900, target: EDGE[trip] ?? 1 })),
    ),
    ...cells.flatMap((cell) =>
      [0, 100].map((trip) => row({ ...cell, limit: 500, requests: 1500, trip, target: MANY[trip] ?? 1 })),
    ),
    ...cells.map((cell) =>
      row({ ...cell, limit: 500, per: 10_000, requests: 1500, trip: 100, jitter: 0.5, target: 0.97 }),
    ),
    ...cells.map((cell) => player({ ...cell, headers: cell.headers === 'none' ? 'hidden' : cell.headers })),
  ]
}

/** Ten joins per minute as a page sees them: hidden headers are sent but cannot be read. */
const player = (cell: Partial<Row>): Row =>
  row({ ...cell, limit: 10, per: 60_000, requests: 30, trip: 100, jitter: 0.5, target: 0.98, key: 'ada' })
