/** How near to the best possible time a limiter comes, and whether anything is refused: over windows, roads and bursts. */
import type { Result } from '../measure'
import type * as Parts from './parts'
import { PEERS } from './peers'
import { type Cell, measure, type Measured, type Send } from './service'

interface Row extends Cell {
  readonly name: string
  /** Share of the best possible time. */
  readonly target: number
}

const KINDS = ['sliding', 'fixed', 'first', 'token'] as const
const BURST = { limit: 50, per: 1000, requests: 150, early: 0, lead: 0 }
const STEADY: Readonly<Record<number, number>> = { 0: 0.98, 20: 0.96, 100: 0.9 }
const SHAKY: Readonly<Record<number, number>> = { 0: 0.98, 20: 0.96, 100: 0.86 }
const EDGE: Readonly<Record<number, number>> = { 0: 0.97, 20: 0.96, 100: 0.84 }

const row = (cell: Omit<Row, 'name'>): Row => ({
  ...cell,
  name: `${cell.limit} in ${cell.per / 1000} s, ${cell.kind}, ${cell.trip} ms${cell.jitter > 0 ? ' ± 50 %' : ''}${cell.early > 0 ? ', edge' : ''}`,
})

function rows(isFull: boolean): Row[] {
  const trips = [0, 20, 100]
  const kinds = isFull ? KINDS : KINDS.slice(0, 2)
  return [
    ...KINDS.flatMap((kind) => trips.map((trip) => row({ ...BURST, kind, trip, jitter: 0, target: STEADY[trip] ?? 1 }))),
    ...kinds.flatMap((kind) => [20, 100].map((trip) => row({ ...BURST, kind, trip, jitter: 0.5, target: SHAKY[trip] ?? 1 }))),
    ...kinds.flatMap((kind) => trips.map((trip) => row({ ...BURST, kind, trip, jitter: 0, early: 1, lead: 900, target: EDGE[trip] ?? 1 }))),
    ...kinds.flatMap((kind) =>
      [0, 100].map((trip) => row({ ...BURST, kind, limit: 500, requests: 1500, trip, jitter: 0, target: trip === 0 ? 0.93 : 0.85 })),
    ),
    ...kinds.map((kind) => row({ ...BURST, kind, limit: 500, per: 10_000, requests: 1500, trip: 100, jitter: 0.5, target: 0.98 })),
  ]
}

export async function efficiency(parts: typeof Parts, { isFull }: { isFull: boolean }): Promise<Result[]> {
  const results: Result[] = []
  await measureOurs(parts, row({ ...BURST, kind: 'sliding', per: 100, trip: 10, jitter: 0, target: 0 }))
  const all = rows(isFull)
  const run = async (one: Row) => {
    const measured: Measured[] = []
    for (let round = 0; round < (one.per > 1000 && !isFull ? 1 : 3); round++) measured.push(await measureOurs(parts, one))
    results.push(toResult(one, measured))
  }
  // Long ones beside all others; the rest a few at a time, since they only wait.
  const long = all.filter(({ per }) => per > 1000)
  const short = all.filter(({ per }) => per <= 1000)
  const lines = long.map(run)
  const queue = [...short]
  for (let line = 0; line < 6; line++) lines.push(drain(queue, run))
  await Promise.all(lines)
  if (isFull) for (const trip of [20, 100]) await showPeers(row({ ...BURST, kind: 'sliding', trip, jitter: 0, target: 0 }))
  return all.flatMap(({ name }) => results.filter(({ where }) => where === name))
}

async function drain(queue: Row[], run: (row: Row) => Promise<void>): Promise<void> {
  for (let next = queue.shift(); next; next = queue.shift()) await run(next)
}

async function measureOurs({ RateLimiter, systemClock }: typeof Parts, cell: Row): Promise<Measured> {
  const limiter = new RateLimiter({ clock: systemClock })
  const buckets = [{ name: 'global', limit: cell.limit, per: cell.per }]
  const send: Send = async (request) => {
    const lease = await limiter.acquire({ buckets })
    await request()
    lease.answered({ status: 200 })
  }
  const measured = await measure(cell, send)
  limiter.close()
  return measured
}

/** The median round's time; every refusal counts. */
function toResult({ name, target }: Row, measured: readonly Measured[]): Result {
  const sorted = measured.toSorted((a, b) => a.time - b.time)
  const { time = Number.NaN, best = Number.NaN } = sorted[Math.floor(sorted.length / 2)] ?? {}
  const refused = measured.reduce((sum, each) => sum + each.refused, 0)
  const ratio = best / time
  return {
    bench: `limiter, of the best possible time`,
    where: name,
    ours: time,
    peer: best,
    unit: 'ms',
    ratio,
    target: `>= ${target} times, ${refused} of 0 refused`,
    passed: ratio >= target && refused === 0,
  }
}

async function showPeers(cell: Row): Promise<void> {
  for (const [peer, make] of Object.entries(PEERS)) {
    const { time, best, refused } = await measure(cell, make(cell.limit, cell.per))
    console.log(`  ${peer}: ${cell.name}: ${((best / time) * 100).toFixed(0)} % of the best possible time, ${refused} refused`)
  }
}
