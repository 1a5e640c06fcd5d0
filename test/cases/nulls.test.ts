/** Null in a field of a message that may be left out: SDK and emulator take it, for every such field of docs/interface/openapi.json and of forms. */
import { describe, expect, it } from 'vitest'
import { validateMessage, validateModal } from 'foyer-sdk/server'
import {
  messageBody,
  modalBody,
  pathText,
  problemsOf,
  readDescription,
  variantsOf,
} from '../support/emulator-internals'
import { EVERY_FIELD } from '../support/screens/chat-parts'

const description = await readDescription('docs/interface/openapi.json')
const generation = { resolve: description.resolve, known: {} }

/** Bodies with null in one of the nullable fields of a schema each. */
const withNull = (name: string) => {
  const schema = { $ref: `#/components/schemas/${name}` }
  return variantsOf(schema, generation).filter(({ what }) => what === 'null')
}

const faultsOfEmulator = (body: unknown) =>
  problemsOf(messageBody({ files: new Map() }), body).map(({ path }) => pathText(path))

const inRow = (component: unknown) => ({ components: [{ type: 1, components: [component] }] })
const asIs = (value: unknown) => value

describe.each([
  ['MessageInput', 'create', asIs, 'embeds[0].fields[0].inline'],
  ['MessageEdit', 'edit', asIs, 'allowed_mentions.parse'],
  ['ButtonInput', 'create', inRow, 'emoji.animated'],
  ['StringSelectInput', 'create', inRow, 'options[0].emoji.animated'],
  ['UserSelectInput', 'create', inRow, 'default_values'],
] as const)('%s', (name, operation, wrap, one) => {
  const bodies = withNull(name)

  it('has nullable fields', () => expect(bodies.map(({ at }) => at)).toContain(one))

  it.each(bodies)('takes null in $at', ({ value }) => {
    const body = wrap(value)
    expect(validateMessage(body, { operation })).toEqual([])
    const edits = operation === 'edit' ? { edits: { attachments: [], flags: 0 } } : {}
    expect(problemsOf(messageBody({ files: new Map(), ...edits }), body)).toEqual([])
  })
})

/** Fields of the parts of a form that may be left out, by the type of the part. */
const OPTIONAL: Readonly<Record<number, readonly string[]>> = {
  3: ['placeholder', 'min_values', 'max_values', 'disabled', 'required', 'id'],
  4: ['min_length', 'max_length', 'required', 'value', 'placeholder', 'id'],
  5: ['placeholder', 'min_values', 'max_values', 'disabled', 'required', 'default_values', 'id'],
  8: ['channel_types', 'default_values', 'id'],
  18: ['description', 'id'],
  19: ['min_values', 'max_values', 'required', 'file_types', 'id'],
  21: ['required', 'id'],
  22: ['min_values', 'max_values', 'required', 'id'],
  23: ['default', 'id'],
}

const nulls = (type: number) =>
  Object.fromEntries((OPTIONAL[type] ?? []).map((field): [string, null] => [field, null]))

const LABELS = EVERY_FIELD.components.filter((part) => 'component' in part)

it.each(LABELS)('a form takes null in every optional field of $component.type', (label) => {
  const { component = {} } = Object(label) as { component?: { type?: number } }
  const body = {
    ...EVERY_FIELD,
    components: [{ ...label, ...nulls(18), component: { ...component, ...nulls(component.type ?? 0) } }],
  }
  expect(validateModal(body)).toEqual([])
  expect(problemsOf(modalBody, body)).toEqual([])
})

it('a field that is required is not null, and a rule between two fields takes null for none', () => {
  const button = { type: 2, style: 1, custom_id: 'a', label: 'A' }
  for (const [fields, path] of [
    [{ custom_id: null }, 'custom_id'],
    [{ label: null, emoji: null }, 'label'],
    [{ style: null }, 'style'],
  ] as const) {
    const at = `components[0].components[0].${path}`
    expect(validateMessage(inRow({ ...button, ...fields })).map((issue) => issue.path)).toEqual([at])
    expect(faultsOfEmulator(inRow({ ...button, ...fields }))).toEqual([at])
  }
})
