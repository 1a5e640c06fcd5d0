/** Finds options of public entries that may be left out, and may not be undefined under `exactOptionalPropertyTypes`. */
import ts from 'typescript'
import { type Exported, type Found, type FoundProperty, PublicTypes } from '../support/public-types'

/** Returns each such property once, with the way to it. */
export function findStrictOptions(program: ts.Program, entries: readonly string[]): string[] {
  const reader = new OptionReader(program)
  for (const entry of entries) reader.readEntry(entry)
  return reader.strict
}

class OptionReader extends PublicTypes {
  readonly strict: string[] = []

  protected readExport({ name, own, isTypeOnly }: Exported): void {
    if (own.flags & ts.SymbolFlags.Value && !isTypeOnly)
      this.read({ type: this.checker.getTypeOfSymbol(own), isInput: false, path: name })
    // The functions that take them may be those of a lazily loaded part.
    else if (/Options$|Args$/.test(name))
      this.read({ type: this.checker.getDeclaredTypeOfSymbol(own), isInput: true, path: name })
  }

  /** Such as a store, a clock or an instance: an object that is implemented, not written as settings. */
  protected stopsAt(type: ts.Type): boolean {
    return (
      type.isClass() ||
      type
        .getProperties()
        .some(({ declarations }) =>
          declarations?.some((each) => ts.isMethodSignature(each) || ts.isMethodDeclaration(each)),
        )
    )
  }

  protected isHidden(): boolean {
    return false
  }

  protected waysOf(_: ts.Signature, { isInput, path }: Found): readonly string[] {
    return isInput ? [] : [`${path}()`]
  }

  protected wayTo({ property, type, isInput, path }: FoundProperty): string {
    const here = `${path}.${property.name}`
    if (isInput && property.flags & ts.SymbolFlags.Optional && !this.#takesUndefined(type))
      this.strict.push(here)
    return here
  }

  /** The checker marks an optional property with a type of its own, which is another one than `undefined`. */
  #takesUndefined(type: ts.Type): boolean {
    if (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.Never)) return true
    const plain = this.checker.getUndefinedType()
    return type === plain || (type.isUnion() && type.types.includes(plain))
  }
}
