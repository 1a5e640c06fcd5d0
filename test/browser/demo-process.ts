/** The demo's command as a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { oncePerRun } from '../support/once-per-run'
import { run } from '../support/packed-package'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const VITE = fileURLToPath(new URL('../../node_modules/vite/bin/vite.js', import.meta.url))
const CONFIG = fileURLToPath(new URL('../../demo/vite.config.ts', import.meta.url))
const START = fileURLToPath(new URL('../../demo/start.mjs', import.meta.url))

export interface Demo {
  readonly process: ChildProcess
  readonly url: string
  /** URL of the emulator's inspector, with the control token. */
  readonly inspector: string
}

/** Starts the command and resolves with the addresses that it prints. */
export const startDemo = (...args: string[]): Promise<Demo> => startDemoOf(START, ...args)

/** Same with the demo of another folder, by the path of its `start.mjs`. */
export async function startDemoOf(start: string, ...args: string[]): Promise<Demo> {
  const child = spawn(process.execPath, [start, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  const addresses = new Promise<Omit<Demo, 'process'>>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      printed += chunk.toString()
      const url = /http:\/\/localhost:\d+\//.exec(printed)?.[0]
      const inspector = /http:\S+\/inspector#\S+(?=\s)/.exec(printed)?.[0]
      if (url && inspector) resolve({ url, inspector })
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('exit', (code) => reject(new Error(`The demo ended with ${code}: ${printed.trim()}`)))
  })
  return { process: child, ...(await addresses) }
}

/** Same with a page that the first file of the run has built. */
export function startBuiltDemo(...args: string[]): Promise<Demo> {
  return startDemo('--page', builtDemoPage(), ...args)
}

/** Folder of the built page. */
export const builtDemoPage = (): string =>
  oncePerRun('demo-page', (outDir) => {
    run(
      process.execPath,
      [VITE, 'build', '--config', CONFIG, '--outDir', outDir, '--emptyOutDir', '--logLevel', 'error'],
      ROOT,
    )
  })

/** Posts a body to the control plane of the demo's emulator. Resolves with its response. */
export async function controlDemo({ inspector }: Demo, path: string, body: object): Promise<unknown> {
  const { origin, hash } = new URL(inspector)
  const headers = { authorization: `Bearer ${hash.slice(1)}`, 'content-type': 'application/json' }
  const response = await fetch(`${origin}/_emulator/${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  return response.json().catch(() => undefined)
}

/** Stops it as Ctrl-C does; resolves with its exit code. */
export async function stopDemo({ process: child }: Demo): Promise<unknown> {
  const exit = once(child, 'exit')
  child.kill('SIGINT')
  const [code] = await exit
  return code
}
