/** Binds the methods of an object, so that they work when they are handed over: `button.onclick = client.signIn`. */

/** Defines each inherited method as the object's own, bound. */
export function bindMethods(object: object): void {
  for (
    let type: unknown = Object.getPrototypeOf(object);
    isObject(type) && type !== Object.prototype;
    type = Object.getPrototypeOf(type)
  )
    for (const name of Object.getOwnPropertyNames(type)) {
      const method: unknown = Object.getOwnPropertyDescriptor(type, name)?.value
      if (
        typeof method !== 'function' ||
        name === 'constructor' ||
        Object.getOwnPropertyDescriptor(object, name)
      )
        continue
      const value = (...args: unknown[]): unknown => Reflect.apply(method, object, args)
      Object.defineProperty(object, name, { value, configurable: true, writable: true })
    }
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
