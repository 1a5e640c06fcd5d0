/** Defines each method of an object's class as the object's own, bound: `const { use } = emulator.interactions` works then. */
export function bindMethods(object: object): void {
  const type: object = Object.getPrototypeOf(object)
  for (const name of Object.getOwnPropertyNames(type)) {
    const method: unknown = Object.getOwnPropertyDescriptor(type, name)?.value
    if (typeof method !== 'function' || name === 'constructor') continue
    const value = (...args: unknown[]): unknown => Reflect.apply(method, object, args)
    Object.defineProperty(object, name, { value, configurable: true, writable: true })
  }
}
