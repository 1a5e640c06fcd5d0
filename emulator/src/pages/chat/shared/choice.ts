/** Choices of a select of any kind: its own options, or the users, roles and channels that the player sees. */
import type { View } from './chat-data.js'
import { listOf, PART, type ComponentData, type EmojiData } from './wire-parts.js'

export interface Choice {
  label: string
  value: string
  description?: string | undefined
  emoji?: EmojiData | undefined
  /** Picture beside the name. */
  avatar?: string
}

const SELECTS = new Set<number>([
  PART.stringSelect,
  PART.userSelect,
  PART.roleSelect,
  PART.mentionableSelect,
  PART.channelSelect,
])

export function isSelect({ type }: ComponentData): boolean {
  return SELECTS.has(type)
}

export function choicesOf(
  { type, options, channel_types: types }: ComponentData,
  { people, roles, places }: View,
): Choice[] {
  const users = people.map(({ id, name, username }) => ({
    value: id,
    label: name,
    description: username,
    avatar: `/avatars/${id}.svg`,
  }))
  const named = roles.map(({ id, name }) => ({ value: id, label: `@${name}` }))
  if (type === PART.userSelect) return users
  if (type === PART.roleSelect) return named
  if (type === PART.mentionableSelect) return [...users, ...named]
  if (type === PART.channelSelect)
    return places
      .filter((place) => listOf(types).length === 0 || listOf(types).includes(place.type))
      .map(({ id, name }) => ({ value: id, label: `#${name}` }))
  return listOf(options).map(({ label, value, description, emoji }) => ({ label, value, description, emoji }))
}

/** Values that are chosen at first. */
export function chosenAtFirst({ options, default_values: defaults }: ComponentData): string[] {
  const own = listOf(options).flatMap((option) => (option.default === true ? [option.value] : []))
  return [...own, ...listOf(defaults).map(({ id }) => id)]
}

/** Smallest and largest number of values. */
export function boundsOf({ min_values: least = 1, max_values: most = 1 }: ComponentData): {
  least: number
  most: number
} {
  return { least, most }
}
