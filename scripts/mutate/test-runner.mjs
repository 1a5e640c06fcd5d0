/** Runs tests with a mutant in a process that stays for the next mutant, and starts a new process after tests that hang. */
import { fork } from 'node:child_process'
import process from 'node:process'

/** @import { ChildProcess } from 'node:child_process' */
/** @import { Outcome, Selection } from './mutant-types' */

/** Time in ms to start the tests of a file on a busy machine. */
const STARTUP_MS = 30_000
/** A test hangs after this many times the duration of its whole file, and this many ms. */
const HANGS_AFTER = 5
const HANGS_AFTER_MS = 10_000
const NO_MUTANT = '-1'
/** Runs without a mutant, of which one must pass: on a busy machine a test may exceed its time. */
const ATTEMPTS = 3

export class TestRunner {
  /** @type {ChildProcess | undefined} */
  #child
  /**
   * Which selections of tests pass without a mutant, by file and ids.
   *
   * @type {Map<string, boolean>}
   */
  static #reliable = new Map()

  /**
   * Returns `failed test`, `timeout` or `passed`. `tests`: ids, or undefined for all of the file. `ms`: duration of the whole file. Tests hang
   * if they do so twice: the machine may have been busy, or asleep.
   *
   * @param {string} mutant
   * @param {Selection} selection
   * @returns {Promise<Outcome>}
   */
  async run(mutant, { file, ms, tests }) {
    const first = await this.#request({ mutant, file, ms, tests })
    const outcome = first === 'timeout' ? await this.#request({ mutant, file, ms, tests }) : first
    if (outcome !== 'failed test' || (await this.#isReliable({ file, ms, tests }))) return outcome
    // Tests that need an earlier one of their file fail without a mutant too: then the whole file decides.
    return tests ? this.run(mutant, { file, ms }) : 'passed'
  }

  close() {
    this.#child?.disconnect()
  }

  /** @param {Selection} selection */
  async #isReliable({ file, ms, tests }) {
    const key = `${file} ${String(tests)}`
    for (let attempt = 0; attempt < ATTEMPTS && !TestRunner.#reliable.get(key); attempt++)
      TestRunner.#reliable.set(
        key,
        (await this.#request({ mutant: NO_MUTANT, file, ms, tests })) === 'passed',
      )
    return TestRunner.#reliable.get(key)
  }

  /**
   * @param {Selection & { mutant: string }} request
   * @returns {Promise<Outcome>}
   */
  async #request({ mutant, file, ms, tests }) {
    this.#child ??= await startProcess()
    const child = this.#child
    const limit = HANGS_AFTER_MS + HANGS_AFTER * ms
    child.send({ mutant, file, tests, limit })
    const answer = await nextMessage(child, STARTUP_MS + limit)
    if (answer !== undefined) return answer ? 'passed' : 'failed test'
    this.#child = undefined
    killGroup(child)
    return 'timeout'
  }
}

/** @type {Set<ChildProcess>} */
const running = new Set()
process.once('SIGINT', () => {
  for (const child of running) killGroup(child)
  process.exit(130)
})

async function startProcess() {
  // A separate process group, so that a hanging test process is killed with it.
  const child = fork('scripts/mutate/test-process.mjs', {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    detached: true,
  })
  running.add(child)
  // Without a limit: a message that came later would be read as the result of the first tests.
  if ((await nextMessage(child)) === undefined)
    throw new Error('The process that runs the tests did not start.')
  return child
}

/**
 * Resolves with undefined if the process sends nothing in time, or ends. `timeout` in ms; undefined for no limit.
 *
 * @param {ChildProcess} child
 * @param {number} [timeout]
 * @returns {Promise<unknown>}
 */
function nextMessage(child, timeout) {
  return new Promise((resolve) => {
    /** @param {unknown} [message] */
    const settle = (message) => {
      clearTimeout(timer)
      child.off('message', settle).off('exit', end)
      resolve(message)
    }
    const end = () => settle(undefined)
    const timer = timeout === undefined ? undefined : setTimeout(end, timeout)
    child.on('message', settle).on('exit', end)
  })
}

/** @param {ChildProcess} child */
function killGroup(child) {
  running.delete(child)
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  } catch {
    // Ended by itself.
  }
}
