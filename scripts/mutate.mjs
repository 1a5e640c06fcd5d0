/** Mutates the SDK's logic in a seeded sample of places, one at a time, and lists the mutants that no test detects: `npm run mutate -- --help`. */
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { openCache } from './mutate/coverage-cache.mjs'
import { drawMutants, placeMutants } from './mutate/mutants.mjs'
import { printSurvivors, printTable } from './mutate/report.mjs'
import { findCoveringTests, runMutants } from './mutate/runs.mjs'

const FOLDERS = [
  'shared/authorization',
  'shared/tokens',
  'shared/rate-limit',
  'shared/http',
  'client',
  'server/lobbies',
  'server/commands',
  'server/interactions',
]
const HELP = `npm run mutate -- [options]
  --seed N      the number that decides the sample; printed, so that a run can be repeated (a new one each time)
  --sample N    mutants per folder (35)
  --folder X    a folder or file of src/, may be given several times (${FOLDERS.join(', ')})
  --cores N     test runs side by side (2)`

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1_000_000)) },
    sample: { type: 'string', default: '35' },
    folder: { type: 'string', multiple: true, default: FOLDERS },
    cores: { type: 'string', default: String(Math.min(2, availableParallelism())) },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) console.log(HELP)
else
  await main({
    seed: Number(values.seed),
    sample: Number(values.sample),
    cores: Number(values.cores),
    folders: values.folder,
  })

/** @param {{ seed: number, sample: number, cores: number, folders: string[] }} options */
async function main({ seed, sample, cores, folders }) {
  const begin = Date.now()
  console.log(`seed ${seed}, ${sample} mutants per folder of ${folders.join(', ')}`)
  // All folders, so that the record of which tests run which mutant serves the next portion too.
  const placed = [...FOLDERS, ...folders.filter((folder) => !FOLDERS.includes(folder.split('/')[0] ?? ''))]
  await openCache(placed)
  const { mutants, sources } = await placeMutants(await drawMutants({ seed, sample, folders }), placed)
  const tests = await findCoveringTests(mutants, sources)
  await runMutants({ mutants, tests, cores })
  printSurvivors(mutants)
  printTable(folders, mutants)
  const again = [
    '--seed',
    seed,
    '--sample',
    sample,
    ...(folders === FOLDERS ? [] : folders.flatMap((folder) => ['--folder', folder])),
  ]
  console.log(
    `Took ${Math.round((Date.now() - begin) / 60_000)} minutes. The same sample again: npm run mutate -- ${again.join(' ')}`,
  )
}
