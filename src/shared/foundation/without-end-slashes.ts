/** Cuts the slashes at the end of a text. Not by a pattern: `/\/+$/` takes quadratic time for many slashes before another character. */

export function withoutEndSlashes(text: string): string {
  let end = text.length
  while (text[end - 1] === '/') end--
  return text.slice(0, end)
}
