/** Modal definition with its handler, whose values are typed by the definition. */
import type { ChosenRole, ChosenUser } from '../commands/types-from-definition'
import { ConfigurationError } from '../../shared/foundation/errors'
import { requireRecord } from '../../shared/foundation/options'
import { refuse } from '../../shared/foundation/rules'
import { validateModal } from '../messages/validate-modal'
import type { Attachment, ResolvedChannel, Role } from '../../shared/wire/interaction-request'
import type { ModalBody } from '../../shared/wire/interaction-response'
import type { ModalField } from '../../shared/wire/modal-components'
import type { CommandOptions } from './handler'
import type { HandlerResult, ModalInteraction } from './interaction-types'
import { requireVisibility, type Visibility } from './visibility'
import { takeOptions } from '../../shared/foundation/take-options'

/** Modal with its handler: open `definition` with `showModal`, and pass the whole object to `createInteractionHandler`. */
export interface DefinedModal<D extends ModalBody = ModalBody> {
  /** Definition, for `showModal`. */
  readonly definition: D
  /** Handler of the submitted modal. */
  readonly run: (interaction: ModalInteraction) => HandlerResult | Promise<HandlerResult>
  /** Readers of placeholders of the handler, and its messages that do not say it by `ephemeral`. */
  readonly visibility?: Visibility | undefined
}

type FieldOf<Part> = Part extends { readonly component: infer Field }
  ? Field
  : Part extends { readonly components: readonly (infer Field)[] }
    ? Field
    : never

type Chosen<Field> = Field extends { readonly options: readonly (infer Option)[] }
  ? Option extends { readonly value: infer Value }
    ? Value
    : never
  : never

/** Values of fields by type. */
interface Values<Field> {
  3: readonly Chosen<Field>[]
  4: string
  5: readonly ChosenUser[]
  6: readonly Role[]
  7: readonly (ChosenUser | ChosenRole)[]
  8: readonly ResolvedChannel[]
  19: readonly Attachment[]
  21:
    | Chosen<Field>
    | (Field extends { readonly type: unknown; readonly required?: true | undefined } ? never : undefined)
  22: readonly Chosen<Field>[]
  23: boolean
}

/**
 * Values of a submitted modal by `custom_id`: a text, the chosen options, users, roles and channels with their objects, files, or a boolean
 * for a checkbox. A text that was left empty is `''`, and a radio group that is not `required` may be undefined.
 */
export type ModalValues<D extends ModalBody> = {
  readonly [
    Field in FieldOf<D['components'][number]> as Field extends { readonly custom_id: infer Id extends string }
      ? Id
      : never
  ]: Field extends { readonly type: infer Type extends keyof Values<Field> } ? Values<Field>[Type] : never
}

/**
 * Combines a modal with its handler, which receives the submitted `values` with the types of the definition. A `custom_id` that goes on after
 * a colon reaches the same handler: `report:42` is a modal `report`, and `interaction.customId` is the whole.
 *
 * @throws ValidationError `invalid_body` for a modal that the service would refuse. @throws ConfigurationError `invalid_argument` for a
 * missing handler, from plain JavaScript.
 * @example
 * ```ts
 * const report = defineModal(
 *   {
 *     custom_id: 'report',
 *     title: 'Report',
 *     components: [{ type: 18, label: 'Why?', component: { type: 4, custom_id: 'why', style: 2 } }],
 *   },
 *   ({ values }) => ({ content: `Thank you: ${values.why}`, ephemeral: true }),
 * )
 * ```
 */
export function defineModal<const D extends ModalBody>(
  definition: D,
  handler: (interaction: ModalInteraction<ModalValues<D>>) => HandlerResult | Promise<HandlerResult>,
  options?: CommandOptions,
): DefinedModal<D>
export function defineModal(
  definition: ModalBody,
  run: DefinedModal['run'],
  options?: CommandOptions,
): DefinedModal {
  requireRecord(definition, 'definition')
  refuse('invalid_body', validateModal(definition))
  const { visibility } = takeOptions({ ...options }, ['visibility'])
  requireVisibility(visibility)
  if (typeof run !== 'function')
    throw new ConfigurationError('invalid_argument', `${definition.custom_id}: no handler`)
  return { definition, run, ...(visibility && { visibility }) }
}

/** Modals by `custom_id`. @throws ConfigurationError `invalid_argument` for duplicates, and for objects not created by `defineModal`. */
export function indexModals(list: readonly DefinedModal[]): ReadonlyMap<string, DefinedModal> {
  if (!Array.isArray(list)) throw new ConfigurationError('invalid_argument', 'modals: a list')
  const modals = new Map<string, DefinedModal>()
  for (const [index, modal] of list.entries()) {
    if (typeof modal?.run !== 'function')
      throw new ConfigurationError('invalid_argument', `modals[${index}]: made by defineModal`)
    const { custom_id: id } = modal.definition
    if (modals.has(id)) throw new ConfigurationError('invalid_argument', `modals: ${id} is defined twice`)
    modals.set(id, modal)
  }
  return modals
}

/** The modal with this `custom_id`, or else with the longest part of it that ends before a colon. */
export function findModal(
  modals: ReadonlyMap<string, DefinedModal>,
  customId: string,
): DefinedModal | undefined {
  const found = modals.get(customId)
  const colon = customId.lastIndexOf(':')
  return found ?? (colon > 0 ? findModal(modals, customId.slice(0, colon)) : undefined)
}

/** Fields of a modal, without their labels. */
export const fieldsOfModal = ({ components }: ModalBody): readonly ModalField[] =>
  components.flatMap((part): readonly ModalField[] =>
    'component' in part ? [part.component] : 'components' in part ? part.components : [],
  )
