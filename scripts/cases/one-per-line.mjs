/** Writes a JSON list with one entry on each line, so that a change of one case is a change of one line. */

/**
 * Characters outside of ASCII are escaped, since many of them cannot be seen.
 *
 * @param {string} text A JSON list.
 */
export function onePerLine(text) {
  const lines = JSON.parse(text).map((entry) => JSON.stringify(entry).replaceAll(/[^\x20-\x7e]/g, escaped))
  return `[\n${lines.join(',\n')}\n]\n`
}

/** @param {string} unit */
function escaped(unit) {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}
