/** Reads untrusted values, and collects all problems instead of stopping at the first one. */

const SNOWFLAKE = /^[1-9][0-9]{0,19}$/
const LARGEST = 2n ** 64n - 1n

export class Reader {
  readonly problems: string[] = []

  problem(path: string, message: string): void {
    this.problems.push(`${path} ${message}`)
  }

  object(value: unknown, path: string, known: string[]): Record<string, unknown> {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      this.problem(path, 'must be an object')
      return {}
    }
    const entries = Object.entries(value)
    for (const [key] of entries) {
      if (!known.includes(key))
        this.problem(path, `has no field ${JSON.stringify(key)}; it has ${known.join(', ')}`)
    }
    return Object.fromEntries(entries)
  }

  list(value: unknown, path: string): unknown[] {
    if (value === undefined) return []
    if (Array.isArray(value)) return value
    this.problem(path, 'must be a list')
    return []
  }

  text(value: unknown, path: string, longest: number): string {
    if (typeof value === 'string' && value.trim() !== '' && value.length <= longest) return value
    this.problem(path, `must be text of 1 to ${longest} characters`)
    return ''
  }

  /** Reads an id. Refuses numbers: above 2^53 they lose digits. */
  snowflake(value: unknown, path: string): string {
    if (typeof value === 'string' && SNOWFLAKE.test(value) && BigInt(value) <= LARGEST) return value
    this.problem(path, 'must be a snowflake: a 64-bit number in decimal digits, written as a string')
    return ''
  }

  /** Reads a bit set: a decimal string. */
  permissions(value: unknown, path: string): string {
    if (typeof value === 'string' && /^[0-9]{1,40}$/.test(value)) return String(BigInt(value))
    this.problem(path, 'must be a bit set: a number in decimal digits, written as a string')
    return '0'
  }

  flag(value: unknown, path: string, fallback: 'yes' | 'no'): boolean {
    if (typeof value === 'boolean') return value
    if (value !== undefined) this.problem(path, 'must be true or false')
    return fallback === 'yes'
  }

  /** Reads an integer from 0 to `largest`. */
  whole(value: unknown, path: string, largestNumber: number): number {
    if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= largestNumber)
      return value
    this.problem(path, `must be a whole number from 0 to ${largestNumber}`)
    return 0
  }

  optional<T>(value: unknown, read: (value: unknown) => T): T | undefined {
    return value === undefined ? undefined : read(value)
  }
}
