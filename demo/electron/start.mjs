/** Starts the emulator and the Electron demo together: `npm run demo:electron`. Closing the window stops both. */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { createEmulator } from 'foyer-emulator'

const MAIN = fileURLToPath(new URL('dist/main.mjs', import.meta.url))

/** Path of Electron's binary: the installed one, or downloaded now. Undefined if it cannot be downloaded. */
function findElectron() {
  const folder = dirname(createRequire(import.meta.url).resolve('electron/package.json'))
  const read = () => {
    const path = join(folder, 'path.txt')
    const binary = existsSync(path) && join(folder, 'dist', readFileSync(path, 'utf8'))
    return binary && existsSync(binary) ? binary : undefined
  }
  if (!read()) spawnSync(process.execPath, [join(folder, 'install.js')], { stdio: 'inherit' })
  return process.env['ELECTRON'] ?? read()
}

const binary = findElectron()
if (binary) {
  const emulator = await createEmulator()
  const env = { ...process.env, FOYER_HOST: emulator.url, FOYER_APPLICATION_ID: emulator.application.id }
  const shell = spawn(binary, [MAIN], { env, stdio: 'inherit' })
  const stop = () => shell.kill()
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, stop)
  shell.on('exit', (code) => void emulator.close().then(() => process.exit(code ?? 0)))
} else {
  console.error(
    'Electron cannot be downloaded here. It needs Node 22.12 or newer and its download host, or name a binary in $ELECTRON.',
  )
  process.exitCode = 1
}
