/** Benchmark of validating a command, compared with serializing it as JSON, and with libraries that check less. */
import { validateCommand } from 'foyer-sdk/server'
import { compare, type Result, type Round } from '../measure'
import { type Body, maximal, SIMPLE } from './bodies'
import { builderCheck, valibotCheck, zodCheck } from './peers'

/** At most 1.25 times the time of `JSON.stringify`. */
const JSON_TARGET = 1 / 1.25
/** At most a quarter of the time of a library. */
const LIBRARY_TARGET = 4

/** Bodies as parsed from a file: fresh strings, none of them shared. */
const BODIES: readonly { what: string; body: Body; operations: number }[] = [
  { what: 'simple', body: parsed(SIMPLE), operations: 2000 },
  { what: 'maximal', body: parsed(maximal()), operations: 10 },
]

const PEERS: readonly { name: string; target: number; work: (body: Body) => boolean }[] = [
  { name: 'JSON.stringify', target: JSON_TARGET, work: (body) => JSON.stringify(body).length > 0 },
  { name: 'zod 4', target: LIBRARY_TARGET, work: zodCheck() },
  { name: 'valibot', target: LIBRARY_TARGET, work: valibotCheck() },
  { name: 'builders 1.x', target: LIBRARY_TARGET, work: builderCheck() },
]

export async function bench(): Promise<Result[]> {
  const results: Result[] = []
  for (const { what, body, operations } of BODIES) {
    for (const { name, target, work } of PEERS) {
      const ours = round(() => validateCommand(body, { scope: 'global', operation: 'create' }).length === 0)
      const result = await compare(
        ours,
        round(() => work(body)),
        { rounds: 40, operations },
      )
      results.push({
        bench: 'validate-command',
        where: `${what}, ${name}`,
        ...result,
        target: `>= ${target} times`,
        passed: result.ratio >= target,
      })
    }
  }
  return results
}

function round(accepts: () => boolean): Round {
  return (operations) => {
    const begin = performance.now()
    for (let operation = 0; operation < operations; operation++)
      if (!accepts()) throw new Error('A valid command was refused.')
    return Promise.resolve(performance.now() - begin)
  }
}

function parsed(body: Body): Body {
  return JSON.parse(JSON.stringify(body))
}
