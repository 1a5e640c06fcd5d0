/** The end of a sentence that is made of parts. */

/** With a full stop at its end, unless it ends as a sentence does. */
export function sentence(text: string): string {
  return /[.?!]\)?$/.test(text) ? text : `${text}.`
}
