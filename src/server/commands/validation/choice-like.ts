/** How members of a command's lists are written, for messages about those that are no objects. */

/** Of `options`. */
export const OPTION_EXAMPLE = "{ type: 3, name: 'weapon', description: 'Your weapon' }"

/** Of `choices`. */
export const CHOICE_EXAMPLE = "{ name: 'sword', value: 'sword' }"

/** The choice that was meant by a bare value. Other text than plain words is not repeated. */
export function choiceLike(given: unknown): string {
  if (Number.isFinite(given)) return `{ name: '${String(given)}', value: ${String(given)} }`
  const text = typeof given === 'string' && /^[\w -]{1,32}$/.test(given) ? given : 'sword'
  return `{ name: '${text}', value: '${text}' }`
}
