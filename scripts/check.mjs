/** Runs every check, even after one has failed, and prints the output of the failed ones: `npm run check`, after a build. */
import { spawnSync } from 'node:child_process'
import process from 'node:process'

const PARTS = ['types', 'lint', 'format', 'unused', 'package']
const failed = PARTS.filter((part) => !passes(part))
console.log(failed.length === 0 ? 'All checks passed.' : `Failed: ${failed.join(', ')}.`)
process.exitCode = failed.length === 0 ? 0 : 1

/** @param {string} part */
function passes(part) {
  const begin = performance.now()
  const { status, stdout, stderr } = spawnSync('npm', ['run', '--silent', `check:${part}`], {
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
  const seconds = ((performance.now() - begin) / 1000).toFixed(1)
  console.log(`${status === 0 ? 'ok    ' : 'FAILED'} ${part}, ${seconds} s`)
  if (status !== 0) console.log(`${stdout}${stderr}`)
  return status === 0
}
