/** Writes the types of the global `Foyer`, and the integrity hashes of the classic scripts for `<script integrity>`. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const GLOBAL = `/** Types of the global of the classic scripts: \`/// <reference types="foyer-sdk/global" />\`. */
import type { Engine } from './tools/engine/engine-types.js'
export * from './index.js'
/** The facade for game engines, of the script \`foyer.engine.js\`. */
export declare const engine: Engine
/** Gives the name \`Foyer\` back to its previous owner, and returns the SDK. */
export declare function noConflict(): typeof import('./foyer.js')
export as namespace Foyer
`

/** @param {string} folder the folder of the scripts, with the declarations in `types` */
export function describeClassicScripts(folder) {
  const scripts = readdirSync(folder).filter((name) => name.endsWith('.js'))
  /** @param {string} name */
  const hash = (name) =>
    `sha384-${createHash('sha384')
      .update(readFileSync(join(folder, name)))
      .digest('base64')}`
  const hashes = Object.fromEntries(scripts.map((name) => [name, hash(name)]))
  writeFileSync(join(folder, 'integrity.json'), `${JSON.stringify(hashes, null, 2)}\n`)
  writeFileSync(join(folder, 'types/foyer.d.ts'), GLOBAL)
}
