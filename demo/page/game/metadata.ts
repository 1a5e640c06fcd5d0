/** Metadata as a person types it: a line for each entry, `key: value`. Pure. */
import type { Metadata } from 'foyer-sdk'

/** Of all keys and values together, in characters. */
export const METADATA_LIMIT = 1000

/** Lines without a colon are keys without a value; of two lines with one key the last counts. */
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

/** As the service counts: code points, so that an emoji is one. */
export function countMetadata(metadata: Metadata): number {
  return Object.entries(metadata).reduce((sum, [key, value]) => sum + countCharacters(key) + countCharacters(value), 0)
}

function countCharacters(text: string): number {
  return Array.from(text).length
}
