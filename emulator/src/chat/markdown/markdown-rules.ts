/** Grammar of the service's Markdown: that of the library with lists, links to the web only, and a bounded depth. */
import { rulesExtended } from 'discord-markdown-parser'
import { listRule } from './list-rule.js'

type Rule = (typeof rulesExtended)[string]

/** Nested deeper than this, a mark is text. */
const DEEPEST = 16

/** Text without brackets, or with one pair; an address with one pair of parentheses. Each part has one way to match: no backtracking. */
const MASKED_LINK =
  /^\[((?:\\.|[^[\]\\]|\[[^[\]]{0,200}\]){1,1000})\]\(\s{0,9}<?(https?:\/\/(?:[^\s<>()]|\([^\s<>()]{0,500}\)){1,2000})>?(?:\s{1,9}["'][^"'\n]{0,500}["'])?\s{0,9}\)/i

/** Rules of the parser by the type of their nodes. */
export function markdownRules(): Record<string, Rule> {
  const { link, ...rules } = rulesExtended
  const masked: Rule = { ...link, order: link?.order ?? 0, match: (source) => MASKED_LINK.exec(source), parse: parseLink }
  const all = { ...rules, link: masked, list: listRule(rules['subtext']?.order ?? 0) }
  return Object.fromEntries(Object.entries(all).map(([name, rule]) => [name, name === 'text' ? rule : bounded(rule)]))
}

const parseLink: Rule['parse'] = (capture, nested, state) => ({
  content: nested(capture[1] ?? '', { ...state, prevCapture: null, inLink: true }),
  target: capture[2],
})

/** Counts the depth on the way down. */
function bounded(rule: Rule): Rule {
  return {
    ...rule,
    match: (source, state, previous) => (depthOf(state) > DEEPEST ? null : rule.match(source, state, previous)),
    parse: (capture, nested, state) => {
      const depth = depthOf(state) + 1
      return rule.parse(capture, (source, inner) => nested(source, { ...(inner ?? state), depth }), state)
    },
  }
}

function depthOf({ depth }: Record<string, unknown>): number {
  return typeof depth === 'number' ? depth : 0
}
