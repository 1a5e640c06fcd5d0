/** Parses the Markdown of messages into nodes that hold text, names and addresses of the web, and no markup. */
import { fieldsOf, textOf } from '../../foundation/values.js'
import { listRule } from './list-rule.js'
import type { MarkKind, MarkdownNode } from './markdown-node.js'
import { SimpleMarkdown, rulesExtended } from 'discord-markdown-parser'

/** Longer texts are shown as they are: no part of a message is longer. */
const MAX_LENGTH = 6000

const MARKS: Record<string, MarkKind> = {
  strong: 'bold',
  em: 'italic',
  underline: 'underline',
  strikethrough: 'strikethrough',
  spoiler: 'spoiler',
  blockQuote: 'quote',
  subtext: 'subtext',
}

type ParseMarkdown = (text: string) => MarkdownNode[]

export function createMarkdownParser(): ParseMarkdown {
  const parse = SimpleMarkdown.parserFor(markdownRules())
  return (text) =>
    text.length > MAX_LENGTH ? [{ type: 'text', text }] : nodesOf(parse(text, { inline: true }))
}

function nodesOf(content: unknown): MarkdownNode[] {
  const nodes: MarkdownNode[] = []
  for (const node of (Array.isArray(content) ? content.flat() : []).flatMap(nodeOf)) {
    const last = nodes.at(-1)
    if (node.type === 'text' && last?.type === 'text')
      nodes[nodes.length - 1] = { type: 'text', text: last.text + node.text }
    else nodes.push(node)
  }
  return nodes
}

/** One node of the library; emphasis inside emphasis is a list of them. */
function nodeOf(node: unknown): MarkdownNode | MarkdownNode[] {
  const fields = fieldsOf(node)
  const type = textOf(fields['type']) ?? 'text'
  const mark = MARKS[type]
  if (mark !== undefined) return { type: mark, children: nodesOf(fields['content']) }
  return (
    converters[type]?.(fields) ?? {
      type: 'text',
      text: textOf(fields['content']) ?? textOf(fields['name']) ?? '',
    }
  )
}

type Fields = Record<string, unknown>

const string = (fields: Fields, name: string) => textOf(fields[name]) ?? ''

const converters: Record<string, (fields: Fields) => MarkdownNode> = {
  br: () => ({ type: 'break' }),
  newline: () => ({ type: 'break' }),
  everyone: () => ({ type: 'everyone' }),
  here: () => ({ type: 'here' }),
  heading: (fields) => ({
    type: 'heading',
    level: Number(fields['level']),
    children: nodesOf(fields['content']),
  }),
  list: (fields) => ({
    type: 'list',
    start: numberOf(fields['start']),
    items: listOf(fields['items']).map(nodesOf),
  }),
  inlineCode: (fields) => ({ type: 'code', text: string(fields, 'content') }),
  codeBlock: (fields) => ({
    type: 'codeBlock',
    language: string(fields, 'lang'),
    text: string(fields, 'content'),
  }),
  link: linkOf,
  url: linkOf,
  autolink: linkOf,
  user: (fields) => ({ type: 'user', id: string(fields, 'id') }),
  role: (fields) => ({ type: 'role', id: string(fields, 'id') }),
  channel: (fields) => ({ type: 'channel', id: string(fields, 'id') }),
  slashCommand: (fields) => ({ type: 'command', name: string(fields, 'fullName') }),
  emoji: (fields) => ({ type: 'emoji', name: string(fields, 'name') }),
  timestamp: (fields) => ({
    type: 'timestamp',
    seconds: Number(fields['timestamp']),
    style: textOf(fields['format']) ?? 'f',
  }),
  guildNavigation: (fields) => ({ type: 'navigation', target: string(fields, 'navigation') }),
}

/** Any other scheme than that of the web stays text. */
function linkOf(fields: Fields): MarkdownNode {
  const url = string(fields, 'target')
  const children = nodesOf(fields['content'])
  return /^https?:\/\//i.test(url) && URL.canParse(url)
    ? { type: 'link', url, children }
    : { type: 'text', text: url }
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}

type Rule = (typeof rulesExtended)[string]

/** Nested deeper than this, a mark is text. */
const DEEPEST = 16

/** Text without brackets, or with one pair; an address with one pair of parentheses. Each part has one way to match: no backtracking. */
const MASKED_LINK =
  /^\[((?:\\.|[^[\]\\]|\[[^[\]]{0,200}\]){1,1000})\]\(\s{0,9}<?(https?:\/\/(?:[^\s<>()]|\([^\s<>()]{0,500}\)){1,2000})>?(?:\s{1,9}["'][^"'\n]{0,500}["'])?\s{0,9}\)/i

/** Rules of the parser by the type of their nodes. */
function markdownRules(): Record<string, Rule> {
  const { link, ...rules } = rulesExtended
  const masked: Rule = {
    ...link,
    order: link?.order ?? 0,
    match: (source) => MASKED_LINK.exec(source),
    parse: parseLink,
  }
  const all = { ...rules, link: masked, list: listRule(rules['subtext']?.order ?? 0) }
  return Object.fromEntries(
    Object.entries(all).map(([name, rule]) => [name, name === 'text' ? rule : bounded(rule)]),
  )
}

const parseLink: Rule['parse'] = (capture, nested, state) => ({
  content: nested(capture[1] ?? '', { ...state, prevCapture: null, inLink: true }),
  target: capture[2],
})

/** Counts the depth on the way down. */
function bounded(rule: Rule): Rule {
  return {
    ...rule,
    match: (source, state, previous) =>
      depthOf(state) > DEEPEST ? null : rule.match(source, state, previous),
    parse: (capture, nested, state) => {
      const depth = depthOf(state) + 1
      return rule.parse(capture, (source, inner) => nested(source, { ...(inner ?? state), depth }), state)
    },
  }
}

function depthOf({ depth }: Record<string, unknown>): number {
  return typeof depth === 'number' ? depth : 0
}
