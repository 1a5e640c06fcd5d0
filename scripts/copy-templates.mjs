/** Copies the examples into the package `create-foyer`, whose templates they are. */
import { cpSync, rmSync } from 'node:fs'
import { basename } from 'node:path'
import { FRAMEWORKS } from '../create-foyer/create-project.js'

const SKIPPED = new Set(['node_modules', 'dist'])

rmSync('create-foyer/templates', { recursive: true, force: true })
for (const name of [...Object.keys(FRAMEWORKS), 'hono-backend']) {
  cpSync(`examples/${name}`, `create-foyer/templates/${name}`, { recursive: true, filter: (path) => !SKIPPED.has(basename(path)) })
}
