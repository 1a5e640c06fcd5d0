/** What a test needs of a desktop: its tools, and a display that nobody sees. */
import { spawn, spawnSync } from 'node:child_process'
import { REAL } from './pack-game'

/** A display that nobody sees, for a browser with windows. */
export async function startDisplay(): Promise<{ name: string; close: () => void }> {
  const server = spawn('Xvfb', ['-displayfd', '1', '-screen', '0', '1280x800x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const number = await new Promise<string>((resolve, reject) => {
    server.stdout.once('data', (data) => resolve(String(data).trim()))
    server.once('error', (error) => reject(new Error('Xvfb is not installed: on Debian, apt-get install xvfb.', { cause: error })))
  })
  return { name: `:${number}`, close: () => server.kill() }
}

/**
 * Whether these tests are skipped, with the reason on the console: a machine without a desktop's tools has no links to open. There must be
 * some where everything is proved, and where a real Electron is asked for.
 */
export function skipsDesktop(): boolean {
  const missing = ['xdg-open', 'xdg-mime', 'Xvfb'].filter((tool) => spawnSync('which', [tool]).status !== 0)
  if (missing.length === 0 || process.env['CI'] || REAL !== undefined) return false
  console.warn(`Skipped, not installed: ${missing.join(', ')} (Debian: apt-get install xdg-utils xvfb).`)
  return true
}
