/** Tests the sign-in of Electron games in a real Electron instead of the fake one: `npm run test:electron`, after a build. Not part of `npm test`. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import process from 'node:process'

const folder = dirname(createRequire(import.meta.url).resolve('electron/package.json'))

/** Path of the binary from `path.txt`, once it is installed. */
function installed() {
  const file = join(folder, 'path.txt')
  const path = existsSync(file) ? join(folder, 'dist', readFileSync(file, 'utf8')) : ''
  return existsSync(path) && path !== '' ? path : undefined
}

if (!process.env['ELECTRON'] && !installed())
  spawnSync(process.execPath, [join(folder, 'install.js')], { stdio: 'inherit' })
const electron = process.env['ELECTRON'] ?? installed()
if (electron) {
  // Tests that need the fake Electron are skipped here, and run by `npm test`.
  const env = { ...process.env, ELECTRON: electron, CI: '' }
  const { status } = spawnSync(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', 'desktop-sign-in'],
    {
      env,
      stdio: 'inherit',
    },
  )
  process.exitCode = status ?? 1
} else {
  console.error('No Electron to test in: it cannot be downloaded here. Name a binary in $ELECTRON.')
  process.exitCode = 1
}
