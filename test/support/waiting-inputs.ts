/** Finds what a game gives to public entries, and what the SDK then waits for: functions that return promises, alone or in an object. */
import ts from 'typescript'
import { type Exported, type Found, type FoundProperty, isOfNode, PublicTypes } from './public-types'

/** Returns each such function once, by the type that declares it, or else by the way to it: `SessionStore.get`, `Fetch`, `ClientOptions.getToken`. */
export function findWaitingInputs(program: ts.Program, entries: readonly string[]): string[] {
  const reader = new InputReader(program)
  for (const entry of entries) reader.publish(entry)
  for (const entry of entries) reader.readEntry(entry)
  return [...reader.found].toSorted()
}

class InputReader extends PublicTypes {
  readonly found = new Set<string>()
  /** Declarations that a game can name. */
  readonly #public = new Set<ts.Declaration>()

  publish(file: string): void {
    for (const { own } of this.exportsOf(file))
      for (const declaration of own.declarations ?? []) this.#public.add(declaration)
  }

  protected readExport({ name, own }: Exported): void {
    if (own.flags & ts.SymbolFlags.Value)
      this.read({ type: this.checker.getTypeOfSymbol(own), isInput: false, path: name })
  }

  protected stopsAt(type: ts.Type): boolean {
    return [type.symbol, type.aliasSymbol].some((symbol) => this.#isOwn(symbol))
  }

  /** Only the SDK calls what is internal. */
  protected isHidden({ declaration }: ts.Signature): boolean {
    return (
      declaration !== undefined &&
      ts.getJSDocTags(declaration).some(({ tagName }) => tagName.text === 'internal')
    )
  }

  protected waysOf(signature: ts.Signature, { type, isInput, path }: Found): readonly string[] {
    const here = type.aliasSymbol?.name ?? path
    if (isInput && mayWait(signature.getReturnType())) this.found.add(here)
    return [`${here}()`]
  }

  protected wayTo({ property, declaration, owner, type, isInput, path }: FoundProperty): string | undefined {
    const parent = declaration?.parent
    // An instance of a class of the SDK has deadlines of its own.
    if (isInput && parent && ts.isClassDeclaration(parent)) return undefined
    const name = parent && ts.isInterfaceDeclaration(parent) ? parent.name.text : owner.aliasSymbol?.name
    const here = `${isInput && name ? name : path}.${property.name}`
    if (isInput && isPromise(type)) this.found.add(here)
    return here
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
}

/** What returns something unknown may return a promise. */
const mayWait = (returned: ts.Type): boolean =>
  isPromise(returned) || (returned.flags & ts.TypeFlags.Unknown) !== 0

function isPromise(type: ts.Type): boolean {
  const parts = type.isUnion() ? type.types : [type]
  return parts.some((each) => each.symbol?.name === 'Promise' || each.symbol?.name === 'PromiseLike')
}
