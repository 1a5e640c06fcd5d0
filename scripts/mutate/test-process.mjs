/** Runs test files on request of the parent process, for one mutant after the other: what was compiled for one is not compiled again. */
import process from 'node:process'
import { createVitest } from 'vitest/node'

/** Environment variable that Stryker's mutants read. */
const ACTIVE_MUTANT = '__STRYKER_ACTIVE_MUTANT__'

const vitest = await createVitest('test', {
  config: 'scripts/mutate/vitest.config.mjs',
  watch: false,
  reporters: [{}],
  maxWorkers: 1,
})
process.on('disconnect', () => process.exit())
process.on('message', (request) => void passes(Object(request)).then((passed) => process.send?.(passed)))
process.send?.('ready')

/**
 * Returns true if the tests pass. `tests`: ids, or undefined for all. They run in a process of their own, which inherits the mutant's number
 * and the time limit of a test in ms.
 *
 * @param {{ mutant: string, file: string, tests?: string[], limit: number }} request
 */
async function passes({ mutant, file, tests, limit }) {
  Object.assign(process.env, { [ACTIVE_MUTANT]: mutant, MUTATE_TEST_LIMIT: String(limit) })
  const specification = vitest.getRootProject().createSpecification(file, tests && { testIds: tests })
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications([specification])
  // The list has the files of all earlier runs too.
  const module = testModules.find(({ moduleId }) => moduleId === file)
  return unhandledErrors.length === 0 && module?.ok() === true
}
