/** Finds components in a message. */
import { fieldsOf } from '../foundation/type-guards.js'

/** The component with this `custom_id`, at any depth, unless it is disabled. */
export function findComponent(components: unknown, customId: string): Record<string, unknown> | undefined {
  if (!Array.isArray(components)) return undefined
  for (const item of components) {
    const component = fieldsOf(item)
    const { custom_id: own, type, components: inner, accessory, disabled } = component
    if (own === customId && typeof type === 'number' && disabled !== true) return component
    const found = findComponent(inner, customId) ?? (accessory === undefined ? undefined : findComponent([accessory], customId))
    if (found !== undefined) return found
  }
  return undefined
}
