/** A game in a separate project with the packed SDK, and the command that runs it. */
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { link, type PackedPackage, pack } from '../packed-package'

/** Folder of this file. */
export const HERE = fileURLToPath(new URL('.', import.meta.url))
const FAKE_FILES = [
  'fake-electron.mjs',
  'app.mjs',
  'sandbox-settings.mjs',
  'safe-storage.mjs',
  'window.mjs',
  'context-bridge.mjs',
]

/** Binary of a real Electron, set by `npm run test:electron`; otherwise Node with the fake one. */
export const REAL = process.env['ELECTRON']
/** Command that starts a game. */
export const BINARY = REAL === undefined ? [process.execPath] : [REAL, '--no-sandbox']

/** Packs the SDK into a project whose `electron` is the fake one. */
export function packGame(): PackedPackage {
  const packed = pack('.')
  if (REAL === undefined) fakeElectronFor(packed)
  for (const file of ['game.mjs', 'main.mjs', 'main.cjs', 'demo-game.mjs'])
    cpSync(join(HERE, file), join(packed.project, file))
  return packed
}

function fakeElectronFor(packed: PackedPackage): void {
  const electron = join(packed.project, 'node_modules/electron')
  mkdirSync(electron, { recursive: true })
  for (const file of FAKE_FILES) cpSync(join(HERE, file), join(electron, file))
  writeFileSync(
    join(electron, 'package.json'),
    JSON.stringify({ name: 'electron', version: '45.4.1', main: 'fake-electron.mjs', type: 'module' }),
  )
  link('playwright', packed.project)
}
