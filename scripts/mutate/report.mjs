/** Prints the result: the surviving mutants with their change, and a table of detected mutants per folder. */
import { place } from './runs.mjs'

const SURVIVED = new Set(['passed', 'not run'])

export function printSurvivors(mutants) {
  const survivors = mutants.filter(survived)
  if (survivors.length > 0) console.log('\nNo test notices these changes:\n')
  for (const mutant of survivors) {
    console.log(`${place(mutant)}  ${mutant.mutatorName}${mutant.outcome === 'not run' ? ', run by no test' : ''}`)
    console.log(`  - ${shortened(mutant.original)}\n  + ${shortened(mutant.replacement)}\n`)
  }
}

export function printTable(folders, mutants) {
  const rows = folders.map((folder) => [folder, mutants.filter((mutant) => mutant.folder === folder)])
  console.log('folder          mutants  noticed  survived  share')
  for (const [name, group] of [...rows, ['together', mutants]]) {
    const noticed = group.filter((mutant) => !survived(mutant)).length
    const numbers = [pad(group.length, 7), pad(noticed, 7), pad(group.length - noticed, 8), share(noticed, group.length)]
    console.log(`${name.padEnd(14)}  ${numbers.join('  ')}`)
  }
}

function survived({ outcome }) {
  return SURVIVED.has(outcome)
}

function share(part, whole) {
  return whole === 0 ? '-' : `${pad(Math.round((100 * part) / whole), 3)} %`
}

function pad(number, width) {
  return String(number).padStart(width)
}

function shortened(code) {
  const line = code.replace(/\s+/g, ' ')
  return line.length > 110 ? `${line.slice(0, 110)}…` : line
}
