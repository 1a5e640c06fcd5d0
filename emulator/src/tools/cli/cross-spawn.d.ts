/** Types of `cross-spawn`, which has none: `spawn` of Node that finds `npm` and other scripts on Windows too. */
declare module 'cross-spawn' {
  import type { ChildProcess, SpawnOptions } from 'node:child_process'

  export default function spawn(command: string, args: readonly string[], options: SpawnOptions): ChildProcess
}
