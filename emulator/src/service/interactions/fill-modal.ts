/** Fills in a modal for a player as the service's client does, and builds the components of its submission. */
import { didYouMean } from '../../foundation/closest-name.js'
import { fieldsOf, textOf } from '../../foundation/values.js'
import type { Attachments } from './attachments.js'
import { countWithin, findSelected, wantsOffered } from './find-component.js'
import type { ChannelView } from './resolve-options.js'

type Fields = Record<string, unknown>

export interface FilledModal {
  components: unknown[]
  /** Objects behind the ids that were selected; undefined without one. */
  resolved: Record<string, Fields> | undefined
  problems: string[]
}

interface Form {
  /** Entries of the player, by `custom_id`. */
  values: Fields
  view: ChannelView
  attachments: Attachments
}

const LABEL = 18
const TEXT_DISPLAY = 10

/** Values of fields that the player left alone are those that the modal selects beforehand. */
export function fillModal(components: unknown[], form: Form): FilledModal {
  const filling = new ModalFilling(form)
  const known = new Set<string>()
  const filled = components.map(fieldsOf).map((component) => {
    if (component['type'] === TEXT_DISPLAY) return { type: TEXT_DISPLAY, id: filling.nextId(component) }
    const id = filling.nextId(component)
    const inner =
      component['type'] === LABEL
        ? [fieldsOf(component['component'])]
        : listOf(component['components']).map(fieldsOf)
    const fields = inner.map((field) => {
      known.add(String(field['custom_id']))
      return filling.fill(field)
    })
    return component['type'] === LABEL
      ? { type: LABEL, id, component: fields[0] }
      : { type: component['type'], id, components: fields }
  })
  for (const name of Object.keys(form.values))
    if (!known.has(name)) filling.problems.push(noField(name, [...known]))
  const resolved = Object.keys(filling.resolved).length === 0 ? undefined : filling.resolved
  return { components: filled, resolved, problems: filling.problems }
}

const noField = (name: string, names: readonly string[]): string =>
  `the form has no field ${JSON.stringify(name)}${didYouMean(name, names)}; it has ${names.join(', ')}`

class ModalFilling {
  readonly problems: string[] = []
  readonly resolved: Record<string, Fields> = {}
  readonly #form: Form
  #lastId = 0

  constructor(form: Form) {
    this.#form = form
  }

  /** Components without an id are counted by the service. */
  nextId({ id }: Fields): number {
    this.#lastId += 1
    return typeof id === 'number' && id !== 0 ? id : this.#lastId
  }

  fill(field: Fields): Fields {
    const { type, custom_id: customId } = field
    const head = { type, id: this.nextId(field), custom_id: customId }
    const given = this.#form.values[String(customId)]
    const name = `field ${String(customId)}`
    if (type === 4) return { ...head, value: this.#text(field, given, name) }
    if (type === 21) return { ...head, value: this.#radio(field, given, name) }
    if (type === 23)
      return {
        ...head,
        value:
          given === undefined
            ? field['default'] === true
            : given === true || given === 'true' || given === 'on',
      }
    if (type === 19) return { ...head, values: this.#files(field, given, name) }
    return { ...head, values: this.#selected(field, given, name) }
  }

  #text(field: Fields, given: unknown, name: string): string {
    const { required = true, min_length: least = 0, max_length: most = 4000, value = '' } = field
    const text = given === undefined ? (textOf(value) ?? '') : (textOf(given) ?? '')
    const { length } = Array.from(text)
    if (length === 0 && required === true) this.problems.push(`${name} is required`)
    else if (length > 0 && (length < Number(least) || length > Number(most)))
      this.problems.push(`${name} must have ${String(least)} to ${String(most)} characters`)
    return text
  }

  #radio(field: Fields, given: unknown, name: string): string | null {
    const options = listOf(field['options']).map(fieldsOf)
    const chosen =
      given === undefined ? options.find((option) => option['default'] === true)?.['value'] : given
    if (chosen === undefined || chosen === null || chosen === '') {
      if (field['required'] !== false) this.problems.push(`${name} is required`)
      return null
    }
    if (!options.some(({ value }) => value === chosen))
      this.problems.push(`${name} must be one of its options`)
    return textOf(chosen) ?? null
  }

  #files(field: Fields, given: unknown, name: string): string[] {
    const files = Array.isArray(given) ? given : given === undefined || given === '' ? [] : [given]
    const { view, attachments } = this.#form
    const fileTypes = Array.isArray(field['file_types']) ? field['file_types'].map(String) : undefined
    this.#count(field, files.length, name)
    return files.flatMap((file) => {
      const id = attachments.add(file, { channelId: view.location.id, fileTypes })
      if (id === undefined)
        this.problems.push(`${name} must be a file that it takes: { filename, content_type?, data? }`)
      else Object.assign((this.resolved['attachments'] ??= {}), { [id]: attachments.payload(id) })
      return id ?? []
    })
  }

  #selected(field: Fields, given: unknown, name: string): string[] {
    const selected = findSelected(field, given, this.#form.view)
    this.#count(field, selected.values.length, name)
    const problem = wantsOffered(selected)
    if (problem !== undefined) this.problems.push(`${name} ${problem}`)
    for (const [kind, objects] of Object.entries(selected.resolved))
      Object.assign((this.resolved[kind] ??= {}), objects)
    return selected.values
  }

  #count(field: Fields, count: number, name: string): void {
    const problem = countWithin(field, count)
    if (problem !== undefined) this.problems.push(`${name} ${problem}`)
  }
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
