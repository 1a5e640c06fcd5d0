/** Processes that a command has started: a shell or npm ends without those below it. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'

/** Milliseconds between two looks at processes that should end. */
const PAUSE = 50

/** Ids of the processes below one, children first; none on Windows, where no such signal arrives. */
export function processesBelow(root: number): number[] {
  const parents = readParents()
  const found = [root]
  for (const each of found) for (const [id, parent] of parents) if (parent === each) found.push(id)
  return found.slice(1)
}

/** Sends the signal to all of them, and SIGKILL to those that are there after the grace, with what they started meanwhile. */
export async function endProcesses(
  ids: readonly number[],
  { signal, grace }: { signal: NodeJS.Signals; grace: number },
): Promise<void> {
  for (const id of ids) send(id, signal)
  for (let left = grace; left > 0 && ids.some(isRunning); left -= PAUSE) await wait(PAUSE)
  for (const id of ids.filter(isRunning).flatMap((each) => [each, ...processesBelow(each)]))
    send(id, 'SIGKILL')
}

function readParents(): Map<number, number> {
  if (process.platform === 'win32') return new Map()
  if (process.platform === 'linux') return new Map(readdirSync('/proc').flatMap(readStat))
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n')
  return new Map(
    rows.map((row): [number, number] => {
      const [id, parent] = row.trim().split(/\s+/)
      return [Number(id), Number(parent)]
    }),
  )
}

/** `pid (name) state ppid …`: the name may hold parentheses and spaces. */
function readStat(entry: string): [number, number][] {
  if (!/^\d+$/.test(entry)) return []
  const [state, parent] = statFields(entry)
  return state === undefined ? [] : [[Number(entry), Number(parent)]]
}

function statFields(id: number | string): string[] {
  try {
    const text = readFileSync(`/proc/${id}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return []
  }
}

/** A process that has ended and that nobody waits for stays in the list of processes. */
function isRunning(id: number): boolean {
  if (process.platform === 'linux') return !['Z', 'X', undefined].includes(statFields(id)[0])
  return send(id, 0)
}

function send(id: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(id, signal)
  } catch {
    return false
  }
}
