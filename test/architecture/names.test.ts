/** Holds file names against the rules for names: the main export, at most three words, one direction between folders. */
import { posix } from 'node:path'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { mutualFolders } from './imports'
import { parse, readSources } from './source'

/** Share of files that must have an export of their name. The others hold several equal things, such as a table of types. */
const NAMED_AFTER_EXPORT = 0.7
const MOST_WORDS = 3

const nameOf = (path: string) => posix.basename(path).replace(/\.tsx?$/, '')
const letters = (name: string) => name.replace(/[^a-z0-9]/gi, '').toLowerCase()

/** True if the file exports something of its name: `Session` in `session.ts`, `checkText` in `check-text.ts`. */
function isNamedAfterExport(file: ts.SourceFile): boolean {
  return exportsOf(file).some((name) => letters(name) === letters(nameOf(file.fileName)))
}

function exportsOf(file: ts.SourceFile): string[] {
  return file.statements.flatMap((statement) => {
    if (ts.isExportDeclaration(statement) && statement.exportClause && ts.isNamedExports(statement.exportClause))
      return statement.exportClause.elements.map(({ name }) => name.text)
    const isExported =
      ts.canHaveModifiers(statement) && ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
    if (!isExported) return []
    if (ts.isVariableStatement(statement)) return statement.declarationList.declarations.map(({ name }) => name.getText(file))
    const { name } = statement as ts.DeclarationStatement
    return name === undefined ? [] : [name.getText(file)]
  })
}

const joinsTwoSubjects = (path: string) => nameOf(path).includes('-and-')
const hasManyWords = (path: string) => nameOf(path).split('-').length > MOST_WORDS

describe.each(['src', 'emulator/src', 'demo/page'])('the files of %s', (folder) => {
  const project = parse(readSources(folder))
  const files = project.files.filter(({ fileName }) => nameOf(fileName) !== 'index' && !fileName.endsWith('.d.ts'))

  test('are named after an export', () => {
    expect(files.length).toBeGreaterThan(100)
    expect(files.filter(isNamedAfterExport).length / files.length).toBeGreaterThanOrEqual(NAMED_AFTER_EXPORT)
  })

  test('have names of one subject and at most three words', () => {
    const names = files.map(({ fileName }) => fileName)
    expect(names.filter((name) => joinsTwoSubjects(name) || hasManyWords(name))).toEqual([])
  })

  test('stand in folders that do not import each other', () => {
    expect(mutualFolders(project)).toEqual([])
  })
})

describe('the rules for names', () => {
  const [file] = parse({ 'src/a/read-lobby.ts': 'export const other = 1; export function readLobby() {}' }).files
  const [wrong] = parse({ 'src/a/read-lobby.ts': 'export interface Lobby {}; const readLobby = 1' }).files

  test('know a file that is named after its export from one that is not', () => {
    expect([file, wrong].map((each) => each && isNamedAfterExport(each))).toEqual([true, false])
  })

  test('know names with two subjects or many words', () => {
    expect(['src/a/name-and-size.ts', 'src/a/band-of-brands.ts'].map(joinsTwoSubjects)).toEqual([true, false])
    expect(['src/a/one-two-three-four.ts', 'src/a/one-two-three.ts'].map(hasManyWords)).toEqual([true, false])
  })

  test('find folders that import each other, also a folder and its own sub-folder', () => {
    const project = parse({
      'src/a/x.ts': "import './deep/y'",
      'src/a/deep/y.ts': "import type { Z } from '../z'",
      'src/a/z.ts': "import '../b/w'",
      'src/b/w.ts': '',
    })
    expect(mutualFolders(project)).toEqual(['src/a <> src/a/deep'])
  })
})
