/** Changes that a tester makes to the authorize URL: parameters that the SDK itself would not send so. Pure. */
import type { ArgumentsForm } from './arguments-form'

/** One changed parameter; without a value it is left out. */
export interface RequestChange {
  readonly name: string
  readonly value?: string | undefined
}

type ChangingFields = Pick<ArgumentsForm, 'prompt' | 'responseMode' | 'extra'>

/** Changes of the form; of two for one parameter the last one counts. */
export function readChanges({ prompt, responseMode, extra }: ChangingFields): readonly RequestChange[] {
  const given = [
    ...(prompt === '' ? [] : [{ name: 'prompt', value: prompt }]),
    ...(responseMode === '' ? [] : [{ name: 'response_mode', value: responseMode }]),
    ...extra.split('\n').flatMap(readLine),
  ]
  return [...new Map(given.map((change) => [change.name, change])).values()]
}

/** `name=value` adds or replaces a parameter, `-name` leaves one out. */
function readLine(line: string): RequestChange[] {
  const text = line.trim()
  if (text.startsWith('-')) return text.length > 1 ? [{ name: text.slice(1).trim() }] : []
  const [name = '', ...rest] = text.split('=')
  return name.trim() === '' ? [] : [{ name: name.trim(), value: rest.join('=').trim() }]
}

/** Returns the URL with the changes, encoded as the SDK encodes it. */
export function changeUrl(address: string, changes: readonly RequestChange[]): string {
  if (changes.length === 0) return address
  const url = new URL(address)
  for (const { name, value } of changes) {
    if (value === undefined) url.searchParams.delete(name)
    else url.searchParams.set(name, value)
  }
  return `${url.origin}${url.pathname}?${url.searchParams.toString().replaceAll('+', '%20')}`
}

/** Formats changes for people: `prompt=none, without nonce`. */
export function describeChanges(changes: readonly RequestChange[]): string {
  return changes
    .map(({ name, value }) => (value === undefined ? `without ${name}` : `${name}=${value}`))
    .join(', ')
}
