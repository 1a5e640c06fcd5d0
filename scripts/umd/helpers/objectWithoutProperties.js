/** ES2017 form of `const { a, ...rest } = source`. */
import objectSpread from './objectSpread2.js'

export default function objectWithoutProperties(source, excluded) {
  const rest = objectSpread({}, source)
  for (const key of excluded) delete rest[key]
  return rest
}
