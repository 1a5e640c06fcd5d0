/** A game in a project of its own, with the packed SDK, and what it is run with. */
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { link, type PackedPackage, pack } from '../packed-package'

/** The folder of this file. */
export const HERE = fileURLToPath(new URL('.', import.meta.url))
const STAND_IN = ['fake-electron.mjs', 'app.mjs', 'sandbox-settings.mjs', 'safe-storage.mjs', 'window.mjs', 'context-bridge.mjs']

/** A real Electron, named by `npm run test:electron`; else Node with the stand-in. */
export const REAL = process.env['ELECTRON']
/** What starts a game. */
export const BINARY = REAL === undefined ? [process.execPath] : [REAL, '--no-sandbox']

/** The packed SDK in a project whose `electron` is the stand-in. */
export function packGame(): PackedPackage {
  const packed = pack('.')
  if (REAL === undefined) standInFor(packed)
  for (const file of ['game.mjs', 'main.mjs', 'main.cjs', 'demo-game.mjs']) cpSync(join(HERE, file), join(packed.project, file))
  return packed
}

function standInFor(packed: PackedPackage): void {
  const electron = join(packed.project, 'node_modules/electron')
  mkdirSync(electron, { recursive: true })
  for (const file of STAND_IN) cpSync(join(HERE, file), join(electron, file))
  writeFileSync(
    join(electron, 'package.json'),
    JSON.stringify({ name: 'electron', version: '45.4.1', main: 'fake-electron.mjs', type: 'module' }),
  )
  link('playwright', packed.project)
}
