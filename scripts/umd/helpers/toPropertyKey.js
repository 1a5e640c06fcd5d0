/** ES2017 form of a computed property name. */
export default function toPropertyKey(value) {
  return typeof value === 'symbol' ? value : String(value)
}
