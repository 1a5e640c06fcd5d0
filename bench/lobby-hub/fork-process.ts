/** Processes of the bench, and their messages. */
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const FOLDER = new URL('bench/lobby-hub/', `file://${process.cwd()}/`)

/** Starts a file of this folder, and resolves when it is ready. */
export async function startProcess(file: string, execArgv: string[] = []): Promise<ChildProcess> {
  const child = fork(fileURLToPath(new URL(file, FOLDER)), { execArgv })
  child.once('exit', (code) => {
    if (code !== 0) throw new Error(`${file} ended with ${code}.`)
  })
  await nextMessage(child)
  return child
}

export const nextMessage = <T>(child: ChildProcess): Promise<T> =>
  new Promise((resolve) => child.once('message', (message) => resolve(message as T)))

/** Sends a message and resolves with the next one of the process. */
export function request<T>(child: ChildProcess, message: object): Promise<T> {
  const answer = nextMessage<T>(child)
  child.send(message)
  return answer
}

/** Ends a process, and resolves when it has ended: a server that it uses may close only then. */
export function endProcess(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve())
    child.disconnect()
  })
}

export const pause = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms))
/** ms of the clock that all processes of this machine share, as text. */
export const nowText = (): string => String(Number(process.hrtime.bigint()) / 1e6)
