/** Parts of a modal: texts, and fields with their values and rules. Checks the values as a client does. */
import { boundsOf, chosenAtFirst, isSelect } from '../shared/choice.js'
import { listOf, PART, type ComponentData } from '../shared/wire-parts.js'
import type { FormValue } from '../../../service/interactions/interaction-controls.js'
import type { UploadedFile } from '../../../service/interactions/read-inputs.js'

export type { FormValue }

export interface FormText {
  text: string
}

export interface FormField {
  id: string
  label: string
  description: string | undefined
  component: ComponentData
}

/** Largest file, in bytes. */
const LARGEST_FILE = 10_485_760

/** In order, from labels, rows of version 1 and texts. */
export function formParts(components: ComponentData[] | undefined): (FormField | FormText)[] {
  return listOf(components).flatMap((item): (FormField | FormText)[] => {
    if (item.type === PART.textDisplay) return [{ text: item.content ?? '' }]
    const inner = item.component ?? item
    if (item.type === PART.row) return formParts(item.components)
    if (inner.custom_id === undefined) return []
    const description = item === inner ? undefined : (item.description ?? undefined)
    return [
      {
        id: inner.custom_id,
        label: item.label ?? inner.label ?? inner.custom_id,
        description,
        component: inner,
      },
    ]
  })
}

export function isField(item: FormField | FormText): item is FormField {
  return 'component' in item
}

/** Value before the player changes it. */
export function valueAtFirst(component: ComponentData): FormValue {
  const { type, value = '', default: checked = false } = component
  if (type === PART.textInput) return value
  if (type === PART.checkbox) return checked
  const chosen = chosenAtFirst(component)
  return type === PART.radioGroup ? (chosen[0] ?? null) : chosen
}

export function isRequired({ type, required = true }: ComponentData): boolean {
  return type !== PART.checkbox && required
}

/** The reason for which a value cannot be sent. */
export function faultOf(component: ComponentData, value: FormValue): string | undefined {
  const { type } = component
  if (type === PART.textInput) return faultOfText(component, typeof value === 'string' ? value : '')
  if (type === PART.radioGroup) return value === null && isRequired(component) ? 'Choose one.' : undefined
  if (!Array.isArray(value)) return undefined
  if (value.length === 0 && !isRequired(component)) return undefined
  const { least, most } = boundsOfField(component)
  const noun = type === PART.fileUpload ? 'file' : 'value'
  if (value.length === 0 && most === 1) return type === PART.fileUpload ? 'Choose a file.' : 'Choose one.'
  const amount = (count: number) => `${count} ${noun}${count === 1 ? '' : 's'}`
  if (value.length < Math.max(1, least)) return `Choose at least ${amount(Math.max(1, least))}.`
  if (value.length > most) return `Choose at most ${amount(most)}.`
  return value
    .map((file) => (typeof file === 'string' ? undefined : faultOfFile(file, component.file_types)))
    .find(Boolean)
}

/** A group of checkboxes allows all of them, if it does not state a number. */
export function boundsOfField(component: ComponentData): { least: number; most: number } {
  const { least, most } = boundsOf(component)
  return {
    least,
    most:
      component.type === PART.checkboxGroup
        ? (component.max_values ?? listOf(component.options).length)
        : most,
  }
}

/** Kinds of fields that the page has a control for. */
export function isKnown(component: ComponentData): boolean {
  const others: readonly number[] = [
    PART.textInput,
    PART.radioGroup,
    PART.checkboxGroup,
    PART.checkbox,
    PART.fileUpload,
  ]
  return isSelect(component) || others.includes(component.type)
}

function faultOfText(component: ComponentData, value: string): string | undefined {
  const { min_length: least = 0, max_length: most = 4000 } = component
  const { length } = Array.from(value)
  if (length === 0) return isRequired(component) ? 'Fill in this field.' : undefined
  if (length < least) return `Write at least ${least} characters: there are ${length}.`
  return length > most ? `Write at most ${most} characters: there are ${length}.` : undefined
}

function faultOfFile(
  { filename, content_type: type, data = '' }: UploadedFile,
  types: string[] | undefined,
): string | undefined {
  if (data.length * 0.75 > LARGEST_FILE + 3) return `${filename} is larger than 10 MiB.`
  const isAccepted =
    listOf(types).length === 0 ||
    listOf(types).some((one) =>
      one.startsWith('.') ? filename.toLowerCase().endsWith(one.toLowerCase()) : type?.startsWith(`${one}/`),
    )
  return isAccepted ? undefined : `${filename} is of another type than ${listOf(types).join(', ')}.`
}
