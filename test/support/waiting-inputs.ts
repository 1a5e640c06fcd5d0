/** Finds what a game gives to public entries, and what the SDK then waits for: functions that return promises, alone or in an object. */
import ts from 'typescript'

interface Found {
  readonly type: ts.Type
  /** A parameter of an entry comes from the game. What an entry returns, or gives to a callback, does not. */
  readonly isInput: boolean
  readonly path: string
}

/** Returns each such function once, by the type that declares it, or else by the way to it: `SessionStore.get`, `Fetch`, `ClientOptions.getToken`. */
export function findWaitingInputs(program: ts.Program, entries: readonly string[]): string[] {
  const reader = new InputReader(program)
  for (const entry of entries) reader.publish(entry)
  for (const entry of entries) reader.readEntry(entry)
  return [...reader.found].toSorted()
}

class InputReader {
  readonly found = new Set<string>()
  /** Declarations that a game can name. */
  readonly #public = new Set<ts.Declaration>()
  readonly #seen = new Map<ts.Type, Set<boolean>>()
  readonly #program: ts.Program
  readonly #checker: ts.TypeChecker

  constructor(program: ts.Program) {
    this.#program = program
    this.#checker = program.getTypeChecker()
  }

  publish(file: string): void {
    for (const { own } of this.#exportsOf(file))
      for (const declaration of own.declarations ?? []) this.#public.add(declaration)
  }

  readEntry(file: string): void {
    for (const { name, own } of this.#exportsOf(file))
      if (own.flags & ts.SymbolFlags.Value)
        this.#read({ type: this.#checker.getTypeOfSymbol(own), isInput: false, path: name })
  }

  #exportsOf(file: string): { name: string; own: ts.Symbol }[] {
    const source = this.#program.getSourceFile(file)
    const module = source && this.#checker.getSymbolAtLocation(source)
    if (!module) throw new Error(`${file} exports nothing`)
    return this.#checker.getExportsOfModule(module).map((symbol) => ({
      name: symbol.name,
      own: symbol.flags & ts.SymbolFlags.Alias ? this.#checker.getAliasedSymbol(symbol) : symbol,
    }))
  }

  #read({ type, isInput, path }: Found): void {
    const seen = this.#seen.get(type) ?? new Set()
    if (seen.has(isInput)) return
    this.#seen.set(type, seen.add(isInput))
    if (type.isUnionOrIntersection()) for (const each of type.types) this.#read({ type: each, isInput, path })
    const constraint = type.isTypeParameter() ? this.#checker.getBaseConstraintOfType(type) : undefined
    if (constraint) this.#read({ type: constraint, isInput, path })
    if (!(type.flags & ts.TypeFlags.Object) || isOfLibrary(type)) return
    if (isInput && [type.symbol, type.aliasSymbol].some((symbol) => this.#isOwn(symbol))) return
    for (const signature of [...type.getCallSignatures(), ...type.getConstructSignatures()]) {
      if (isInternal(signature)) continue
      const here = type.aliasSymbol?.name ?? path
      if (isInput && this.#isPromise(signature.getReturnType())) this.found.add(here)
      for (const parameter of signature.getParameters())
        for (const each of this.#unwrap(this.#checker.getTypeOfSymbol(parameter)))
          this.#read({ type: each, isInput: !isInput, path: `${path}(${parameter.name})` })
      for (const each of this.#unwrap(signature.getReturnType()))
        this.#read({ type: each, isInput, path: `${here}()` })
    }
    for (const property of type.getProperties()) this.#readProperty(property, { type, isInput, path })
  }

  #readProperty(property: ts.Symbol, { type, isInput, path }: Found): void {
    const [declaration] = property.declarations ?? []
    const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected
    if (property.name.startsWith('#') || (declaration && ts.getCombinedModifierFlags(declaration) & hidden))
      return
    const parent = declaration?.parent
    // An instance of a class of the SDK has deadlines of its own.
    if (isInput && parent && ts.isClassDeclaration(parent)) return
    const owner = parent && ts.isInterfaceDeclaration(parent) ? parent.name.text : type.aliasSymbol?.name
    const here = `${isInput && owner ? owner : path}.${property.name}`
    const held = this.#checker.getTypeOfSymbol(property)
    if (isInput && this.#isPromise(held)) this.found.add(here)
    for (const each of this.#unwrap(held)) this.#read({ type: each, isInput, path: here })
  }

  /** A class, or an interface that no entry exports: only the SDK can make one. */
  #isOwn(symbol: ts.Symbol | undefined): boolean {
    const declarations = symbol?.declarations ?? []
    return declarations.some(
      (each) =>
        ts.isClassDeclaration(each) ||
        ((ts.isInterfaceDeclaration(each) || ts.isTypeAliasDeclaration(each)) &&
          !isOfNode(each) &&
          !this.#public.has(each)),
    )
  }

  #isPromise(type: ts.Type): boolean {
    const parts = type.isUnion() ? type.types : [type]
    return parts.some((each) => each.symbol?.name === 'Promise' || each.symbol?.name === 'PromiseLike')
  }

  /** What lists and promises hold. */
  #unwrap(type: ts.Type): readonly ts.Type[] {
    const parts = type.isUnion() ? type.types : [type]
    return parts.flatMap((each) =>
      'target' in each && isOfLibrary(each)
        ? this.#checker.getTypeArguments(each as ts.TypeReference)
        : [each],
    )
  }
}

/** Only the SDK calls it. */
const isInternal = ({ declaration }: ts.Signature): boolean =>
  declaration !== undefined && ts.getJSDocTags(declaration).some(({ tagName }) => tagName.text === 'internal')

const isOfNode = (declaration: ts.Declaration): boolean =>
  declaration.getSourceFile().fileName.includes('/node_modules/')

function isOfLibrary(type: ts.Type): boolean {
  const { symbol } = type
  if (symbol?.flags & ts.SymbolFlags.TypeLiteral) return false
  return (
    symbol?.declarations?.every((each) => each.getSourceFile().fileName.includes('/node_modules/')) ?? false
  )
}
