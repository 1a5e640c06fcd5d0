/** Processes of a sandbox, including those that the system's tools start and of which no test has a handle. */
import { readdirSync, readFileSync } from 'node:fs'

/** Kills every process with this home, and waits until none is left that could write there. */
export async function endProcesses(home: string): Promise<void> {
  for (let left = processesOf(home); left.length > 0; left = processesOf(home)) {
    for (const pid of left) kill(pid)
    await new Promise((resolve) => void setTimeout(resolve, 20))
  }
}

function processesOf(home: string): number[] {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  // Chromium's child processes write their titles over their environment; their command line then names the profile.
  const isOfHome = (pid: string) =>
    read(pid, 'environ').split('\0').includes(`HOME=${home}`) || read(pid, 'cmdline').includes(`${home}/`)
  return all.filter(isOfHome).map(Number)
}

/** Returns an empty string for a process that has exited or belongs to another user. */
function read(pid: string, file: 'environ' | 'cmdline'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1')
  } catch {
    return ''
  }
}

/** Kills a process, if it still exists. */
function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // The process has already exited.
  }
}
