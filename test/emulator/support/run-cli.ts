/** Runs the built command line as a real process. */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const cliPath = fileURLToPath(new URL('../../../emulator/dist/tools/cli/index.js', import.meta.url))

export interface Ended {
  code: number | null
  signal: NodeJS.Signals | null
  out: string
  err: string
}

/** Started as by its shebang: `node -- cli.js`. */
export class Cli {
  readonly process: ChildProcessWithoutNullStreams
  readonly ended: Promise<Ended>
  #out = ''
  #err = ''

  /** `fileBlocks` limits the size of a file, in blocks of 512 bytes. */
  constructor(
    args: string[],
    { fileBlocks, ...options }: { cwd?: string; env?: Record<string, string>; fileBlocks?: number } = {},
  ) {
    const command = [process.execPath, '--', cliPath, ...args]
    const limited =
      fileBlocks === undefined
        ? command
        : ['sh', '-c', `ulimit -f ${fileBlocks} && exec "$@"`, 'sh', ...command]
    const [program = '', ...rest] = limited
    this.process = spawn(program, rest, { ...options, env: { ...process.env, ...options.env } })
    this.process.stdout.on('data', (chunk: Buffer) => (this.#out += chunk.toString()))
    this.process.stderr.on('data', (chunk: Buffer) => (this.#err += chunk.toString()))
    this.ended = new Promise((resolve) => {
      this.process.once('close', (code, signal) => resolve({ code, signal, out: this.#out, err: this.#err }))
    })
  }

  /** What it has printed so far. */
  get output(): string {
    return this.#out
  }

  get errors(): string {
    return this.#err
  }

  /** The first output; rejects when the process ends without any. */
  async firstOutput(): Promise<string> {
    const spoke = new Promise<string>((resolve) => {
      this.process.stdout.once('data', () => resolve(this.#out))
    })
    const silent = this.ended.then(({ code, err }) =>
      Promise.reject(new Error(`ended with ${code} and no output: ${err}`)),
    )
    silent.catch(() => undefined)
    return Promise.race([spoke, silent])
  }

  async ready(): Promise<Record<string, unknown>> {
    const values: unknown = JSON.parse(await this.firstOutput())
    return Object.fromEntries(Object.entries(values ?? {}))
  }

  stop(signal: NodeJS.Signals): Promise<Ended> {
    this.process.kill(signal)
    return this.ended
  }
}
