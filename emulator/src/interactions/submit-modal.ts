/** Data of a submitted modal, in the shape of the modal: each part with the player's value, and the objects behind ids and files. */
import { fieldsOf, textOf } from '../foundation/type-guards.js'
import type { Attachments } from './attachment-store.js'
import type { FormValue } from './interaction-control-types.js'
import { lookUp, type ChannelView } from './resolve-options.js'

type Payload = Record<string, unknown>

const componentTypes = { row: 1, text: 4, firstIdSelect: 5, lastIdSelect: 8, label: 18, fileUpload: 19 } as const

interface Parts {
  view: ChannelView
  attachments: Attachments
  values: Record<string, FormValue>
}

/** Returns `components` and, if there are ids or files, `resolved`. */
export function submittedModal(components: unknown, { view, attachments, values }: Parts): Payload {
  const resolved: Record<string, Payload> = {}
  const add = (kind: string, id: string, payload: Payload) => Object.assign((resolved[kind] ??= {}), { [id]: payload })
  let last = 0
  const convert = (item: unknown): Payload => {
    const { type, id = (last += 1), custom_id: customId, component, components: inner } = fieldsOf(item)
    const head = { type, id }
    if (type === componentTypes.row) return { ...head, components: listOf(inner).map(convert) }
    if (type === componentTypes.label) return { ...head, component: convert(component) }
    const name = textOf(customId)
    if (name === undefined) return head
    const given = Object.hasOwn(values, name) ? values[name] : undefined
    if (type === componentTypes.fileUpload) return { ...head, custom_id: name, values: upload(given) }
    if (isIdSelect(type)) for (const [kind, value, payload] of objectsBehind(given, view)) add(kind, value, payload)
    return { ...head, custom_id: name, ...(Array.isArray(given) ? { values: given } : { value: given === undefined ? '' : given }) }
  }
  const upload = (files: FormValue | undefined): string[] =>
    (Array.isArray(files) ? files : []).flatMap((file) => {
      const id = attachments.add(file, { channelId: view.location.id })
      if (id !== undefined) add('attachments', id, attachments.payload(id))
      return id ?? []
    })
  const converted = listOf(components).map(convert)
  return { components: converted, ...(Object.keys(resolved).length > 0 && { resolved }) }
}

/** Selects of users, roles, both or channels. */
export function isIdSelect(type: unknown): boolean {
  return typeof type === 'number' && type >= componentTypes.firstIdSelect && type <= componentTypes.lastIdSelect
}

/** Objects behind the values of a select, as kind, id and payload. */
function objectsBehind(values: unknown, view: ChannelView): [string, string, Payload][] {
  return listOf(values).flatMap((id) =>
    typeof id === 'string' ? lookUp(id, view).map(([kind, payload]): [string, string, Payload] => [kind, id, payload]) : [],
  )
}

/** Groups objects behind ids by their kind; undefined without any. */
export function resolvedOf(values: unknown, view: ChannelView): Payload | undefined {
  const found: Record<string, Payload> = {}
  for (const [kind, id, payload] of objectsBehind(values, view)) Object.assign((found[kind] ??= {}), { [id]: payload })
  return Object.keys(found).length === 0 ? undefined : found
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
