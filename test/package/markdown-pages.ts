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

/** The script of a component, on its lines of the page, or any other block as it is. */
function scriptOf(block: Block): Block {
  if (!['vue', 'svelte'].includes(block.language)) return block
  const [, before = '', attributes = '', code = ''] =
    /^(.*?<script([^>]*)>)(.*?)<\/script>/s.exec(block.code) ?? []
  const lines = '\n'.repeat(before.split('\n').length - 1)
  return { ...block, language: attributes.includes('lang="ts"') ? 'ts' : 'js', code: lines + code }
}

/** The block that a file of the page is: the last one before another block, or else the first. */
function blockOf(all: readonly Block[], file: string, before: number): Block | undefined {
  const named = all.filter(({ code }) => new RegExp(`^// ${file}\\.[jt]s\\b`).test(code))
  return named.findLast(({ line }) => line < before) ?? named[0]
}

/**
 * The blocks of one language as separate modules, each on its line of the page, with the scripts of components. A block may use the imports
 * of earlier blocks, and import the file that another block of the page names in its first line.
 */
export function modules(page: Page, language: string): { file: string; text: string }[] {
  const imported = new Map<string, string>()
  const all = blocks(page).map(scriptOf)
  const nameOf = ({ line }: Block) => `${page.path.replaceAll('/', '-')}-${line}`
  const toOwnBlocks = (code: string, line: number) =>
    code.replaceAll(/ from '\.\/(\w+)'/g, (text, name: string) => {
      const block = blockOf(all, name, line)
      return block ? ` from './${nameOf(block)}'` : text
    })
  return all
    .filter((block) => block.language === language)
    .map((block) => {
      const { line, code } = block
      const own = namedImports(code)
      const before = [...imported]
        .filter(([name]) => !own.has(name))
        .map(([name, from]) => `import { ${name} } from '${from}';`)
      // A file of the page is imported where it is used.
      for (const [name, from] of own) if (!from.startsWith('./')) imported.set(name, from)
      // `{ …, }` stands for the names imported above it.
      const complete = toOwnBlocks(code, line).replaceAll('{ …,', '{ ...above,')
      const text = `export {}; ${before.join(' ')}${'\n'.repeat(line - 1)}${complete}`
      return { file: `${nameOf(block)}.${language}`, text }
    })
}

function namedImports(code: string): Map<string, string> {
  const lists = [...code.matchAll(/^ *import (?:type )?\{([^}]+)\} from '(.+)'/gm)]
  return new Map(
    lists.flatMap(({ 1: list = '', 2: from = '' }) =>
      list
        .split(',')
        .map((name) => name.trim().replace(/^type /, ''))
        .filter((name) => name !== '')
        .map((name): [string, string] => [name, from]),
    ),
  )
}
