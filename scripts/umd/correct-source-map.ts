/** Corrects a source map for code whose beginning has been replaced. */
import { decode, encode } from '@jridgewell/sourcemap-codec'

/** `mappings` of the map; `before` and `after`: the old beginning, which is one line, and the new one. */
export function replaceBeginning(mappings: string, before: string, after: string): string {
  const added = after.split('\n')
  const shift = (added.at(-1) ?? '').length - before.length
  const [first = [], ...others] = decode(mappings)
  const moved = first.filter(([column]) => column >= before.length)
  for (const segment of moved) segment[0] += shift
  return encode([...added.slice(1).map(() => []), moved, ...others])
}
