/** Measures a slash command: what counts towards its 8000 characters (S:358). */
import { isRecord } from '../../foundation/encoding'
import type { ApplicationCommand, ApplicationCommandOption, ApplicationCommandOptionChoice } from '../../wire/command'
import { countCharacters } from './characters'
import { COMMAND_SIZE, OPTIONS } from '../limits'
import { isObject } from './validation-context'

/** Where the characters of a command went. */
export interface CommandSize {
  /** Of the whole command. */
  total: number
  /** The most that `total` may be. */
  limit: number
  /** What is left; negative when the command is too large. */
  left: number
  /** Of all names: of the command, its options and choices. */
  names: number
  descriptions: number
  /** Of choice values that are texts; numbers count nothing. */
  values: number
}

/** Names, descriptions and text values of a command; of each the longest variant, translations included. Reads any input. */
export function measureCommand(body: unknown): CommandSize {
  const size = { names: 0, descriptions: 0, values: 0 }
  try {
    if (isObject<keyof ApplicationCommand>(body) && (body.type === undefined || body.type === 1)) {
      addTexts(body, size)
      for (const option of list(body.options)) addOption(option, size, 1)
    }
  } catch {
    // What cannot be read counts nothing; `validateCommand` says that it cannot.
  }
  const total = size.names + size.descriptions + size.values
  return { total, limit: COMMAND_SIZE, left: COMMAND_SIZE - total, ...size }
}

type Sums = Pick<CommandSize, 'names' | 'descriptions' | 'values'>

function addOption(option: unknown, size: Sums, depth: number): void {
  if (!isObject<keyof ApplicationCommandOption>(option)) return
  addTexts(option, size)
  for (const choice of list(option.choices)) {
    if (!isObject<keyof ApplicationCommandOptionChoice>(choice)) continue
    size.names += longest(choice.name, choice.name_localizations)
    if (typeof choice.value === 'string') size.values += countCharacters(choice.value)
  }
  // A group holds subcommands, and those hold options: nothing is deeper.
  if (depth < 3) for (const inner of list(option.options)) addOption(inner, size, depth + 1)
}

function addTexts(owner: Readonly<Partial<Record<`${'name' | 'description'}${'' | '_localizations'}`, unknown>>>, size: Sums): void {
  size.names += longest(owner.name, owner.name_localizations)
  size.descriptions += longest(owner.description, owner.description_localizations)
}

function longest(text: unknown, dictionary: unknown): number {
  let most = typeof text === 'string' ? countCharacters(text) : 0
  if (!isRecord(dictionary)) return most
  for (const locale of Object.keys(dictionary)) {
    const variant = dictionary[locale]
    if (typeof variant === 'string') most = Math.max(most, countCharacters(variant))
  }
  return most
}

/** Everything in a list that is worth reading. */
function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, OPTIONS * 4) : []
}
