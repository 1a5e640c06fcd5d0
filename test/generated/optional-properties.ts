/** Finds options of public entries that may be left out, and may not be undefined under `exactOptionalPropertyTypes`. */
import ts from 'typescript'

/** A function of an entry takes `input` from the game; what it returns, or gives to a callback, is no input. */
interface Found {
  readonly type: ts.Type
  readonly isInput: boolean
  /** How a game reaches it, for example `Client.signIn(options).args`. */
  readonly path: string
}

/** Returns each such property once, with the way to it. */
export function findStrictOptions(program: ts.Program, entries: readonly string[]): string[] {
  const reader = new OptionReader(program)
  for (const entry of entries) reader.readEntry(entry)
  return reader.strict
}

class OptionReader {
  readonly strict: string[] = []
  readonly #seen = new Map<ts.Type, Set<boolean>>()
  readonly #program: ts.Program
  readonly #checker: ts.TypeChecker

  constructor(program: ts.Program) {
    this.#program = program
    this.#checker = program.getTypeChecker()
  }

  readEntry(file: string): void {
    const source = this.#program.getSourceFile(file)
    const module = source && this.#checker.getSymbolAtLocation(source)
    if (!module) throw new Error(`${file} exports nothing`)
    for (const symbol of this.#checker.getExportsOfModule(module)) this.#readExport(symbol)
  }

  #readExport(symbol: ts.Symbol): void {
    const isTypeOnly = symbol.declarations?.some((each) => ts.isTypeOnlyImportOrExportDeclaration(each))
    const { flags, name } = symbol
    const own = flags & ts.SymbolFlags.Alias ? this.#checker.getAliasedSymbol(symbol) : symbol
    if (own.flags & ts.SymbolFlags.Value && !isTypeOnly)
      this.#read({ type: this.#checker.getTypeOfSymbol(own), isInput: false, path: name })
    // The functions that take them may be those of a lazily loaded part.
    else if (/Options$|Args$/.test(name))
      this.#read({ type: this.#checker.getDeclaredTypeOfSymbol(own), isInput: true, path: name })
  }

  #read({ type, isInput, path }: Found): void {
    const seen = this.#seen.get(type) ?? new Set()
    if (seen.has(isInput)) return
    this.#seen.set(type, seen.add(isInput))
    if (type.isUnionOrIntersection()) for (const each of type.types) this.#read({ type: each, isInput, path })
    const constraint = type.isTypeParameter() ? this.#checker.getBaseConstraintOfType(type) : undefined
    if (constraint) this.#read({ type: constraint, isInput, path })
    if (
      !(type.flags & ts.TypeFlags.Object) ||
      isOfLibrary(type) ||
      (isInput && this.#isObjectWithMethods(type))
    )
      return
    for (const signature of [...type.getCallSignatures(), ...type.getConstructSignatures()])
      this.#readCall(signature, { isInput, path })
    for (const index of this.#checker.getIndexInfosOfType(type))
      this.#read({ type: index.type, isInput, path })
    for (const each of type.getProperties()) this.#readProperty(each, { type, isInput, path })
  }

  #readCall(signature: ts.Signature, { isInput, path }: Omit<Found, 'type'>): void {
    for (const parameter of signature.getParameters()) {
      const type = this.#checker.getTypeOfSymbol(parameter)
      const element =
        this.#checker.isArrayType(type) || this.#checker.isTupleType(type) ? this.#elements(type) : [type]
      for (const each of element)
        this.#read({ type: each, isInput: !isInput, path: `${path}(${parameter.name})` })
    }
    if (!isInput)
      for (const each of this.#unwrap(signature.getReturnType()))
        this.#read({ type: each, isInput, path: `${path}()` })
  }

  #readProperty(property: ts.Symbol, { isInput, path }: Found): void {
    const [declaration] = property.declarations ?? []
    const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected
    if (property.name.startsWith('#') || (declaration && ts.getCombinedModifierFlags(declaration) & hidden))
      return
    const type = this.#checker.getTypeOfSymbol(property)
    const here = `${path}.${property.name}`
    if (isInput && property.flags & ts.SymbolFlags.Optional && !this.#takesUndefined(type))
      this.strict.push(here)
    for (const each of this.#unwrap(type)) this.#read({ type: each, isInput, path: here })
  }

  /** The checker marks an optional property with a type of its own, which is another one than `undefined`. */
  #takesUndefined(type: ts.Type): boolean {
    if (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.Never)) return true
    const plain = this.#checker.getUndefinedType()
    return type === plain || (type.isUnion() && type.types.includes(plain))
  }

  /** Such as a store, a clock or an instance: an object that is implemented, not written as settings. */
  #isObjectWithMethods(type: ts.Type): boolean {
    return (
      type.isClass() ||
      type
        .getProperties()
        .some(({ declarations }) =>
          declarations?.some((each) => ts.isMethodSignature(each) || ts.isMethodDeclaration(each)),
        )
    )
  }

  /** What lists and promises hold. */
  #unwrap(type: ts.Type): readonly ts.Type[] {
    const parts = type.isUnion() ? type.types : [type]
    return parts.flatMap((each) => (isReference(each) && isOfLibrary(each) ? this.#elements(each) : [each]))
  }

  #elements(type: ts.Type): readonly ts.Type[] {
    return isReference(type) ? this.#checker.getTypeArguments(type) : []
  }
}

function isReference(type: ts.Type): type is ts.TypeReference {
  return 'target' in type
}

function isOfLibrary(type: ts.Type): boolean {
  const { symbol } = type
  // `Partial` and `Omit` are declared there, the type that they make is not.
  if (symbol?.flags & ts.SymbolFlags.TypeLiteral) return false
  return (
    symbol?.declarations?.every((each) => each.getSourceFile().fileName.includes('/node_modules/')) ?? false
  )
}
