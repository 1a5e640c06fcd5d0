/** Formats times: relative and exact. */

const UNITS: readonly (readonly [name: string, ms: number])[] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
]

/** Formats the two largest units: `6 d 23 h`, `4 min 12 s`. */
export function duration(ms: number): string {
  let rest = Math.max(0, Math.floor(ms / 1000) * 1000)
  const parts: string[] = []
  for (const [name, size] of UNITS) {
    const count = Math.floor(rest / size)
    rest -= count * size
    if (count > 0 || parts.length > 0) parts.push(`${count} ${name}`)
  }
  return parts.slice(0, 2).join(' ') || '0 s'
}

/** Formats `in 4 min 12 s`, `3 s ago`. */
export function relative(instant: number, now: number): string {
  const distance = instant - now
  if (Math.abs(distance) < 1000) return 'now'
  return distance > 0 ? `in ${duration(distance)}` : `${duration(-distance)} ago`
}

/** Formats local time, to the second. */
export function exact(instant: number): string {
  return new Date(instant).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' })
}
