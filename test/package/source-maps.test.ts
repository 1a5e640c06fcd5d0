/** Source maps of the classic scripts: a debugger shows a game's developer the SDK's own source. */
import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import vm from 'node:vm'
import { describe, expect, test } from 'vitest'

const UMD = fileURLToPath(new URL('../../dist/umd/', import.meta.url))

/** A file of `dist/umd`, with the map that its last line names. */
function read(name: string) {
  const code = readFileSync(join(UMD, name), 'utf8')
  const [, url = ''] = /\n\/\/# sourceMappingURL=(\S+)\s*$/.exec(code) ?? []
  const text = readFileSync(join(UMD, url), 'utf8')
  const payload: { sources: string[]; sourcesContent: string[] } = JSON.parse(text)
  const map = new SourceMap(JSON.parse(text))
  return {
    code,
    payload,
    /** Returns the source and the text of the line that became this place of the script; lines and columns begin with 0. */
    originOf: (line: number, column: number) => {
      const entry = map.findEntry(line, column)
      if (!('originalSource' in entry)) return { source: '', text: '' }
      const content = payload.sourcesContent[payload.sources.indexOf(entry.originalSource)] ?? ''
      return { source: entry.originalSource, text: content.split('\n')[entry.originalLine] ?? '' }
    },
  }
}

/** Literals that occur once in a script, with their places. */
function literalsOf(code: string) {
  return code.split('\n').flatMap((text, line) =>
    [...text.matchAll(/[`"']([a-z]+(?:_[a-z]+)+)[`"']/g)].flatMap(({ 1: literal = '', index }) => {
      return code.split(literal).length === 2 ? [{ literal, line, column: index }] : []
    }),
  )
}

describe.each([
  'index.umd.js',
  'index.iife.js',
  'foyer.core.umd.js',
  'foyer.core.iife.js',
  'foyer.engine.js',
])('%s', (name) => {
  test('has a map of every source, with its text and no path of a machine', () => {
    const { sources, sourcesContent } = read(name).payload
    expect(sources.filter((source) => source.startsWith('../../src/'))).not.toEqual([])
    expect(
      sources.filter((source) => !/^\.\.\/\.\.\/(?:src|node_modules|scripts\/umd)\//.test(source)),
    ).toEqual([])
    expect(sourcesContent.map((text) => typeof text)).toEqual(sources.map(() => 'string'))
  })
})

describe.each(['index.umd.js', 'index.iife.js', 'foyer.core.umd.js', 'foyer.core.iife.js'])(
  'the map of %s',
  (name) => {
    test('leads from each literal to its line of the source', () => {
      const { code, originOf } = read(name)
      const literals = literalsOf(code)
      expect(literals.length).toBeGreaterThan(15)
      expect(
        literals.filter(({ literal, line, column }) => !originOf(line, column).text.includes(literal)),
      ).toEqual([])
    })

    test('leads from the stack of an error to the line that threw it', () => {
      const { code, originOf } = read(name)
      const context = vm.createContext({ URL, TextDecoder, TextEncoder, crypto })
      vm.runInContext(code, context, { filename: 'script' })
      const stack = String(
        vm.runInContext(
          "try { new Foyer.Client({ service: { host: 'ftp://x' } }) } catch (error) { error.stack }",
          context,
        ),
      )
      const origins = [...stack.matchAll(/script:(\d+):(\d+)/g)].map(([, line, column]) =>
        originOf(Number(line) - 1, Number(column) - 1),
      )
      expect(origins[0]).toEqual({
        source: expect.stringMatching(/^\.\.\/\.\.\/src\//),
        text: expect.stringContaining('new ConfigurationError('),
      })
    })
  },
)
