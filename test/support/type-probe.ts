/** Compiles one file that only a test has, with the strict options of a game. */
import ts from 'typescript'

/** @param file a path inside of the repository, so that its imports are found. */
export function compileProbe(file: string, text: string): { program: ts.Program; source: ts.SourceFile } {
  const options: ts.CompilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    types: [],
  }
  const host = ts.createCompilerHost(options)
  const plain = ts.createCompilerHost(options)
  host.getSourceFile = (name, target) =>
    name === file ? ts.createSourceFile(name, text, target, true) : plain.getSourceFile(name, target)
  host.fileExists = (name) => name === file || plain.fileExists(name)
  const program = ts.createProgram([file], options, host)
  const source = program.getSourceFile(file)
  if (!source) throw new Error('The probe was not compiled')
  return { program, source }
}
