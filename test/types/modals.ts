/** Types of the values of a modal, and misspelt names that do not compile; checked by `tsc -p tsconfig.json`. */
import { expectTypeOf } from 'vitest'
import {
  type Attachment,
  type ChosenRole,
  type ChosenUser,
  type CommandInteraction,
  createInteractionHandler,
  defineModal,
  type ModalInteraction,
  type ResolvedChannel,
  type Role,
} from 'foyer-sdk/server'

export const order = defineModal(
  {
    custom_id: 'order',
    title: 'Order',
    components: [
      { type: 10, content: 'Only **one** for each player.' },
      { type: 18, label: 'Name', component: { type: 4, custom_id: 'name', style: 1, required: false } },
      {
        type: 18,
        label: 'Maps',
        component: {
          type: 3,
          custom_id: 'maps',
          options: [
            { value: 'moon', label: 'Moon' },
            { value: 'moor', label: 'Moor' },
          ],
        },
      },
      { type: 18, label: 'Opponent', component: { type: 5, custom_id: 'opponent' } },
      { type: 18, label: 'Role', component: { type: 6, custom_id: 'role' } },
      { type: 18, label: 'Anybody', component: { type: 7, custom_id: 'any-body' } },
    ],
  },
  (interaction) => {
    const { values } = interaction
    expectTypeOf(values.name).toEqualTypeOf<string>()
    expectTypeOf(values.maps).toEqualTypeOf<readonly ('moon' | 'moor')[]>()
    expectTypeOf(values.opponent).toEqualTypeOf<readonly ChosenUser[]>()
    expectTypeOf(values.role).toEqualTypeOf<readonly Role[]>()
    expectTypeOf(values['any-body']).toEqualTypeOf<readonly (ChosenUser | ChosenRole)[]>()
    expectTypeOf(interaction.update({ content: 'x' })).toEqualTypeOf<Promise<void>>()
    // @ts-expect-error The form has no field `nmae`.
    return values.nmae
  },
)

const days = {
  type: 22,
  custom_id: 'days',
  options: [
    { value: 'fri', label: 'Friday' },
    { value: 'sat', label: 'Saturday' },
  ],
} as const

export const rest = defineModal(
  {
    custom_id: 'rest',
    title: 'Rest',
    components: [
      { type: 18, label: 'Channel', component: { type: 8, custom_id: 'place' } },
      {
        type: 18,
        label: 'Level',
        component: {
          type: 21,
          custom_id: 'level',
          options: [
            { value: 'easy', label: 'Easy' },
            { value: 'hard', label: 'Hard' },
          ],
        },
      },
      {
        type: 18,
        label: 'Pace',
        component: { type: 21, custom_id: 'pace', required: false, options: days.options },
      },
      { type: 18, label: 'Days', component: days },
      { type: 18, label: 'News', component: { type: 23, custom_id: 'news' } },
      { type: 18, label: 'Proof', component: { type: 19, custom_id: 'proof' } },
      { type: 1, components: [{ type: 4, custom_id: 'old', style: 1, label: 'Old' }] },
    ],
  },
  ({ values }) => {
    expectTypeOf(values.place).toEqualTypeOf<readonly ResolvedChannel[]>()
    expectTypeOf(values.level).toEqualTypeOf<'easy' | 'hard'>()
    expectTypeOf(values.pace).toEqualTypeOf<'fri' | 'sat' | undefined>()
    expectTypeOf(values.days).toEqualTypeOf<readonly ('fri' | 'sat')[]>()
    expectTypeOf(values.news).toEqualTypeOf<boolean>()
    expectTypeOf(values.proof).toEqualTypeOf<readonly Attachment[]>()
    expectTypeOf(values.old).toEqualTypeOf<string>()
    // @ts-expect-error 'medium' is no level.
    return values.level === 'medium' ? 'never' : 'always'
  },
  { visibility: 'private' },
)

// Options that are known when the program runs.
declare const maps: readonly { value: string; label: string }[]
export const chosen = defineModal(
  {
    custom_id: 'chosen',
    title: 'Maps',
    components: [{ type: 18, label: 'Map', component: { type: 3, custom_id: 'map', options: maps } }],
  },
  ({ values }) => {
    expectTypeOf(values.map).toEqualTypeOf<readonly string[]>()
    return values.map.join()
  },
)

export const handler = createInteractionHandler({
  publicKey: '00',
  commands: [],
  modals: [order, rest, chosen],
  onComponent: ({ values, customId }) => {
    expectTypeOf(values).toEqualTypeOf<readonly string[]>()
    return customId
  },
  onModal: ({ values }: ModalInteraction) => {
    expectTypeOf(values['anything']).toEqualTypeOf<unknown>()
    return 'x'
  },
})

// The definition is what `showModal` takes, and parts of it may be replaced.
export async function open(interaction: CommandInteraction): Promise<void> {
  await interaction.showModal(order.definition)
  await interaction.showModal({ ...order.definition, custom_id: `order:${interaction.id}` })
}

// @ts-expect-error A modal needs a handler.
export const withoutHandler = defineModal({ custom_id: 'a', title: 'b', components: [] })
export const withButton = defineModal(
  // @ts-expect-error A modal has no buttons.
  { custom_id: 'a', title: 'b', components: [{ type: 2, style: 1, custom_id: 'c' }] },
  () => 'x',
)
