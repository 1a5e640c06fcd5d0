/** What `{...a, ...b}` is in ES2017. As with the real one, what stands under `__proto__` becomes a property like any other; symbols are left out. */
export default function objectSpread(target, ...sources) {
  for (const source of sources) {
    for (const key of Object.keys(Object(source))) {
      Object.defineProperty(target, key, { value: source[key], writable: true, enumerable: true, configurable: true })
    }
  }
  return target
}
