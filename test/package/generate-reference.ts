/** Generates the API reference as `npm run docs` writes it. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { ROOT } from './markdown-pages'

export interface ApiReference {
  /** Text of each page by its path, for example `foyer-sdk/server.md`. */
  readonly pages: Readonly<Record<string, string>>
  /** What TypeDoc printed: a line for each name without a comment and each link without a target. */
  readonly output: string
}

export function generateReference(): ApiReference {
  const folder = mkdtempSync(join(tmpdir(), 'foyer-reference-'))
  try {
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ['node_modules/typedoc/bin/typedoc', '--out', folder],
      {
        cwd: ROOT,
        encoding: 'utf8',
        env: { ...process.env, NO_COLOR: '1' },
      },
    )
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.md'),
    )
    const pages = files.map(
      (name) => [name.replaceAll('\\', '/'), readFileSync(join(folder, name), 'utf8')] as const,
    )
    return { pages: Object.fromEntries(pages), output: `${stdout}${stderr}` }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
