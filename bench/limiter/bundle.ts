/** Bundles a module and loads it, without the module wrappers that would distort a benchmark. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import type * as Parts from './parts'

export async function loadParts(): Promise<typeof Parts> {
  const entry = fileURLToPath(new URL('parts.ts', import.meta.url))
  const output = await build({
    configFile: false,
    logLevel: 'error',
    build: { write: false, target: 'node20', minify: false, lib: { entry, formats: ['cjs'] } },
  })
  const [result] = Array.isArray(output) ? output : [output]
  const chunk = result && 'output' in result ? result.output[0] : undefined
  if (!chunk) throw new Error('Nothing was bundled.')
  const directory = mkdtempSync(join(tmpdir(), 'foyer-bench-'))
  const file = join(directory, 'parts.cjs')
  writeFileSync(file, chunk.code)
  try {
    const parts: typeof Parts = createRequire(file)(file)
    return parts
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
