/** Desktop tools and a virtual display for the tests. */
import { spawn, spawnSync } from 'node:child_process'
import { REAL } from './pack-game'

/** Starts a virtual display for a browser with windows. */
export async function startDisplay(): Promise<{ name: string; close: () => void }> {
  const server = spawn('Xvfb', ['-displayfd', '1', '-screen', '0', '1280x800x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const number = await new Promise<string>((resolve, reject) => {
    server.stdout.once('data', (data) => resolve(String(data).trim()))
    server.once('error', (error) =>
      reject(new Error('Xvfb is not installed: on Debian, apt-get install xvfb.', { cause: error })),
    )
  })
  return { name: `:${number}`, close: () => server.kill() }
}

/** Names the desktop's tools that are not installed: without them no link can be opened. A real Electron needs them all. */
export function missingDesktop(): string | undefined {
  const missing = ['xdg-open', 'xdg-mime', 'gio', 'Xvfb'].filter(
    (tool) => spawnSync('which', [tool]).status !== 0,
  )
  if (missing.length === 0 || REAL !== undefined) return undefined
  return `not installed: ${missing.join(', ')} (Debian: apt-get install xdg-utils libglib2.0-bin xvfb)`
}
