/** Masks the secrets of an exchange: by the names of fields, by their form, and wherever the same values appear again. */
import type { ExchangeView, ShownMessage, ShownToken } from './exchange-view.js'
import type { Field, Visit } from './rewrite-json.js'
import { rewriteJson } from './rewrite-json.js'
import { rewriteMessage } from './rewrite-message.js'
import { isSecretName, MASK, maskForms, maskPath } from './secret-names.js'

/** Shorter values would be found in other words. */
const MIN_LENGTH = 6
/** Values that are looked for in the rest of the exchange. */
const MAX_VALUES = 200

export function maskExchange(view: ExchangeView): ExchangeView {
  const found = new Set<string>()
  const visit = maskFields(found, () => false)
  const isRefusal = / [45]\d\d(?: |$)/.test(view.response?.line ?? '')
  const visitAnswer = maskFields(found, (field) => isRefusal && isErrorCode(field))
  const request = rewriteMessage(view.request, visit)
  const response = view.response && rewriteMessage(view.response, visitAnswer)
  const tokens = view.tokens.map((token) => ({
    ...token,
    encoded: MASK,
    claims: rewriteJson(token.claims, visit),
  }))
  const clean = cleaner(found)
  return {
    request: cleanMessage(request, clean),
    ...(response === undefined ? {} : { response: cleanMessage(response, clean) }),
    tokens: tokens.map((token): ShownToken => ({
      ...token,
      header: clean(token.header),
      claims: clean(token.claims),
    })),
  }
}

/** @param found receives the values that were masked. */
function maskFields(found: Set<string>, isPublic: (field: Field) => boolean): Visit {
  return (field) => {
    const { names, value, isScalar } = field
    if (value === '' || value === MASK || !names.some((name) => isSecretName(name)) || isPublic(field))
      return undefined
    // An error of the API has a number as its code.
    if (isScalar === true && (names.at(-1) === 'code' || /^(?:null|true|false)$/.test(value)))
      return undefined
    if (value.length >= MIN_LENGTH && !MASK.includes(value) && found.size < MAX_VALUES) found.add(value)
    return MASK
  }
}

/** The `code` of a refusal is a word, such as `BASE_TYPE_REQUIRED`. */
function isErrorCode({ names, value }: Field): boolean {
  const others = names.slice(0, -1)
  return (
    names.at(-1) === 'code' && /^[A-Z_]+$|^[a-z_]+$/.test(value) && !others.some((name) => isSecretName(name))
  )
}

/** Returns a function that masks what the names did not tell. */
function cleaner(found: ReadonlySet<string>): (text: string) => string {
  const values = [...found].flatMap((value) => [
    value,
    encodeURIComponent(value),
    JSON.stringify(value).slice(1, -1),
    escapeHtml(value),
  ])
  const longestFirst = [...new Set(values)].toSorted((a, b) => b.length - a.length)
  return (text) => maskForms(longestFirst.reduce((rest, value) => rest.replaceAll(value, MASK), text))
}

function cleanMessage({ line, headers, body }: ShownMessage, clean: (text: string) => string): ShownMessage {
  return {
    line: line
      .replace(/^(\S+ )([^\s?]*)/, (_all, method: string, path: string) => method + maskPath(path))
      .replace(/ .*/s, clean),
    headers: headers.map(([name, value]) => [name, clean(value)]),
    body: body.text === undefined ? body : { ...body, text: clean(body.text) },
  }
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}
