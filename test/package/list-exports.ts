/** Lists the names that an entry of an installed package exports, including types, as the compiler resolves them. */
import { join } from 'node:path'
import ts from 'typescript'

export function exportsOf(entry: string, project: string): string[] {
  const from = join(project, 'entry.ts')
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    target: ts.ScriptTarget.ES2022,
    types: [],
  }
  const { resolvedModule } = ts.resolveModuleName(entry, from, options, ts.sys)
  if (!resolvedModule) throw new Error(`${entry} is not installed in ${project}`)
  const program = ts.createProgram([resolvedModule.resolvedFileName], options)
  const file = program.getSourceFile(resolvedModule.resolvedFileName)
  const symbol = file && program.getTypeChecker().getSymbolAtLocation(file)
  if (!symbol) throw new Error(`${entry} is no module`)
  return program
    .getTypeChecker()
    .getExportsOfModule(symbol)
    .map(({ name }) => name)
    .filter((name) => name !== 'default')
}
