/** Builds the Electron demo into the project of a packed SDK, as `npm run demo:electron` builds it. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import type { PackedPackage } from '../packed-package'
import { packGame } from './pack-game'

const configFile = fileURLToPath(new URL('../../../demo/electron/vite.config.ts', import.meta.url))

/** Resolves with a project whose module `demo-game.mjs` starts the demo. */
export async function packDemo(): Promise<PackedPackage> {
  const packed = packGame()
  const built = mkdtempSync(join(tmpdir(), 'foyer-electron-demo-'))
  await build({ configFile, logLevel: 'error', build: { outDir: join(built, 'page') } })
  await build({ configFile, logLevel: 'error', mode: 'main', build: { outDir: built } })
  await build({ configFile, logLevel: 'error', mode: 'preload', build: { outDir: built } })
  cpSync(join(built, 'page'), join(packed.project, 'page'), { recursive: true })
  cpSync(join(built, 'preload.cjs'), join(packed.project, 'preload.cjs'))
  // A separate file name: the game of the other tests is `game.mjs`.
  cpSync(join(built, 'main.mjs'), join(packed.project, 'main-of-demo.mjs'))
  rmSync(built, { recursive: true })
  return packed
}
