/** Finds components in a message. */

/** Type of the component with this id, at any depth. */
export function findComponent(components: unknown, id: string): number | undefined {
  if (!Array.isArray(components)) return undefined
  for (const item of components) {
    if (item === undefined) continue
    const { custom_id: own, type, components: inner, accessory, disabled } = Object(item)
    if (own === id && typeof type === 'number' && disabled !== true) return type
    const found = findComponent(inner, id) ?? findComponent([accessory], id)
    if (found !== undefined) return found
  }
  return undefined
}
