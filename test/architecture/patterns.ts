/** Finds the patterns of the source, and the texts for which each would take more than linear time. */
import { type AST, RegExpParser } from '@eslint-community/regexpp'
import { analyse } from 'scslre'
import ts from 'typescript'
import { parse, type Violation } from './source'

/** A pattern of the source. `source`: its text without flags. */
export interface Pattern {
  readonly file: string
  readonly line: number
  readonly source: string
  readonly flags: string
}

/** Length of the texts that a pattern is tried with. */
const LENGTH = 50_000
/** ms for one text. A quadratic pattern takes 200 and more, a linear one less than 5. */
const MOST = 50
/** Candidates for a class of characters. */
const CHARACTERS = 'a0A_-./: \t=<"\'{[(%&?#;,+!~@}])>é\n'

/** Every literal, and every text or template given to `new RegExp`. What a template inserts stands for one letter. */
export function patternsOf(sources: Record<string, string>): Pattern[] {
  return parse(sources).files.flatMap((tree) => {
    const found: Pattern[] = []
    const visit = (node: ts.Node): void => {
      const literal = literalOf(node)
      const line = tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1
      if (literal) found.push({ file: tree.fileName, line, ...literal })
      ts.forEachChild(node, visit)
    }
    visit(tree)
    return found
  })
}

function literalOf(node: ts.Node): { source: string; flags: string } | undefined {
  if (ts.isRegularExpressionLiteral(node)) {
    const end = node.text.lastIndexOf('/')
    return { source: node.text.slice(1, end), flags: node.text.slice(end + 1) }
  }
  if (!(ts.isNewExpression(node) || ts.isCallExpression(node)) || node.expression.getText() !== 'RegExp')
    return undefined
  const [source, flags] = node.arguments ?? []
  return {
    source: source === undefined ? '' : textIn(source),
    flags: flags === undefined ? '' : textIn(flags),
  }
}

/** A joined or computed pattern has no text here: it is a violation of its own. */
function textIn(node: ts.Node): string {
  if (ts.isStringLiteralLike(node)) return node.text
  if (!ts.isTemplateExpression(node)) return UNKNOWN
  return (
    node.head.text +
    node.templateSpans
      .map(({ expression, literal }) => (ts.isCallExpression(expression) ? UNKNOWN : 'x') + literal.text)
      .join('')
  )
}

const UNKNOWN = '(a*)*b'

/** Patterns that take more than linear time, by analysis or by trial. */
export function slowPatterns(patterns: readonly Pattern[]): Violation[] {
  const known = new Map<string, string | undefined>()
  return patterns.flatMap(({ file, line, source, flags }) => {
    const key = `/${source}/${flags}`
    if (!known.has(key)) known.set(key, worstCase(source, flags))
    const text = known.get(key)
    return text === undefined ? [] : [{ file, line, rule: `${key} takes more than linear time for ${text}` }]
  })
}

/** A description of a text that the pattern is slow for. */
function worstCase(source: string, flags: string): string | undefined {
  const [report] = analyse({ source, flags }, { assumeRejectingSuffix: false }).reports
  if (report) return `many of ${(report.type === 'Trade' ? report.startQuant : report.quant).raw}`
  const pattern = new RegExp(source, flags)
  for (const [before, repeated] of textsFor(source, flags))
    for (const end of ['', '!', '\n', '\u0000']) {
      const text = before + repeated.repeat(Math.ceil(LENGTH / repeated.length)) + end
      if (isSlow(pattern, text)) return `${JSON.stringify(before)} and many of ${JSON.stringify(repeated)}`
    }
  return undefined
}

/** Three times: the machine may be busy once. */
const isSlow = (pattern: RegExp, text: string): boolean => [1, 2, 3].every(() => timeOf(pattern, text) > MOST)

function timeOf(pattern: RegExp, text: string): number {
  const begin = performance.now()
  text.replace(pattern, '')
  return performance.now() - begin
}

/** Pairs of a beginning and what is repeated after it: every start of a match, and every part of it after those before. */
function textsFor(source: string, flags: string): [before: string, repeated: string][] {
  const tree = new RegExpParser().parsePattern(
    source,
    0,
    source.length,
    flags.includes('v') ? { unicodeSets: true } : { unicode: flags.includes('u') },
  )
  const found = new Map<string, [string, string]>()
  for (const { elements } of tree.alternatives.slice(0, 8)) {
    const parts = elements.flatMap(partsOf)
    let before = ''
    for (const part of parts.slice(0, 24)) {
      if (part !== '') for (const start of ['', before]) found.set(`${start}\n${part}`, [start, part])
      before += part
      if (before !== '') found.set(`\n${before}`, ['', before])
    }
  }
  return [...found.values()]
}

/** The shortest texts of the parts of an element that match, in order. */
function partsOf(element: AST.Element): string[] {
  if (element.type === 'Quantifier')
    return partsOf(element.element).map((part) => part.repeat(Math.max(1, Math.min(element.min, 32))))
  if (element.type === 'Group' || element.type === 'CapturingGroup')
    return (element.alternatives[0]?.elements ?? []).flatMap(partsOf)
  if (element.type === 'Assertion' || element.type === 'Backreference') return []
  if (element.type === 'Character') return [String.fromCodePoint(element.value)]
  for (const flags of ['u', 'v', ''])
    try {
      const one = new RegExp(`^(?:${element.raw})$`, flags)
      return [Array.from(CHARACTERS).find((character) => one.test(character)) ?? 'a']
    } catch {
      // The class is written for another mode.
    }
  return ['a']
}
