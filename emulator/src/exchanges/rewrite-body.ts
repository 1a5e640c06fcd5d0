/** Walks through the fields of a body whose shape is known: JSON, forms, and texts of the emulator. Any other body is secret as a whole. */
import { rewriteJson, type Visit } from './rewrite-json.js'
import { type Budget, rewriteForm, rewriteMultipart, rewriteText, visitInside } from './rewrite-text.js'

interface BodyOptions {
  visit: Visit
  /** Content type. Default: none, and the text tells what it is. */
  type: string | undefined
  /** True for the beginning of a body. */
  isCut: boolean
  /** True for what the emulator sends. */
  isAnswer: boolean
  budget: Budget
}

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\b/i
const FORM_TYPE = /^application\/x-www-form-urlencoded\b/i
/** Type that a browser sends for a text without one. */
const NO_TYPE = /^(?:text\/plain\b|$)/i
/** Pages, scripts, styles and sentences, which the emulator sends. */
const ANSWER_TYPE = /^(?:text\/(?:html|css|javascript|plain)\b|$)/i
/** A form without its type has nothing between its pairs but `&`. */
const FORM = /^[^\s<>{}"'=&;:]{1,200}=[^\s<>{}"']*$/

export function rewriteBody(
  text: string,
  { visit, type = '', isCut, isAnswer, budget }: BodyOptions,
): string {
  const inside = visitInside(visit, budget)
  const own = text.replace(/^\uFEFF/, '')
  const isUntyped = NO_TYPE.test(type)
  if (/^multipart\//i.test(type)) return rewriteMultipart(text, { type, visit: inside })
  if ((isUntyped || JSON_TYPE.test(type) || FORM_TYPE.test(type)) && isJson(own, { isCut }))
    return rewriteJson(own, inside)
  if ((FORM_TYPE.test(type) && own.includes('=')) || (isUntyped && FORM.test(own)))
    return rewriteForm(own, inside)
  if (isAnswer && ANSWER_TYPE.test(type)) return rewriteText(text, { visit, type, budget })
  return visit({ names: ['secret'], value: text }) ?? text
}

/** True for an object, a list or a text. The end of one that is cut is not known. */
function isJson(text: string, { isCut }: Pick<BodyOptions, 'isCut'>): boolean {
  if (!/^\s*[{["]/.test(text)) return false
  if (isCut) return hasJsonWords(text)
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const WORD = /"[^"\\]*(?:\\[^][^"\\]*)*"?|[^\s"{}[\],:]+/g
const SCALAR = /^(?:"|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$|true$|false$|null$)/i

/** True if all words but the last are texts, numbers or names of JSON: a comment is none. */
function hasJsonWords(text: string): boolean {
  const words = text.match(WORD) ?? []
  return words.slice(0, -1).every((word) => SCALAR.test(word))
}
