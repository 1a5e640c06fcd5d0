/** Rules for names of files: the main export, one subject, at most three words. */
import { posix } from 'node:path'
import ts from 'typescript'
import type { Project, Violation } from './source'

/** Share of the files of each tree that must have an export of their name. The others hold several equal things, such as a table of types. */
const NAMED_AFTER_EXPORT = 0.7
const MOST_WORDS = 3
const TREES = ['src/', 'emulator/', 'demo/']

const nameOf = (path: string) => posix.basename(path).replace(/\.tsx?$/, '')
const letters = (name: string) => name.replace(/[^a-z0-9]/gi, '').toLowerCase()
const hasOwnName = ({ fileName }: ts.SourceFile) =>
  nameOf(fileName) !== 'index' && !fileName.endsWith('.d.ts')

/** Reports the files without an export of their name, such as `Session` in `session.ts`, if too many files of their tree are so. */
export function namedAfterExport({ files }: Project): Violation[] {
  return TREES.flatMap((name) => {
    const tree = files.filter((file) => hasOwnName(file) && file.fileName.startsWith(name))
    const others = tree.filter((file) => !isNamedAfterExport(file))
    const share = 1 - others.length / tree.length
    const rule = `exports nothing of its name, as ${others.length} of ${tree.length} files`
    return share < NAMED_AFTER_EXPORT ? others.map(({ fileName }) => ({ file: fileName, line: 1, rule })) : []
  })
}

/** Reports names with two subjects, or with more words than one idea needs. */
export function fewWords({ files }: Project): Violation[] {
  return files
    .filter(hasOwnName)
    .filter(
      ({ fileName }) => nameOf(fileName).includes('-and-') || nameOf(fileName).split('-').length > MOST_WORDS,
    )
    .map(({ fileName }) => ({
      file: fileName,
      line: 1,
      rule: `a name has one subject and at most ${MOST_WORDS} words`,
    }))
}

function isNamedAfterExport(file: ts.SourceFile): boolean {
  return exportsOf(file).some((name) => letters(name) === letters(nameOf(file.fileName)))
}

function exportsOf(file: ts.SourceFile): string[] {
  return file.statements.flatMap((statement) => {
    if (
      ts.isExportDeclaration(statement) &&
      statement.exportClause &&
      ts.isNamedExports(statement.exportClause)
    )
      return statement.exportClause.elements.map(({ name }) => name.text)
    const isExported =
      ts.canHaveModifiers(statement) &&
      ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
    if (!isExported) return []
    if (ts.isVariableStatement(statement))
      return statement.declarationList.declarations.map(({ name }) => name.getText(file))
    const { name } = statement as ts.DeclarationStatement
    return name === undefined ? [] : [name.getText(file)]
  })
}
