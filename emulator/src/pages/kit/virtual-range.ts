/** Rows of a virtual list that are in view, and the row that a key leads to. */

/** Rows above and below the view that are rendered too: fast scrolling shows no gap. */
const MARGIN = 8

/** @returns the first rendered row, and the one after the last. */
export function shownRange({
  top,
  height,
  row,
  length,
}: {
  top: number
  height: number
  row: number
  length: number
}): {
  from: number
  to: number
} {
  const first = Math.floor(top / row)
  const to = Math.min(length, first + Math.ceil(height / row) + MARGIN)
  return { from: Math.max(0, Math.min(first - MARGIN, to)), to }
}

/** @returns the index that a key selects; undefined for other keys. `at` is -1 while nothing is selected. */
export function keyTarget(
  key: string,
  { at, length, page }: { at: number; length: number; page: number },
): number | undefined {
  if (length === 0) return undefined
  const last = length - 1
  const targets: Record<string, number> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: at + page,
    PageUp: at - page,
    Home: 0,
    End: last,
  }
  const target = targets[key]
  return target === undefined ? undefined : Math.max(0, Math.min(last, target))
}
