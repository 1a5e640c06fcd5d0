/**
 * Loads the SDK's lazy parts before the tests of a file that shares its module graph with others. A file that ends while a part loads
 * would leave the failed import to the next file.
 */
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Found by path and not by a glob, which would make an entry of each: then nothing in them would be reported as unused. */
const paths = ['authorization', 'browser', 'client'].flatMap((folder) => {
  const url = new URL(`../../src/${folder}/`, import.meta.url)
  const names = readdirSync(url, { recursive: true, encoding: 'utf8' })
  return names.filter((name) => name.endsWith('.ts') && name !== 'callback-page.ts').map((name) => fileURLToPath(new URL(name, url)))
})
await Promise.all(paths.map((path): Promise<unknown> => import(path)))
