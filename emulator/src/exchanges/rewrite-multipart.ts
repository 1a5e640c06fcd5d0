/** Walks through the parts of a multipart form. Files are replaced by their size. */
import type { Visit } from './rewrite-json.js'
import { MASK } from './secret-names.js'

/** A text without the promised boundary is replaced as a whole: nothing tells its fields apart. */
export function rewriteMultipart(text: string, { type, visit }: { type: string; visit: Visit }): string {
  const [, quoted, bare] = /boundary\s*=\s*(?:"([^"]+)"|([^\s;"]+))/i.exec(type) ?? []
  const delimiter = `--${quoted ?? bare ?? ''}`
  const [preamble = '', ...parts] = text.split(delimiter)
  if (delimiter === '--' || parts.length === 0) return text.trim() === '' ? text : MASK
  return [preamble.trim() === '' ? preamble : MASK, ...parts.map((part) => rewritePart(part, visit))].join(delimiter)
}

function rewritePart(part: string, visit: Visit): string {
  const gap = /\r?\n\r?\n/.exec(part)
  if (gap === null) return /^(?:--)?\s*$/.test(part) ? part : MASK
  const head = part.slice(0, gap.index)
  const content = part.slice(gap.index + gap[0].length)
  const ending = /\r?\n$/.exec(content)?.[0] ?? ''
  const value = content.slice(0, content.length - ending.length)
  const before = head + gap[0]
  if (/;\s*filename\*?\s*=/i.test(head)) return `${before}(file of ${Buffer.byteLength(value)} bytes)${ending}`
  return before + (visit({ names: [nameIn(head)], value }) ?? value) + ending
}

/** A part without a name counts as a secret. */
function nameIn(head: string): string {
  const [, quoted, bare] = /;\s*name\*?\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;]+))/i.exec(head) ?? []
  return (quoted ?? bare ?? 'secret').replace(/^[\w-]*'[\w-]*'/, '')
}
