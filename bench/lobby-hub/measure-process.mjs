/** Measures a server process from inside: memory, CPU time, delays of its event loop, and the times at which it handed data to sockets. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import process from 'node:process'

/** ms of the clock that all processes of this machine share. */
export const now = () => Number(process.hrtime.bigint()) / 1e6

/**
 * Answers the requests of the parent process: `{ act: [name, ids] }` runs one of the actions, `{ figures }` returns what was measured since
 * the last request. Returns the function to call whenever data was handed to a socket.
 */
export function measureProcess(actions) {
  const delays = monitorEventLoopDelay({ resolution: 5 })
  delays.enable()
  let [cpu, handed] = [process.cpuUsage(), []]
  process.on('message', ({ act, figures }) => {
    if (act) actions[act[0]](act[1])
    if (!figures) return
    const { user, system } = process.cpuUsage(cpu)
    globalThis.gc?.()
    const { rss } = process.memoryUsage()
    process.send({
      rss: rss / 1_048_576,
      cpu: (user + system) / 1000,
      delay: delays.percentile(99) / 1e6,
      handed,
    })
    delays.reset()
    ;[cpu, handed] = [process.cpuUsage(), []]
  })
  return () => handed.push(now())
}
