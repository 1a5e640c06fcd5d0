/** JSON that may be anything. */

/** Undefined for a text that is not JSON. The parser's own error is dropped, since it quotes the text. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
