/** Reads the values of a submitted modal, with the objects behind ids. */
import { isRecord } from '../../shared/foundation/untrusted-values'
import type { ModalData } from '../../shared/wire/interaction-request'
import type { ModalField } from '../../shared/wire/modal-components'
import { InteractionError } from './interaction-error'
import { emptyRecord, type Fields, joinValue } from './read-options'

const STRING_SELECT = 3
const TEXT_INPUT = 4
const FILE_UPLOAD = 19
const RADIO_GROUP = 21
const CHECKBOX_GROUP = 22
const CHECKBOX = 23
/** Fields whose values are ids, with the types of command options that take such an id. */
const OPTION_TYPES: Readonly<Record<number, number>> = { 5: 6, 6: 8, 7: 9, 8: 7, [FILE_UPLOAD]: 11 }

/** Reads every submitted field by its own type. A value that does not match it is undefined. */
export function readSubmittedValues(data: ModalData): Fields {
  const values = emptyRecord()
  for (const [name, field] of submittedFields(data))
    values[name] = valueOf(field, { ...data.resolved }) ?? undefined
  return values
}

/**
 * Reads every field of a definition.
 *
 * @throws InteractionError `missing_option`, `invalid_option`: the player saw another definition, for example of an earlier version.
 */
export function readModalValues(data: ModalData, fields: readonly ModalField[]): Fields {
  const submitted = submittedFields(data)
  const values = emptyRecord()
  for (const field of fields) {
    const given = submitted.get(field.custom_id)
    values[field.custom_id] =
      given?.['type'] === field.type
        ? requireValue(field, valueOf(given, { ...data.resolved }))
        : missing(field, given)
  }
  return values
}

function missing({ custom_id: name }: ModalField, given: unknown): never {
  throw new InteractionError(given === undefined ? 'missing_option' : 'invalid_option', name)
}

function requireValue(field: ModalField, value: unknown): unknown {
  if (value === null && field.type === RADIO_GROUP && field.required === false) return undefined
  if (value === null) throw new InteractionError('missing_option', field.custom_id)
  if (value === undefined || ('options' in field && !isOffered(value, field.options)))
    throw new InteractionError('invalid_option', field.custom_id)
  return value
}

function isOffered(value: unknown, options: readonly { readonly value: string }[]): boolean {
  const chosen: readonly unknown[] = Array.isArray(value) ? value : [value]
  return chosen.every((one) => options.some((option) => option.value === one))
}

/** Undefined for a value that does not match the type, null for a radio group without a choice. */
function valueOf({ type, value, values }: Fields, resolved: Fields): unknown {
  switch (type) {
    case TEXT_INPUT:
      return typeof value === 'string' ? value : undefined
    case RADIO_GROUP:
      return typeof value === 'string' || value === null ? value : undefined
    case CHECKBOX:
      return typeof value === 'boolean' ? value : undefined
    case STRING_SELECT:
    case CHECKBOX_GROUP:
      return allOf(values, (one) => (typeof one === 'string' ? one : undefined))
    default: {
      const option = OPTION_TYPES[Number(type)]
      return option === undefined ? undefined : allOf(values, (id) => joinValue(option, id, resolved))
    }
  }
}

/** Undefined if `read` finds nothing for one of them: a list without it would look complete. */
function allOf(values: unknown, read: (value: unknown) => unknown): unknown {
  const found = Array.isArray(values) ? values.map(read) : undefined
  return found?.includes(undefined) ? undefined : found
}

/** Fields by `custom_id`, from labels and from rows of text inputs. */
function submittedFields({ components }: ModalData): ReadonlyMap<string, Fields> {
  const fields = new Map<string, Fields>()
  for (const part of Array.isArray(components) ? components.filter(isRecord) : []) {
    const { component, components: row } = part
    for (const field of Array.isArray(row) ? row : [component])
      if (isRecord(field) && typeof field['custom_id'] === 'string') fields.set(field['custom_id'], field)
  }
  return fields
}
