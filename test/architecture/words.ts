/** Counts what makes comments and names hard to read: openings without a subject, code that acts like a person, names of furniture. */
import ts from 'typescript'

/** First words after which the reader still does not know what the sentence is about. */
const OPENING = /^(what|who|whose|whom|where|which|whether|whatever|whoever|wherever|whichever|how)\b/i
/** Verbs of people. Code returns, emits, stores and compares. */
const PERSON = /\b(tells?|told|hears?|heard|says?|said|believes?|believed|knows?|knew|remembers?|forgets?)\b/i
/** Furniture, trades and places. A file is named by the idea that it holds. A desk is the idea where games call it so (`createPurchaseDesk`). */
const FURNITURE =
  'agenda|courier|crossing|door|furniture|guest|journal|keeper|knob|lane|picker|porter|press|road|room|seat|shelf|spot|stage|surroundings|vault|voice'
const FURNITURE_NAME = new RegExp(`(?:^|[/-])(?:${FURNITURE})s?(?=[./-])`)

/** Every comment of a file as one line. Line comments that follow each other are one comment. */
export function commentsOf(text: string): string[] {
  const scanner = ts.createScanner(ts.ScriptTarget.ESNext, false, ts.LanguageVariant.Standard, text)
  const found: string[] = []
  let previousEnd = -1
  let depth = 0
  const templates: number[] = []
  for (let kind = scanner.scan(); kind !== ts.SyntaxKind.EndOfFileToken; kind = scanner.scan()) {
    // A scanner alone cannot see where a template goes on.
    if (kind === ts.SyntaxKind.TemplateHead) templates.push(depth)
    if (kind === ts.SyntaxKind.OpenBraceToken) depth += 1
    if (kind === ts.SyntaxKind.CloseBraceToken) {
      if (templates.at(-1) === depth) {
        if (scanner.reScanTemplateToken(false) === ts.SyntaxKind.TemplateTail) templates.pop()
        continue
      }
      depth -= 1
    }
    if (kind === ts.SyntaxKind.MultiLineCommentTrivia) found.push(plain(scanner.getTokenText()))
    if (kind !== ts.SyntaxKind.SingleLineCommentTrivia) continue
    const isNext = /^\s*$/.test(text.slice(previousEnd, scanner.getTokenStart())) && previousEnd >= 0
    if (isNext) found.push(`${found.pop() ?? ''} ${plain(scanner.getTokenText())}`)
    else found.push(plain(scanner.getTokenText()))
    previousEnd = scanner.getTokenEnd()
  }
  return found.filter((comment) => /[a-z]{3}/i.test(comment))
}

function plain(comment: string): string {
  return comment
    .replace(/^\/\*\*?|\*\/$|^\/\//g, '')
    .replace(/^\s*\*/gm, '')
    .replace(/`[^`]*`/g, 'x')
    .replace(/\s+/g, ' ')
    .trim()
}

export const opensWithoutSubject = (comment: string): boolean => OPENING.test(comment)

export const actsLikeAPerson = (comment: string): boolean => PERSON.test(comment)

export const isFurniture = (path: string): boolean => FURNITURE_NAME.test(path)
