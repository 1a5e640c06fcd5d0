/** Measures the nesting depth of data without recursion, so that hostile input cannot overflow the stack. */

/** True if objects and lists are nested at most `levels` deep. */
export function isShallow(value: unknown, levels: number): boolean {
  let nested: unknown[] = [value]
  for (let level = 0; nested.length > 0; level++) {
    nested = nested.filter((item) => typeof item === 'object' && item !== null).flatMap((item) => Object.values(Object(item)))
    if (level >= levels && nested.length > 0) return false
  }
  return true
}
