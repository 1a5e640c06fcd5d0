/** Parses and formats metadata as typed by a user: one entry per line, `key: value`. Pure. */
import type { Metadata } from 'foyer-sdk'

/** Maximum length of all keys and values together, in characters. */
export const METADATA_LIMIT = 1000

/** Parses the lines. A line without a colon is a key without a value; the last line with the same key wins. */
export function parseMetadata(text: string): Metadata {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return Object.fromEntries(lines.map(entryOf))
}

function entryOf(line: string): [string, string] {
  const [key = '', ...value] = line.split(':')
  return [key.trim(), value.join(':').trim()]
}

export function writeMetadata(metadata: Metadata): string {
  return Object.entries(metadata)
    .map(([key, value]) => `${key}: ${value}`)
    .join('\n')
}

/** Counts code points, as the service does: an emoji is one character. */
export function countMetadata(metadata: Metadata): number {
  return Object.entries(metadata).reduce(
    (sum, [key, value]) => sum + countCharacters(key) + countCharacters(value),
    0,
  )
}

function countCharacters(text: string): number {
  return Array.from(text).length
}
