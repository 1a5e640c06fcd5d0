/** The Markdown pages for users, and the code blocks on them. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))

export interface Page {
  /** Path from the root, with `/`. */
  path: string
  text: string
}

export interface Block {
  language: string
  /** Line of the page, from 1, on which the block’s code begins. */
  line: number
  code: string
}

/** Pages written by hand. `npm run docs` writes `docs/reference/`. */
export function pages(): Page[] {
  const inDocs = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' }).map(
    (name) => `docs/${name.replaceAll('\\', '/')}`,
  )
  const paths = [...readdirSync(ROOT), ...inDocs, 'emulator/README.md'].filter(
    (path) => path.endsWith('.md') && !path.startsWith('docs/reference/'),
  )
  return paths.toSorted().map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))
}

export function blocks({ text }: Pick<Page, 'text'>): Block[] {
  return [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(({ 1: language = '', 2: code = '', index }) => ({
    language,
    line: text.slice(0, index).split('\n').length + 1,
    code,
  }))
}

/** The blocks of one language as separate modules, each on its line of the page. A block may use the imports of earlier blocks. */
export function modules(page: Page, language: string): { file: string; text: string }[] {
  const imported = new Map<string, string>()
  return blocks(page)
    .filter((block) => block.language === language)
    .map(({ line, code }) => {
      const own = namedImports(code)
      const before = [...imported]
        .filter(([name]) => !own.has(name))
        .map(([name, from]) => `import { ${name} } from '${from}';`)
      for (const [name, from] of own) imported.set(name, from)
      // `{ …, }` stands for the names imported above it.
      const text = `export {}; ${before.join(' ')}${'\n'.repeat(line - 1)}${code.replaceAll('{ …,', '{ ...above,')}`
      return { file: `${page.path.replaceAll('/', '-')}-${line}.${language}`, text }
    })
}

function namedImports(code: string): Map<string, string> {
  const lists = [...code.matchAll(/^import \{([^}]+)\} from '(.+)'/gm)]
  return new Map(
    lists.flatMap(({ 1: list = '', 2: from = '' }) =>
      list
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== '')
        .map((name): [string, string] => [name, from]),
    ),
  )
}
