/**
 * Measures the cost of hostile accounts for the others at a backend: members with false reports, members who report lobbies that are not theirs or
 * do not exist, strangers with invented tokens, and strangers with invented codes at the sign-in, beside accounts with false reports.
 * `--attack=false-reports --accounts=10` measures one row of the table, and `--attack=invented-codes --codes=200 --accounts=0 --processes=4` too.
 * `--full` measures all pairs of codes and accounts.
 */
import { missingRedis } from '../../test/support/redis-server'
import type { Result } from '../measure'
import { pause } from '../lobby-hub/fork-process'
import { percentile } from '../lobby-hub/measure-hub'
import { type Answers, type HostileWorld, openWorld, type SignIn } from './hostile-world'

const CODES = 'invented-codes'
const ATTACKS = ['false-reports', 'foreign-lobbies', 'unknown-tokens', CODES]
const ACCOUNTS = [1, 10, 100]
/** Invented codes a second. */
const RATES = [1, 20, 200]
const PROCESSES = [1, 4]
/** Changes of honest lobbies, one after another, without and with the attack. */
const CHANGES = { quiet: 8, hostile: 20 }
/** ms between two of them, and between two requests of a hostile account: twice as many as a hub accepts from a player. */
const PAUSE = 250
/** Honest sign-ins, and the ms between two of them: the attack with codes takes as long as all of them. */
const SIGN_INS = { count: 20, every: 700 }
/** ms within which news and calls of the bot must be done. */
const SLOWEST = 1000
/** ms within which a sign-in must be done. */
const SLOWEST_SIGN_IN = 5000
/** Calls of an application in a second that the service allows. */
const LIMIT = 50
const DONE = 200

interface Row {
  readonly name: string
  readonly accounts: number
  readonly codes: number
  readonly processes: number
}

interface Times {
  readonly news: number[]
  readonly calls: number[]
}

export async function bench(): Promise<Result[]> {
  const results: Result[] = []
  for (const row of rowsToMeasure()) results.push(...(await measure(row)))
  return results
}

function rowsToMeasure(): Row[] {
  const attacks = chosen('attack', ATTACKS)
  const hub = attacks
    .filter((name) => name !== CODES)
    .flatMap((name) =>
      chosen('accounts', ACCOUNTS).map((accounts) => ({ name, accounts, codes: 0, processes: 1 })),
    )
  return attacks.includes(CODES) ? [...hub, ...rowsOfCodes()] : hub
}

/** By default the most codes with each number of accounts, and the most accounts with each number of codes. */
function rowsOfCodes(): Row[] {
  const isFull = process.argv.some((argument) => /^--(?:full$|codes=)/.test(argument))
  const missing = missingRedis()
  if (missing !== undefined) console.log(`  One process only: ${missing}.`)
  return chosen('processes', missing === undefined ? PROCESSES : [1]).flatMap((processes) =>
    chosen('accounts', [0, ...ACCOUNTS]).flatMap((accounts) =>
      chosen('codes', RATES)
        .filter((codes) => isFull || codes === RATES.at(-1) || accounts === ACCOUNTS.at(-1))
        .map((codes) => ({ name: CODES, accounts, codes, processes })),
    ),
  )
}

/** The value of an option of the command line, else all of them. */
function chosen<T extends string | number>(option: string, all: readonly T[]): T[] {
  const given = process.argv.find((argument) => argument.startsWith(`--${option}=`))?.split('=')[1]
  const values = all.filter((value) => given === undefined || String(value) === given)
  if (values.length === 0) throw new Error(`--${option}=${given}: one of ${all.join(', ')}`)
  return values
}

async function measure({ name, accounts, codes, processes }: Row): Promise<Result[]> {
  const hasCodes = codes > 0
  const world = await openWorld({ processes, signIns: hasCodes ? SIGN_INS.count : 0 })
  try {
    const quiet = await makeChanges(world, (count) => count < CHANGES.quiet)
    const began = performance.now()
    const attack = { name: hasCodes ? 'false-reports' : name, accounts, interval: PAUSE, codes }
    world.attack(attack, SIGN_INS.every)
    const times = await makeChanges(world, (count) =>
      hasCodes ? performance.now() - began < SIGN_INS.count * SIGN_INS.every : count < CHANGES.hostile,
    )
    const signIns = hasCodes ? await world.signIns() : undefined
    const answers = await world.endAttack()
    const title = hasCodes
      ? `${codes} codes a second, ${accounts} accounts, ${processes} processes`
      : `${accounts} ${name}`
    return rowsOf(title, { times, quiet, signIns, ...world.calls(), ...answers })
  } finally {
    await world.close()
  }
}

const sort = (times: readonly number[]) => times.toSorted((a, b) => a - b)

/** Times in ascending order. */
async function makeChanges(world: HostileWorld, goesOn: (count: number) => boolean): Promise<Times> {
  const [news, calls] = [new Array<number>(), new Array<number>()]
  for (let index = 0; goesOn(index); index++) {
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
  readonly signIns: readonly SignIn[] | undefined
  readonly refused: number
  readonly most: number
  readonly mostOfAll: number
  readonly answers: Answers
  readonly codeAnswers: Answers
}

const listOf = (answers: Answers) =>
  Object.entries(answers)
    .map(([status, count]) => `${count} of ${status}`)
    .join(', ')

function rowsOf(name: string, figures: Figures): Result[] {
  const { times, quiet, signIns, refused, most, mostOfAll, answers, codeAnswers } = figures
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
  const atMost = (where: string, count: number, limit: number, note = '') =>
    row(where, [count, limit], { unit: '', target: `<= ${limit}${note}`, passed: count <= limit })
  const ofSignIns = (given: readonly SignIn[]) => {
    const took = sort(given.map((each) => each.took))
    const slowest = took.at(-1) ?? Number.NaN
    const failed = given.filter(({ status }) => status !== DONE)
    return [
      row('slowest honest sign-in', [slowest, SLOWEST_SIGN_IN], {
        unit: 'ms',
        target: `<= ${SLOWEST_SIGN_IN} ms, median ${percentile(took, 0.5).toFixed(1)} ms`,
        passed: slowest <= SLOWEST_SIGN_IN,
      }),
      atMost('honest sign-ins that failed', failed.length, 0, `; invented codes: ${listOf(codeAnswers)}`),
      atMost('most requests of the application in 1 s', mostOfAll, LIMIT),
    ]
  }
  return [
    ...(signIns ? ofSignIns(signIns) : []),
    time('slowest news to honest members', times.news, quiet.news),
    time("slowest of the bot's calls", times.calls, quiet.calls),
    atMost("most of the bot's calls in 1 s", most, LIMIT),
    atMost('answers of 429 to the application', refused, 0, `; hostile answers: ${listOf(answers)}`),
  ]
}
