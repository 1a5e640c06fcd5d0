/**
 * Measures the cost of hostile accounts for the others at a lobby hub: members with false reports, members who report lobbies that are not
 * theirs or do not exist, and strangers with invented tokens. `--attack=false-reports --accounts=10` measures one row of the table.
 */
import type { Result } from '../measure'
import { pause } from '../lobby-hub/fork-process'
import { percentile } from '../lobby-hub/measure-hub'
import { openWorld, type HostileWorld } from './hostile-world'

const ATTACKS = ['false-reports', 'foreign-lobbies', 'unknown-tokens']
const ACCOUNTS = [1, 10, 100]
/** Changes of honest lobbies, one after another, without and with the attack. */
const CHANGES = { quiet: 8, hostile: 20 }
/** ms between two of them, and between two requests of a hostile account: twice as many as a hub accepts from a player. */
const PAUSE = 250
/** ms within which news and calls of the bot must be done. */
const SLOWEST = 1000
/** Calls of an application in a second that the service allows. */
const LIMIT = 50

interface Times {
  readonly news: number[]
  readonly calls: number[]
}

export async function bench(): Promise<Result[]> {
  const results: Result[] = []
  for (const name of chosen('attack', ATTACKS))
    for (const accounts of chosen('accounts', ACCOUNTS)) results.push(...(await measure(name, accounts)))
  return results
}

/** The value of an option of the command line, else all of them. */
function chosen<T extends string | number>(option: string, all: readonly T[]): T[] {
  const given = process.argv.find((argument) => argument.startsWith(`--${option}=`))?.split('=')[1]
  const values = all.filter((value) => given === undefined || String(value) === given)
  if (values.length === 0) throw new Error(`--${option}=${given}: one of ${all.join(', ')}`)
  return values
}

async function measure(name: string, accounts: number): Promise<Result[]> {
  const world = await openWorld()
  try {
    const quiet = await makeChanges(world, CHANGES.quiet)
    world.attack({ name, accounts, interval: PAUSE })
    const times = await makeChanges(world, CHANGES.hostile)
    const answers = await world.endAttack()
    return rowsOf(`${accounts} ${name}`, { times, quiet, ...world.calls(), answers })
  } finally {
    await world.close()
  }
}

const sort = (times: readonly number[]) => times.toSorted((a, b) => a - b)

/** Times in ascending order. */
async function makeChanges(world: HostileWorld, count: number): Promise<Times> {
  const [news, calls] = [new Array<number>(), new Array<number>()]
  for (let index = 0; index < count; index++) {
    await pause(PAUSE)
    const { call, news: times } = await world.change(index)
    calls.push(call)
    news.push(...times)
  }
  return { news: sort(news), calls: sort(calls) }
}

interface Figures {
  readonly times: Times
  readonly quiet: Times
  readonly refused: number
  readonly most: number
  readonly answers: Readonly<Record<string, number>>
}

function rowsOf(name: string, { times, quiet, refused, most, answers }: Figures): Result[] {
  const row = (
    where: string,
    [ours, peer]: [number, number],
    rest: Pick<Result, 'unit' | 'target' | 'passed'>,
  ): Result => ({
    bench: name,
    where,
    ours,
    peer,
    ratio: peer === 0 ? 0 : ours / peer,
    ...rest,
  })
  const time = (where: string, mine: readonly number[], others: readonly number[]) =>
    row(where, [mine.at(-1) ?? Number.NaN, others.at(-1) ?? Number.NaN], {
      unit: 'ms',
      target: `<= ${SLOWEST} ms, median ${percentile(mine, 0.5).toFixed(1)} instead of ${percentile(others, 0.5).toFixed(1)} ms`,
      passed: (mine.at(-1) ?? Number.NaN) <= SLOWEST,
    })
  const seen = Object.entries(answers).map(([status, count]) => `${count} of ${status}`)
  return [
    time('slowest news to honest members', times.news, quiet.news),
    time("slowest of the bot's calls", times.calls, quiet.calls),
    row("most of the bot's calls in 1 s", [most, LIMIT], {
      unit: '',
      target: `<= ${LIMIT}`,
      passed: most <= LIMIT,
    }),
    row("the bot's answers of 429", [refused, 0], {
      unit: '',
      target: `0; hostile answers: ${seen.join(', ')}`,
      passed: refused === 0,
    }),
  ]
}
