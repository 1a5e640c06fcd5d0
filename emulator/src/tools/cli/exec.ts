/** `foyer-emulator exec`: runs a command with an emulator, and exits with its exit code. */
import spawn from 'cross-spawn'
import { environment } from '../../emulator/environment.js'
import { findFormerNames } from '../../foundation/former-names.js'
import { UsageError } from './parse-options.js'
import type { ServeOptions } from './read-arguments.js'
import { endProcesses, processesBelow } from './process-tree.js'
import { pageLines, serve, startProgram } from './serve.js'
import type { ChildProcess } from 'node:child_process'
import { createServer } from 'node:net'
import { constants } from 'node:os'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Milliseconds that a command has to end after SIGTERM or SIGHUP. */
const GRACE = 3000

export async function exec({ localProgram, ...options }: ServeOptions, command: string[]): Promise<number> {
  const { address: interactionsUrl, variables, release } = await chooseBackendPort(options.interactionsUrl)
  const emulator = await serve(
    { ...options, interactionsUrl },
    { onNotice: (notice) => process.stderr.write(`foyer-emulator: ${notice}\n`) },
  )
  for (const line of [...pageLines(emulator), ...formerLines()])
    process.stderr.write(`foyer-emulator: ${line}\n`)
  try {
    const program = await startProgram(emulator, localProgram)
    await release()
    return await run(command, { ...environment(emulator), ...program, ...variables })
  } finally {
    await emulator.close()
  }
}

/** The command has the emulator's values by their names, and may still read its own by others. */
const formerLines = (): string[] =>
  findFormerNames(process.env).map(
    ({ name, former }) => `${former} is set, and is not the emulator's: the command gets ${name}`,
  )

async function run([file = '', ...args]: string[], values: Record<string, string>): Promise<number> {
  const child = spawn(file, args, { stdio: 'inherit', env: { ...process.env, ...values } })
  let ending: Promise<void> | undefined
  const forward = (signal: NodeJS.Signals) => {
    // A terminal sends Ctrl-C to the child as well; forwarding it would look like a second one, "stop at once".
    if (signal === 'SIGINT' && process.stdin.isTTY) return
    // After Ctrl-C a command may have questions; the two other signals ask for an end, of all that the command started.
    if (signal === 'SIGINT' || child.pid === undefined) child.kill(signal)
    else ending ??= endProcesses([child.pid, ...processesBelow(child.pid)], { signal, grace: GRACE })
  }
  for (const signal of SIGNALS) process.on(signal, forward)
  try {
    return await exitCode(child, file)
  } finally {
    await ending
    for (const signal of SIGNALS) process.off(signal, forward)
  }
}

function exitCode(child: ChildProcess, file: string): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', (error) =>
      reject(new UsageError(`the command ${JSON.stringify(file)} cannot be started: ${error.message}`)),
    )
    child.once('exit', (code, signal) =>
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])),
    )
  })
}

interface BackendPort {
  readonly address: string | undefined
  readonly variables: Record<string, string>
  /** Frees the port for the command. */
  readonly release: () => Promise<unknown>
}

/**
 * Replaces port 0 of an address with a free port, which stays taken until it is released: the emulator's own servers could get it
 * otherwise. The command receives the port as the variable `PORT`.
 */
async function chooseBackendPort(address: string | undefined): Promise<BackendPort> {
  const url = URL.parse(address ?? '')
  if (url?.port !== '0') return { address, variables: {}, release: async () => undefined }
  const { port, release } = await takePort()
  url.port = String(port)
  return { address: url.href, variables: { PORT: url.port }, release }
}

function takePort(): Promise<{ port: number } & Pick<BackendPort, 'release'>> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy()).unref()
    const release = () => new Promise((closed) => server.close(closed))
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      if (address === null || typeof address === 'string') reject(new Error('no TCP port'))
      else resolve({ port: address.port, release })
    })
  })
}
