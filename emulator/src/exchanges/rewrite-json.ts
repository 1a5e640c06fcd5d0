/** Walks through the values of a JSON text and replaces some. The rest stays as it is, and the text may be cut or no JSON. */

import { MASK } from './secret-names.js'

/** A value, and the names that lead to it. */
export interface Field {
  names: readonly string[]
  value: string
  /** True for a number, a boolean or null of JSON. */
  isScalar?: boolean
}

/** Returns the new value, or undefined to keep the value. */
export type Visit = (field: Field) => string | undefined

interface Level {
  isObject: boolean
  names: readonly string[]
  key: string
  /** True where a string is the name of a field. */
  expectsKey: boolean
}

/** Levels of nesting. What is deeper inside is replaced as a whole. */
const MAX_LEVELS = 64

const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$)|[{}[\],:]|\s+|[^\s"{}[\],:]+/gs

export function rewriteJson(text: string, visit: Visit): string {
  const levels: Level[] = []
  let isTooDeep = false
  return text.replaceAll(TOKENS, (token) => {
    if (isTooDeep) return ''
    if (levels.length >= MAX_LEVELS && /^[{[]/.test(token)) {
      isTooDeep = true
      return MASK
    }
    const level = levels.at(-1)
    if (/^\s/.test(token)) return token
    if (token === '{' || token === '[')
      levels.push({ isObject: token === '{', names: namesIn(level), key: '', expectsKey: true })
    else if (token === '}' || token === ']') levels.pop()
    else if (token === ',' || token === ':') {
      if (level) level.expectsKey = token === ','
    } else if (level?.isObject === true && level.expectsKey) level.key = decode(token)
    else return replaceValue(token, namesIn(level), visit)
    return token
  })
}

function namesIn(level: Level | undefined): readonly string[] {
  if (level === undefined) return []
  return level.isObject ? [...level.names, level.key] : level.names
}

function replaceValue(token: string, names: readonly string[], visit: Visit): string {
  const isScalar = !token.startsWith('"')
  const replaced = visit({ names, value: decode(token), isScalar })
  return replaced === undefined ? token : JSON.stringify(replaced)
}

/** The text of a string that may be cut. */
function decode(token: string): string {
  if (!token.startsWith('"')) return token
  for (const end of ['', '"', '\\"']) {
    try {
      const value: unknown = JSON.parse(token + end)
      return String(value)
    } catch {
      // Cut, or no JSON.
    }
  }
  return token.slice(1)
}
