/** Rule for lists, which the library does not have: `-`, `*` or a number, nested by their indentation. */
import type { rulesExtended } from 'discord-markdown-parser'

type Rule = (typeof rulesExtended)[string]

const ITEM_LINE = /^( {0,40})(?:[-*]|(\d{1,9})\.) +(?=\S)/
const CONTINUED = /^ {2,}\S/
const DEEPEST = 11

interface Line {
  indent: number
  /** Undefined for a list without numbers. */
  number: number | undefined
  text: string
}

/** @param order precedence of the rule, as that of other blocks. */
export function listRule(order: number): Rule {
  return {
    order,
    match: matchList,
    parse: (capture, nested, state) =>
      parseList(linesOf(capture[0] ?? ''), (text) => nested(text, { ...state, prevCapture: null })),
  }
}

const matchList: Rule['match'] = (source, state) => {
  const previous: unknown = state['prevCapture']
  const isLineStart = !Array.isArray(previous) || String(previous[0]).endsWith('\n')
  if (!isLineStart || !ITEM_LINE.test(source)) return null
  let end = 0
  for (const line of source.split('\n')) {
    if (end > 0 && !ITEM_LINE.test(line) && !CONTINUED.test(line)) break
    end += line.length + 1
  }
  return [source.slice(0, end)]
}

function linesOf(text: string): Line[] {
  const lines: Line[] = []
  for (const line of text.split('\n')) {
    const [mark = '', indent = '', number] = ITEM_LINE.exec(line) ?? []
    const last = lines.at(-1)
    if (mark !== '')
      lines.push({
        indent: indent.length,
        number: number === undefined ? undefined : Number(number),
        text: line.slice(mark.length),
      })
    else if (last !== undefined && line.trim() !== '') last.text += `\n${line.trim()}`
  }
  return lines
}

interface ListNode {
  type: 'list'
  start: number | undefined
  indent: number
  items: unknown[][]
  /** Nodes around the list. */
  siblings: unknown[]
}

/** Builds the tree with a stack of open lists, from the outermost to the innermost. */
function parseList(lines: Line[], parse: (text: string) => unknown[]): ListNode[] {
  const roots: ListNode[] = []
  let open: ListNode[] = []
  const begin = ({ indent, number }: Line, siblings: unknown[]): ListNode => {
    const list: ListNode = { type: 'list', start: number, indent, items: [], siblings }
    siblings.push(list)
    open.push(list)
    return list
  }
  for (const line of lines) {
    open = open.filter((list, index) => index === 0 || list.indent <= line.indent)
    let list = open.at(-1) ?? begin(line, roots)
    const parent = list.items.at(-1)
    if (line.indent > list.indent + 1 && parent !== undefined && open.length < DEEPEST)
      list = begin(line, parent)
    else if ((list.start === undefined) !== (line.number === undefined))
      list = begin(line, open.pop()?.siblings ?? roots)
    list.items.push(parse(line.text))
  }
  return roots
}
