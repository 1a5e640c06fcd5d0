/** An example in this repository, started as a person would start it. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** Runs `npm run dev` in its folder until the test ends. Resolves with the address that it prints. */
export function startExample(name: string): Promise<string> {
  const { VITEST: _, NODE_ENV: __, ...env } = process.env
  const options = { cwd: join('examples', name), env: { ...env, NO_COLOR: '1' }, shell: true, detached: true }
  const command = spawn('npm run dev -- --port 0', { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise((resolve) => command.once('close', resolve))
  onTestFinished(async () => {
    if (command.pid !== undefined && command.exitCode === null && command.signalCode === null)
      process.kill(-command.pid, 'SIGTERM')
    await ended
  })
  let output = ''
  return new Promise((resolve, reject) => {
    const look = (text: unknown) => {
      output += String(text)
      const url = /Local:\s+(http\S+)/.exec(output)?.[1]
      if (url) resolve(url)
    }
    command.stdout.on('data', look)
    command.stderr.on('data', look)
    void ended.then(() => reject(new Error(`${name} has ended:\n${output}`)))
  })
}
