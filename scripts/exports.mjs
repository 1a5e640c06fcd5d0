/** Writes docs/exports.md: every name that an entry exports, with its doc comment and the pages that use it: `npm run docs`. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import ts from 'typescript'

const PAGE = 'docs/exports.md'
const PAGES = readdirSync('docs')
  .filter((path) => path.endsWith('.md') && !PAGE.endsWith(path))
  .map((path) => ({ path, code: codeIn(readFileSync(join('docs', path), 'utf8')) }))
const ENTRIES = {
  'foyer-sdk': 'src/index.ts',
  'foyer-sdk/server': 'src/server/index.ts',
  'foyer-sdk/redis': 'src/redis/index.ts',
  'foyer-sdk/electron/main': 'src/electron/main/index.ts',
  'foyer-emulator': 'emulator/src/index.ts',
}
const HEAD = `# Exports

Every name that can be imported, by entry, with what it is. Types can be imported with \`import type\` alone. This page is written by \`npm run docs\` from the
comments in the source, which editors show too.
`

const { config } = ts.readConfigFile('tsconfig.json', (path) => readFileSync(path, 'utf8'))
const { options } = ts.parseJsonConfigFileContent(config, ts.sys, '.')
const program = ts.createProgram(Object.values(ENTRIES), options)
const checker = program.getTypeChecker()

const sections = Object.entries(ENTRIES).map(([entry, file]) => `## ${entry}\n\n${exportsOf(file).map(line).join('\n')}\n`)
writeFileSync(PAGE, await format([HEAD, ...sections].join('\n'), { ...(await resolveConfig(PAGE)), parser: 'markdown' }))

function exportsOf(file) {
  const symbols = checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(file)))
  const named = symbols.filter(({ name }) => name !== 'default').map((symbol) => ({ name: symbol.name, symbol: target(symbol) }))
  return named.sort((a, b) => (a.name < b.name ? -1 : 1))
}

function target(symbol) {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
}

function line({ name, symbol }) {
  const isType = (symbol.flags & ts.SymbolFlags.Value) === 0
  const meaning = commentOf(symbol) || shapeOf(symbol)
  const pages = PAGES.filter(({ code }) => new RegExp(`\\b${name}\\b`).test(code)).map(({ path }) => `[${path.slice(0, -3)}](${path})`)
  const more = pages.length > 0 ? ` More: ${pages.join(', ')}.` : ''
  return `- \`${name}\`${isType ? ', a type' : ''}${meaning ? `: ${meaning}` : '.'}${more}`
}

/** The whole comment when it is short, otherwise its first sentence. */
function commentOf(symbol) {
  const text = ts
    .displayPartsToString(symbol.getDocumentationComment(checker))
    .replace(/\s+/g, ' ')
    .replaceAll(/ \((?:S:|supplement )[^)]*\)/g, '')
  return (text.length <= 200 ? text : (/^.*?\.(?= )/.exec(text)?.[0] ?? text)).replaceAll('<', '&lt;')
}

/** What a type without a comment is made of. */
function shapeOf(symbol) {
  const type = symbol.flags & ts.SymbolFlags.Value ? checker.getTypeOfSymbol(symbol) : checker.getDeclaredTypeOfSymbol(symbol)
  const parts = type.isUnion()
    ? type.types.map((part) => checker.typeToString(part))
    : type.getProperties().map((property) => property.name)
  const names = parts.filter((part) => /^["\w]+$/.test(part)).map((part) => `\`${part.replaceAll('"', '')}\``)
  return names.length > 0 && names.length <= 12 ? `${names.join(', ')}.` : ''
}

/** The code of a page, in blocks and in sentences. */
function codeIn(text) {
  return (text.match(/^```.*?^```$|`[^`\n]+`/gms) ?? []).join('\n')
}
