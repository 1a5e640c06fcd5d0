/** Walks the types that the entries export: what a game gives, and what it receives, with the way to each. */
import ts from 'typescript'

/** A function of an entry takes `input` from the game; what it returns, or gives to a callback, is no input. */
export interface Found {
  readonly type: ts.Type
  readonly isInput: boolean
  /** How a game reaches it, for example `Client.signIn(options).args`. */
  readonly path: string
}

/** An exported name, and the declaration behind it. */
export interface Exported {
  readonly name: string
  readonly own: ts.Symbol
  readonly isTypeOnly: boolean
}

export interface FoundProperty extends Found {
  readonly property: ts.Symbol
  readonly declaration: ts.Declaration | undefined
  /** The object that has it. */
  readonly owner: ts.Type
}

/** The walk. A subclass says what it notes, and where it stops. */
export abstract class PublicTypes {
  protected readonly checker: ts.TypeChecker
  readonly #program: ts.Program
  readonly #seen = new Map<ts.Type, Set<boolean>>()

  constructor(program: ts.Program) {
    this.#program = program
    this.checker = program.getTypeChecker()
  }

  /** Reads everything that the file exports. */
  readEntry(file: string): void {
    for (const exported of this.exportsOf(file)) this.readExport(exported)
  }

  /** @throws Error for a file that is no module. */
  protected exportsOf(file: string): Exported[] {
    const source = this.#program.getSourceFile(file)
    const module = source && this.checker.getSymbolAtLocation(source)
    if (!module) throw new Error(`${file} exports nothing`)
    return this.checker.getExportsOfModule(module).map((symbol) => ({
      name: symbol.name,
      own: symbol.flags & ts.SymbolFlags.Alias ? this.checker.getAliasedSymbol(symbol) : symbol,
      isTypeOnly: symbol.declarations?.some((each) => ts.isTypeOnlyImportOrExportDeclaration(each)) === true,
    }))
  }

  protected abstract readExport(exported: Exported): void
  /** True for an object that the game gives, and whose parts are not looked at. */
  protected abstract stopsAt(type: ts.Type): boolean
  /** The ways to what a call returns, none to leave it out. */
  protected abstract waysOf(signature: ts.Signature, found: Found): readonly string[]
  /** Notes a property. Returns the way to what it holds, undefined to leave it out. */
  protected abstract wayTo(property: FoundProperty): string | undefined

  /** True for a call that is not read. */
  protected abstract isHidden(signature: ts.Signature): boolean

  protected read({ type, isInput, path }: Found): void {
    const seen = this.#seen.get(type) ?? new Set()
    if (seen.has(isInput)) return
    this.#seen.set(type, seen.add(isInput))
    if (type.isUnionOrIntersection()) for (const each of type.types) this.read({ type: each, isInput, path })
    const constraint = type.isTypeParameter() ? this.checker.getBaseConstraintOfType(type) : undefined
    if (constraint) this.read({ type: constraint, isInput, path })
    if (!(type.flags & ts.TypeFlags.Object) || isOfLibrary(type) || (isInput && this.stopsAt(type))) return
    for (const signature of [...type.getCallSignatures(), ...type.getConstructSignatures()])
      if (!this.isHidden(signature)) this.#readCall(signature, { type, isInput, path })
    for (const { type: held } of this.checker.getIndexInfosOfType(type))
      this.read({ type: held, isInput, path })
    for (const each of type.getProperties()) this.#readProperty(each, { type, isInput, path })
  }

  #readCall(signature: ts.Signature, found: Found): void {
    const { isInput, path } = found
    const ways = this.waysOf(signature, found)
    for (const parameter of signature.getParameters())
      for (const each of this.#unwrap(this.checker.getTypeOfSymbol(parameter)))
        this.read({ type: each, isInput: !isInput, path: `${path}(${parameter.name})` })
    for (const way of ways)
      for (const each of this.#unwrap(signature.getReturnType()))
        this.read({ type: each, isInput, path: way })
  }

  #readProperty(property: ts.Symbol, { type: owner, isInput, path }: Found): void {
    const [declaration] = property.declarations ?? []
    const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected
    if (property.name.startsWith('#') || (declaration && ts.getCombinedModifierFlags(declaration) & hidden))
      return
    const type = this.checker.getTypeOfSymbol(property)
    const way = this.wayTo({ property, declaration, owner, type, isInput, path })
    if (way === undefined) return
    for (const each of this.#unwrap(type)) this.read({ type: each, isInput, path: way })
  }

  /** The types that lists and promises hold. */
  #unwrap(type: ts.Type): readonly ts.Type[] {
    const parts = type.isUnion() ? type.types : [type]
    return parts.flatMap((each) =>
      isReference(each) && isOfLibrary(each) ? this.checker.getTypeArguments(each) : [each],
    )
  }
}

function isReference(type: ts.Type): type is ts.TypeReference {
  return 'target' in type
}

function isOfLibrary(type: ts.Type): boolean {
  const { symbol } = type
  // `Partial` and `Omit` are declared there, the type that they make is not.
  if (symbol?.flags & ts.SymbolFlags.TypeLiteral) return false
  return symbol?.declarations?.every((each) => isOfNode(each)) ?? false
}

/** True for a declaration of a package. */
export const isOfNode = (declaration: ts.Declaration): boolean =>
  declaration.getSourceFile().fileName.includes('/node_modules/')
