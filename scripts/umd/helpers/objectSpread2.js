/** ES2017 form of `{...a, ...b}`. As in the original, `__proto__` becomes an ordinary property; symbols are left out. */
export default function objectSpread(target, ...sources) {
  for (const source of sources) {
    for (const key of Object.keys(Object(source))) {
      Object.defineProperty(target, key, { value: source[key], writable: true, enumerable: true, configurable: true })
    }
  }
  return target
}
