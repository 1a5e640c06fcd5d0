/** Numbers of the API for which somebody wrote the name, such as `'STRING'` for 3. */
import { closestName } from './options'

/** Constants of the API by name, and the name of the object that has them. */
export interface NumberNames {
  readonly owner?: string
  readonly of: Readonly<Record<string, number>>
}

/** The number to write in place of a text, for the end of an issue's message. Empty for a value that is no text. */
export function numberFor(given: unknown, { owner, of }: NumberNames): string {
  if (typeof given !== 'string') return ''
  const digits = Object.values(of).find((each) => String(each) === given)
  if (digits !== undefined) return `: ${digits}, without quotes`
  const name = closestName(given, Object.keys(of))
  if (name !== undefined)
    return `: ${name} is ${of[name]}${owner === undefined ? '' : `, or ${owner}.${name}`}`
  return `: ${Object.entries(of)
    .map(([each, number]) => `${number} ${each}`)
    .join(', ')}`
}
