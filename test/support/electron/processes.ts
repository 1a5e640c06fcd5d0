/** The processes of a desk, whoever has started them: the system's tools start some that nobody here has a handle of. */
import { readdirSync, readFileSync } from 'node:fs'

/** Ends everything that was started with this home, and waits until nothing is left that could write there. */
export async function endProcesses(home: string): Promise<void> {
  for (let left = processesOf(home); left.length > 0; left = processesOf(home)) {
    for (const pid of left) kill(pid)
    await new Promise((resolve) => void setTimeout(resolve, 20))
  }
}

function processesOf(home: string): number[] {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  // The parts of a Chromium write their titles over their environment; what stands there then names the profile.
  const isOfHome = (pid: string) => read(pid, 'environ').split('\0').includes(`HOME=${home}`) || read(pid, 'cmdline').includes(`${home}/`)
  return all.filter(isOfHome).map(Number)
}

/** Nothing for a process that has ended, or is not ours. */
function read(pid: string, file: 'environ' | 'cmdline'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1')
  } catch {
    return ''
  }
}

/** One that has ended meanwhile is no matter. */
function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}
