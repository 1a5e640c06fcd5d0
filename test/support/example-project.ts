/** An example as a person has it: its folder copied, with the packed SDK installed. */
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createServer } from 'vite'
import { onTestFinished } from 'vitest'
import { link, pack } from './packed-package'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

export function copyExample(name: string, packages: readonly string[] = []): string {
  const packed = pack('.')
  onTestFinished(() => packed[Symbol.dispose]())
  for (const each of ['foyer-emulator', 'vite', ...packages]) link(each, packed.project)
  cpSync(join(ROOT, 'examples', name), packed.project, { recursive: true })
  return packed.project
}

/** Starts \`vite dev\` in a folder; resolves with the address that it would print. */
export async function serveExample(root: string): Promise<string> {
  // Vite finds its configuration in the folder of the process, too.
  const server = await createServer({ root, logLevel: 'error' })
  onTestFinished(() => server.close())
  await server.listen(0)
  return server.resolvedUrls?.local[0] ?? ''
}
