/** Prints the result: the surviving mutants with their change, and a table of detected mutants per folder. */
import { place } from './runs.mjs'

/** @import { Mutant } from './mutant-types' */

/** @type {Set<Mutant['outcome']>} */
const SURVIVED = new Set(['passed', 'not run'])

/** @param {Mutant[]} mutants */
export function printSurvivors(mutants) {
  const survivors = mutants.filter(survived)
  if (survivors.length > 0) console.log('\nNo test notices these changes:\n')
  for (const mutant of survivors) {
    console.log(
      `${place(mutant)}  ${mutant.mutatorName}${mutant.outcome === 'not run' ? ', run by no test' : ''}`,
    )
    console.log(`  - ${shortened(mutant.original)}\n  + ${shortened(mutant.replacement)}\n`)
  }
}

/**
 * @param {string[]} folders
 * @param {Mutant[]} mutants
 */
export function printTable(folders, mutants) {
  const rows = folders.map(
    (folder) => /** @type {const} */ ([folder, mutants.filter((mutant) => mutant.folder === folder)]),
  )
  console.log('folder          mutants  noticed  survived  share')
  for (const [name, group] of [...rows, /** @type {const} */ (['together', mutants])]) {
    const noticed = group.filter((mutant) => !survived(mutant)).length
    const numbers = [
      pad(group.length, 7),
      pad(noticed, 7),
      pad(group.length - noticed, 8),
      share(noticed, group.length),
    ]
    console.log(`${name.padEnd(14)}  ${numbers.join('  ')}`)
  }
}

/** @param {Mutant} mutant */
function survived({ outcome }) {
  return SURVIVED.has(outcome)
}

/**
 * @param {number} part
 * @param {number} whole
 */
function share(part, whole) {
  return whole === 0 ? '-' : `${pad(Math.round((100 * part) / whole), 3)} %`
}

/**
 * @param {number} number
 * @param {number} width
 */
function pad(number, width) {
  return String(number).padStart(width)
}

/** @param {string} code */
function shortened(code) {
  const line = code.replace(/\s+/g, ' ')
  return line.length > 110 ? `${line.slice(0, 110)}…` : line
}
