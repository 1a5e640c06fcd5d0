/** Request that a tester sends again: its fields, of which each can be changed or left out, and those that were added. Pure. */
import type { Exchange, Field } from './exchange'

export const PARTS = ['query', 'body', 'headers'] as const
export type Part = (typeof PARTS)[number]

export interface DraftField extends Field {
  /** Stays the same while the field changes. */
  readonly key: string
  /** True if the tester has added it. */
  readonly isAdded: boolean
  /** True if it is not sent. */
  readonly isSkipped: boolean
}

export type Draft = Readonly<Record<Part, readonly DraftField[]>>

export function draftOf(exchange: Exchange): Draft {
  const fieldsOf = (part: Part): DraftField[] =>
    exchange[part].map((field, index) => ({
      ...field,
      key: `${part}-${index}`,
      isAdded: false,
      isSkipped: false,
    }))
  return { query: fieldsOf('query'), body: fieldsOf('body'), headers: fieldsOf('headers') }
}

/** False for the body of a request that has none in browsers, or whose body is a text without fields. */
export function takesField({ method, body }: Pick<Exchange, 'method' | 'body'>, part: Part): boolean {
  return part !== 'body' || (!['GET', 'HEAD'].includes(method) && body[0]?.name !== '')
}

export function addField(draft: Draft, part: Part): Draft {
  const last = draft[part].at(-1)?.key.split('-').at(-1) ?? -1
  const added = { name: '', value: '', isSecret: false, isAdded: true, isSkipped: false }
  return { ...draft, [part]: [...draft[part], { ...added, key: `${part}-${Number(last) + 1}` }] }
}

export function changeField(draft: Draft, part: Part, changed: DraftField): Draft {
  return { ...draft, [part]: draft[part].map((field) => (field.key === changed.key ? changed : field)) }
}

export function removeField(draft: Draft, part: Part, { key }: DraftField): Draft {
  return { ...draft, [part]: draft[part].filter((field) => field.key !== key) }
}

/** Fields that are sent. */
export function sentParts(draft: Draft): Pick<Exchange, Part> {
  const sent = (part: Part): Field[] => draft[part].filter(({ isSkipped }) => !isSkipped).map(toField)
  return { query: sent('query'), body: sent('body'), headers: sent('headers') }
}

/** In a JSON body an added value is the JSON that was typed, such as `5` or `true`, and a text otherwise. */
function toField({ name, value, isSecret, isText, isAdded }: DraftField): Field {
  const isTyped = isAdded ? !isJson(value) : isText
  return { name, value, isSecret, ...(isTyped && { isText: true }) }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
