/** Finds components in a message. */
import { fieldsOf } from '../../foundation/values.js'
import { KINDS } from './read-inputs.js'
import { finder, lookUp, type ChannelView } from './resolve-options.js'

/** The component with this `custom_id`, at any depth, unless it is disabled. */
export function findComponent(components: unknown, customId: string): Record<string, unknown> | undefined {
  if (!Array.isArray(components)) return undefined
  for (const item of components) {
    const component = fieldsOf(item)
    const { custom_id: own, type, components: inner, accessory, disabled } = component
    if (own === customId && typeof type === 'number' && disabled !== true) return component
    const found =
      findComponent(inner, customId) ??
      (accessory === undefined ? undefined : findComponent([accessory], customId))
    if (found !== undefined) return found
  }
  return undefined
}

/** The `custom_id` of each component that a player can use, at any depth. */
export function usableComponents(components: unknown): string[] {
  return listOf(components).flatMap((item) => {
    const { custom_id: id, components: inner, accessory, disabled } = fieldsOf(item)
    const own = typeof id === 'string' && disabled !== true ? [id] : []
    return [
      ...own,
      ...usableComponents(inner),
      ...(accessory === undefined ? [] : usableComponents([accessory])),
    ]
  })
}

/** A select, checkbox group or file upload. */
type FieldRules = Record<string, unknown>

interface Selected {
  values: string[]
  /** Values that the field does not offer. */
  unknown: string[]
  resolved: Record<string, Record<string, unknown>>
}

const CHECKBOX_GROUP = 22
/** The option type that offers what a select of this type does. */
const OPTION_TYPES: Readonly<Record<number, number>> = {
  5: KINDS.user,
  6: KINDS.role,
  7: KINDS.mentionable,
  8: KINDS.channel,
}

export function findSelected(field: FieldRules, given: unknown, view: ChannelView): Selected {
  const values =
    given === undefined
      ? selectedBeforehand(field)
      : (Array.isArray(given) ? given : [given]).map(String).filter((value) => value !== '')
  const optionType = OPTION_TYPES[Number(field['type'])]
  if (optionType === undefined) {
    const offered = new Set(listOf(field['options']).map((option) => fieldsOf(option)['value']))
    return { values, unknown: values.filter((value) => !offered.has(value)), resolved: {} }
  }
  const channels = field['channel_types']
  const option = { ...(Array.isArray(channels) && { channel_types: channels.map(Number) }) }
  const find = finder(view)
  const resolved: Selected['resolved'] = {}
  for (const [value, kind, payload] of values.flatMap((id) =>
    lookUp(id, view).map(([name, object]) => [id, name, object] as const),
  ))
    Object.assign((resolved[kind] ??= {}), { [value]: payload })
  return { values, unknown: values.filter((value) => !find(optionType, value, option)), resolved }
}

/** Returns what is wrong with a number of values; undefined if a player may submit it. */
export function countWithin(
  field: FieldRules,
  count: number,
  { inMessage = false } = {},
): string | undefined {
  const isOptional = field['required'] === false && !inMessage
  if (count === 0 && isOptional) return undefined
  const least = Number(field['min_values'] ?? 1)
  const most = Number(
    field['max_values'] ?? (field['type'] === CHECKBOX_GROUP ? listOf(field['options']).length : 1),
  )
  if (count >= least && count <= most) return undefined
  return count === 0 ? 'is required' : `must have ${least} to ${most} values`
}

/** Names the values that a field does not offer; undefined if there are none. */
export function wantsOffered({ unknown }: Selected): string | undefined {
  return unknown.length === 0 ? undefined : `does not offer ${unknown.join(', ')}`
}

function selectedBeforehand(field: FieldRules): string[] {
  const options = listOf(field['options']).map(fieldsOf)
  const chosen = options.filter((option) => option['default'] === true).map(({ value }) => value)
  return [...chosen, ...listOf(field['default_values']).map((value) => fieldsOf(value)['id'])].map(String)
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
