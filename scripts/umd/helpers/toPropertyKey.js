/** What an expression in brackets names. */
export default function toPropertyKey(value) {
  return typeof value === 'symbol' ? value : String(value)
}
