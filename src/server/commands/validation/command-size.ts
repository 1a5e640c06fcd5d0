/** Measures the size of a slash command against its limit of 8000 characters (docs/interface/commands.md#limits). */
import { isRecord } from '../../../shared/foundation/untrusted-values'
import type {
  ApplicationCommand,
  ApplicationCommandOption,
  ApplicationCommandOptionChoice,
} from '../../../shared/wire/command'
import { countCharacters } from '../../../shared/foundation/rules'
import { COMMAND_SIZE, OPTIONS } from './command-limits'
import { isObject } from './validation-rules'

/** Size of a command in characters. */
export interface CommandSize {
  /** Size of the whole command. */
  total: number
  /** Maximum of `total`. */
  limit: number
  /** Remaining characters; negative if the command is too large. */
  left: number
  /** Names of the command, its options and choices. */
  names: number
  /** Descriptions of the command and its options. */
  descriptions: number
  /** String values of choices; numbers do not count. */
  values: number
}

/**
 * Measures names, descriptions and string values of a command, with the longest translation of each. Accepts any value and never throws.
 */
export function measureCommand(body: unknown): CommandSize {
  const size = { names: 0, descriptions: 0, values: 0 }
  try {
    if (isObject<keyof ApplicationCommand>(body) && (body.type === undefined || body.type === 1)) {
      addTexts(body, size)
      for (const option of list(body.options)) addOption(option, size, 1)
    }
  } catch {
    // Unreadable parts do not count; `validateCommand` reports them.
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
  // Command, group and subcommand are the maximum nesting.
  if (depth < 3) for (const inner of list(option.options)) addOption(inner, size, depth + 1)
}

function addTexts(
  owner: Readonly<Partial<Record<`${'name' | 'description'}${'' | '_localizations'}`, unknown>>>,
  size: Sums,
): void {
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

/** Returns the elements of a list, up to a maximum. */
function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, OPTIONS * 4) : []
}
