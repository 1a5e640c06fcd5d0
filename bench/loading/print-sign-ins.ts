/** Compares the measured sign-ins and prints them with what each library verifies. */
import type { Result } from '../measure'
import { textTable } from '../../test/package/measure-sizes'
import type { Game } from './games'
import type { SignIn } from './measure-sign-in'

export type SignIns = ReadonlyMap<string, readonly SignIn[]>

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

export function medianTime(signIns: SignIns, name: string): number {
  return median((signIns.get(name) ?? []).map(({ time }) => time))
}

interface Target {
  readonly ours: string
  readonly peer: string
  /** Largest allowed ratio. */
  readonly most: number
  readonly where?: string
  /** A larger ratio is a failure. */
  readonly asserted: boolean
}

/** Compares the requests that follow each other, which no load changes: each costs a round trip. */
export function comparedSequences(signIns: SignIns, ours: string, peer: string): Result {
  const count = (name: string) => median((signIns.get(name) ?? []).map(({ sequence }) => sequence))
  const ratio = count(ours) / count(peer)
  return {
    bench: `loading, ${ours}`,
    where: `requests in sequence, beside ${peer}`,
    ours: count(ours),
    peer: count(peer),
    unit: 'requests',
    ratio,
    target: '<= 1 times',
    passed: ratio <= 1,
  }
}

/** The ratio is that of neighbouring rounds, which run under the same load of the machine. */
export function comparedWith(
  signIns: SignIns,
  { ours, peer, most, asserted, where = '400 ms, 400 kbit/s' }: Target,
): Result {
  const [own, other] = [signIns.get(ours) ?? [], signIns.get(peer) ?? []]
  const ratio = median(own.map(({ time }, round) => time / (other[round]?.time ?? Number.NaN)))
  return {
    bench: `loading, ${ours}`,
    where: `${where}, beside ${peer}`,
    ours: medianTime(signIns, ours),
    peer: medianTime(signIns, peer),
    unit: 'ms',
    ratio,
    target: asserted ? `<= ${most} times` : `<= ${most} times on a quiet machine`,
    passed: !asserted || ratio <= most,
  }
}

/** One row for each game, with the ratio to the third. */
export function signInTable(
  games: readonly Game[],
  { plain, costly }: Record<'plain' | 'costly', SignIns>,
): string {
  const rows = games.map(({ name, verifies }) => {
    const sequence = median((plain.get(name) ?? []).map((signIn) => signIn.sequence))
    const { ratio } = comparedWith(plain, { ours: name, peer: 'oauth4webapi', most: 1, asserted: false })
    const ms = [plain, costly].map((signIns) => medianTime(signIns, name).toFixed(0))
    return [name, String(sequence), ms[0] ?? '', ratio.toFixed(2), ms[1] ?? '', verifies]
  })
  return textTable([
    ['', 'requests in sequence', 'ms', 'times oauth4webapi', 'ms, costly connections', 'verifies'],
    ...rows,
  ])
}
