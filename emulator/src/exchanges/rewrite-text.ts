/** Walks through the fields of a text of any kind and replaces some: JSON, forms, addresses, markup, and any of them inside another. */
import { rewriteJson, type Field, type Visit } from './rewrite-json.js'
import { MASK } from './secret-names.js'

interface TextOptions {
  visit: Visit
  /** Content type. Default: none, and the text tells what it is. */
  type?: string | undefined
  /** Number of texts around this one. */
  depth?: number
  budget: Budget
}

/** Characters of inner texts that may still be rewritten, of all together. */
export interface Budget {
  left: number
}

/** Characters of all inner texts of one message: each can hold others, in several ways. Beyond, values are replaced as a whole. */
const MAX_INNER = 200_000

export const createBudget = (): Budget => ({ left: MAX_INNER })

/** Texts in texts. What is deeper inside is replaced as a whole. */
const MAX_DEPTH = 6

/** `name=value` behind the beginning of a query, a fragment, a cookie, an attribute or a word. */
const PAIRS = /(^|[?&#;,\s"'(])([\w%.[\]+-]{1,200})=("[^"]*"?|'[^']*'?|[^&#;\s"'<>]*)/g
/** `name: value` in a line, as YAML and headers have it. */
const LINES = /(^|[\s,;{(])([\w.-]{1,200})(["']?\s{0,9}:\s{1,9})([^\r\n]+)/g
const SCRIPTS = /<script\b[^]*?(?:<\/script>|$)/gi
/** An element that holds nothing but a text. */
const ELEMENTS = /(<([\w:.-]{1,100})(?:\s[^<>]{0,500})?>)([^<>]+)(?=<\/)/g
const INPUTS = /<input\b[^<>]*>/gi
const CREDENTIALS = /(:\/\/[^\s/?#:@]{0,100}:)([^\s/?#@]{1,300})@/g

export function rewriteText(text: string, { visit, type = '', depth = 0, budget }: TextOptions): string {
  const within: Visit = (field) => visit(field) ?? rewriteInside(field, { visit, depth, budget })
  const json = /html/i.test(type)
    ? text.replaceAll(SCRIPTS, (script) => rewriteEmbedded(script, within))
    : rewriteEmbedded(text, within)
  const marked = /html/i.test(type) ? json : rewriteElements(json, visit)
  return rewriteInputs(rewriteLines(rewritePairs(rewriteCredentials(marked, within), within), visit), within)
}

/** The visit of a text, which goes on inside of its values. */
export function visitInside(visit: Visit, budget: Budget): Visit {
  return (field) => visit(field) ?? rewriteInside(field, { visit, depth: 0, budget })
}

/** JSON behind any text, such as the name of a function. */
function rewriteEmbedded(text: string, visit: Visit): string {
  const begin = text.search(/[[{]/)
  return begin < 0 ? text : text.slice(0, begin) + rewriteJson(text.slice(begin), visit)
}

/** Replaces values of a query or form, strictly between `&` and `&`. */
export function rewriteForm(text: string, visit: Visit): string {
  return text
    .split('&')
    .map((pair) => {
      const at = pair.indexOf('=')
      const name = pair.slice(0, Math.max(at, 0))
      const replaced = at < 0 ? undefined : replaceEncoded(pair.slice(at + 1), name, visit)
      return replaced === undefined ? pair : `${name}=${replaced}`
    })
    .join('&')
}

function rewritePairs(text: string, visit: Visit): string {
  return text.replaceAll(PAIRS, (all, ...[before = '', name = '', given = '']: string[]) => {
    const quote = /^["']/.exec(given)?.[0] ?? ''
    const value =
      quote === '' ? given : given.slice(1, given.endsWith(quote) && given.length > 1 ? -1 : undefined)
    const replaced = replaceEncoded(value, name, visit)
    return replaced === undefined ? all : `${before}${name}=${quote}${replaced}${quote}`
  })
}

function rewriteLines(text: string, visit: Visit): string {
  return text.replaceAll(LINES, (all, ...[before = '', name = '', between = '', value = '']: string[]) => {
    const replaced = visit({ names: [name], value })
    return replaced === undefined ? all : before + name + between + replaced
  })
}

/** Inputs of HTML, whose name is one attribute and whose value another. */
function rewriteInputs(text: string, visit: Visit): string {
  return text.replaceAll(INPUTS, (tag) => {
    const name = attribute(tag, 'name')
    const value = attribute(tag, 'value')
    if (name === undefined || value === undefined) return tag
    const replaced = visit({ names: [name], value })
    return replaced === undefined ? tag : tag.replace(value, () => replaced)
  })
}

function rewriteElements(text: string, visit: Visit): string {
  return text.replaceAll(ELEMENTS, (all, ...[tag = '', name = '', value = '']: string[]) => {
    const replaced = visit({ names: [name.replace(/^.*:/, '')], value })
    return replaced === undefined ? all : tag + replaced
  })
}

/** The password of an address. */
function rewriteCredentials(text: string, visit: Visit): string {
  return text.replaceAll(
    CREDENTIALS,
    (_all, before: string, value: string) => `${before}${visit({ names: ['password'], value }) ?? value}@`,
  )
}

function attribute(tag: string, name: string): string | undefined {
  const [, double, single, bare] =
    new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s>"']+))`, 'i').exec(tag) ?? []
  const value = double ?? single ?? bare
  return value === '' ? undefined : value
}

function replaceEncoded(value: string, name: string, visit: Visit): string | undefined {
  const decoded = decodeComponent(value)
  const replaced = value === '' ? undefined : visit({ names: [decodeComponent(name)], value: decoded })
  if (replaced === undefined || decoded === value) return replaced
  return encodeURIComponent(replaced).replaceAll(encodeURIComponent(MASK), MASK)
}

/** Decodes what it can: a stray percent sign stays. */
function decodeComponent(text: string): string {
  const spaced = text.replaceAll('+', ' ')
  try {
    return decodeURIComponent(spaced)
  } catch {
    return spaced.replaceAll(/(?:%[\da-f]{2})+/gi, (part) => {
      try {
        return decodeURIComponent(part)
      } catch {
        return part
      }
    })
  }
}

type Inner = Required<Omit<TextOptions, 'type'>>

function rewriteInside(
  { names, value, isScalar }: Field,
  { visit, depth, budget }: Inner,
): string | undefined {
  if (isScalar === true || value === MASK || !/[={[%:<]/.test(value)) return undefined
  budget.left -= value.length
  if (depth >= MAX_DEPTH || budget.left < 0) return MASK
  const plain = decodeComponent(value)
  const inner = rewriteText(value, { visit, depth: depth + 1, budget })
  if (inner !== value) return inner
  // Encoded once more, for example an address in an address.
  return plain === value
    ? undefined
    : rewriteInside({ names, value: plain }, { visit, depth: depth + 1, budget })
}

/** A text without the promised boundary is replaced as a whole: nothing tells its fields apart. */
export function rewriteMultipart(text: string, { type, visit }: { type: string; visit: Visit }): string {
  const [, quoted, bare] = /boundary\s*=\s*(?:"([^"]+)"|([^\s;"]+))/i.exec(type) ?? []
  const delimiter = `--${quoted ?? bare ?? ''}`
  const [preamble = '', ...parts] = text.split(delimiter)
  if (delimiter === '--' || parts.length === 0) return text.trim() === '' ? text : MASK
  return [preamble.trim() === '' ? preamble : MASK, ...parts.map((part) => rewritePart(part, visit))].join(
    delimiter,
  )
}

function rewritePart(part: string, visit: Visit): string {
  const gap = /\r?\n\r?\n/.exec(part)
  if (gap === null) return /^(?:--)?\s*$/.test(part) ? part : MASK
  const head = part.slice(0, gap.index).replaceAll(PART_LINES, rewritePartLine)
  const content = part.slice(gap.index + gap[0].length)
  const ending = /\r?\n$/.exec(content)?.[0] ?? ''
  const value = content.slice(0, content.length - ending.length)
  const before = head + gap[0]
  if (FILE_NAME.test(head)) return `${before}(file of ${Buffer.byteLength(value)} bytes)${ending}`
  return before + (visit({ names: [nameIn(head)], value }) ?? value) + ending
}

const PART_LINES = /^[^\r\n]+/gm
const FILE_NAME = /;\s*filename\*?\s*=/i

/** The headers that a form needs, without what comes from a player's disk. */
function rewritePartLine(line: string): string {
  const name = /^[\w-]+(?=:)/.exec(line)?.[0] ?? ''
  const end = line.search(FILE_NAME)
  if (/^content-disposition$/i.test(name))
    return `${name}: form-data; name="${nameIn(line)}"${end < 0 ? '' : `; filename="${MASK}"`}`
  return /^content-[a-z-]+$/i.test(name) || /^(?:--)?\s*$/.test(line) ? line : `${name}: ${MASK}`
}

/** A part without a name counts as a secret. */
function nameIn(head: string): string {
  const [, quoted, bare] = /;\s*name\*?\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;]+))/i.exec(head) ?? []
  return (quoted ?? bare ?? 'secret').replace(/^[\w-]*'[\w-]*'/, '')
}
