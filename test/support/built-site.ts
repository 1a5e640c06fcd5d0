/** The built manual: its files, its pages, and a server for a browser. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { serveSite } from '../../site/serve-site'

const SITE = 'site/dist'

export const readBuilt = (path: string): string => readFileSync(join(SITE, path), 'utf8')

/** Files of the site that end so, with `/`. */
export const builtFiles = (ending: string): string[] =>
  readdirSync(SITE, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith(ending))
    .toSorted()

/** Every page that a reader can open. */
export const builtPages = (): string[] => builtFiles('.html').filter((name) => name !== '404.html')

/** The policy in the file that static hosts read. @throws Error if there is none. */
export function builtPolicy(): string {
  const [, policy] = /Content-Security-Policy: (.+)/.exec(readBuilt('_headers')) ?? []
  if (policy === undefined) throw new Error('site/dist/_headers has no content policy.')
  return policy
}

export const serveBuiltSite = () => serveSite({ folder: SITE, policy: builtPolicy() })
