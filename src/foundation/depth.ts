/** How deep data is nested, found without recursion: what is built to exhaust the stack must not do so here. */

/** Whether no more than `levels` objects or lists lie inside each other. */
export function isShallow(value: unknown, levels: number): boolean {
  let inside: unknown[] = [value]
  for (let level = 0; inside.length > 0; level++) {
    inside = inside.filter((item) => typeof item === 'object' && item !== null).flatMap((item) => Object.values(Object(item)))
    if (level >= levels && inside.length > 0) return false
  }
  return true
}
