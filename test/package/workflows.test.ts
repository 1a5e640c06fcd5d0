/** Workflows of the repository can pass: each job has the programs and the time that its steps need, and what it runs cannot change by itself. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { LISTS, type Step } from '../../scripts/lists.mjs'
import { projects } from '../projects'

interface Job {
  container?: string | { image: string }
  'timeout-minutes': number
  strategy?: { matrix: Record<string, (string | number)[]> }
  steps: { uses?: string; run?: string }[]
}

const FOLDER = '.github/workflows'
const files = readdirSync(FOLDER)
const jobs = files.flatMap((file) => {
  const workflow: { jobs: Record<string, Job> } = parse(readFileSync(join(FOLDER, file), 'utf8'))
  return Object.entries(workflow.jobs).map(([name, job]) => ({ name: `${name} of ${file}`, job }))
})

type List = keyof typeof LISTS
const RUN = /node scripts\/run-list\.mjs (merge|proof) ([\w -]+)$/

/** The commands of a job, once for each value of its matrix. */
function variantsOf({ steps: commandsOf, strategy }: Job): string[][] {
  const values = Object.entries(strategy?.matrix ?? {}).flatMap(([key, all]) =>
    all.map((value) => [key, String(value)] as const),
  )
  const commands = commandsOf.flatMap(({ run }) => run ?? [])
  if (values.length === 0) return [commands]
  return values.map(([key, value]) =>
    commands.map((command) => command.replaceAll(`\${{ matrix.${key} }}`, value)),
  )
}

/** Steps of a list that one of the commands runs. */
function stepsIn(commands: string[]): { list: List; name: string; step: Step }[] {
  return commands.flatMap((command) => {
    const [, list = '', names = ''] = RUN.exec(command) ?? []
    return list === 'merge' || list === 'proof'
      ? names.split(' ').map((name) => ({ list, name, step: LISTS[list][name] ?? unknownStep(name) }))
      : []
  })
}

function unknownStep(name: string): never {
  throw new Error(`${name} is no step of the list`)
}

/** Steps whose programs are installed by an earlier command. */
function provided(commands: string[]): string[] {
  return commands.flatMap((command) => {
    const [, names = ''] =
      /^apt-get update && apt-get install .*\$\(node scripts\/run-list\.mjs \w+ ([\w -]+) --programs\)$/.exec(
        command,
      ) ?? []
    return names.split(' ')
  })
}

/** Faults of a job, as sentences. */
function faultsOf(job: Job): string[] {
  return variantsOf(job).flatMap((commands) => {
    const steps = stepsIn(commands)
    const needed = 2 * steps.reduce((sum, { step }) => sum + step.minutes, 0)
    const bare = steps.filter(
      ({ name, step }) => step.programs !== undefined && !provided(commands).includes(name),
    )
    const image = typeof job.container === 'string' ? job.container : job.container?.image
    return [
      ...bare.map(({ name }) => `${name} runs without its programs`),
      ...(job['timeout-minutes'] < needed
        ? [`${needed} minutes are needed, ${job['timeout-minutes']} are allowed`]
        : []),
      ...(steps.length > 0 && !image?.endsWith('-bookworm')
        ? ['the programs are packages of Debian, which is not the image']
        : []),
    ]
  })
}

test.each(files)('%s runs actions at a commit, not at a tag that can move', (name) => {
  const uses = [...readFileSync(join(FOLDER, name), 'utf8').matchAll(/\buses:\s*(\S+)/g)].map(
    ([, action = '']) => action,
  )
  expect(uses).not.toEqual([])
  expect(uses.filter((action) => !/@[0-9a-f]{40}$/.test(action))).toEqual([])
})

test.each(jobs)('$name has the programs and twice the minutes of what it runs', ({ job }) => {
  expect(faultsOf(job)).toEqual([])
})

describe('a job', () => {
  const debian = { container: 'node:22-bookworm', 'timeout-minutes': 60 }
  const runs = { run: 'node scripts/run-list.mjs merge redis' }

  test.each<[string, Job, RegExp]>([
    ['without Redis', { ...debian, steps: [runs] }, /redis runs without its programs/],
    [
      'with the programs of another step',
      {
        ...debian,
        steps: [
          { run: 'apt-get update && apt-get install -y $(node scripts/run-list.mjs merge fast --programs)' },
          runs,
        ],
      },
      /redis runs without its programs/,
    ],
    [
      'without time',
      { ...debian, 'timeout-minutes': 1, steps: [{ run: 'node scripts/run-list.mjs merge fast' }] },
      /minutes are needed, 1 are allowed/,
    ],
    [
      'on another system',
      { 'timeout-minutes': 60, steps: [{ run: 'node scripts/run-list.mjs merge fast' }] },
      /packages of Debian/,
    ],
  ])('%s is found', (_, job, fault) => {
    expect(faultsOf(job).join()).toMatch(fault)
  })
})

test.each(['merge', 'proof'] as const)('a job runs each step of %s', (list) => {
  const run = jobs.flatMap(({ job }) => variantsOf(job).flatMap(stepsIn)).filter((step) => step.list === list)
  expect(new Set(run.map(({ name }) => name))).toEqual(new Set(Object.keys(LISTS[list])))
})

test('each lane of the suite is on one list', () => {
  const lanes = Object.values(LISTS).flatMap((steps) =>
    Object.entries(steps).flatMap(([name, { run }]) => (/vitest run|npm test/.test(run) ? name : [])),
  )
  expect(lanes).toHaveLength(projects.length)
  expect(new Set(lanes)).toEqual(new Set(projects.map(({ test: lane }) => lane?.name)))
})
