/** Rules for names, descriptions and choice names (docs/interface/commands.md#names). */
import { CHOICE_NAME, COMMAND_NAME, DESCRIPTION } from './command-limits'
import type { ValidationContext } from './validation-context'

/** Rule for a text and its translations. */
export interface TextRule {
  readonly field: 'name' | 'description'
  readonly dictionary: 'name_localizations' | 'description_localizations'
  readonly min: number
  readonly max: number
  /** `plain`: length only. `slash` and `menu`: see the names below. */
  readonly kind: 'plain' | 'slash' | 'menu'
}

const NAME = { field: 'name', dictionary: 'name_localizations' } as const

/** Names of slash commands and options: rules 1 and 2 of docs/interface/commands.md#names. */
export const SLASH_NAME: TextRule = { ...NAME, ...COMMAND_NAME, kind: 'slash' }
/** Names of user, message and entry point commands, with upper case and spaces (docs/interface/commands.md#names). */
export const MENU_NAME: TextRule = { ...NAME, ...COMMAND_NAME, kind: 'menu' }
/** Names of commands of unknown type: rules common to all types. */
export const SOME_NAME: TextRule = { ...NAME, ...COMMAND_NAME, kind: 'plain' }
export const CHOICE_LABEL: TextRule = { ...NAME, ...CHOICE_NAME, kind: 'plain' }
export const DESCRIPTION_TEXT: TextRule = {
  field: 'description',
  dictionary: 'description_localizations',
  ...DESCRIPTION,
  kind: 'plain',
}

/** Characters that are not allowed. `u` matches code points; the `v` flag does not accept this class. */
const NOT_ALLOWED = /[^-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]/gu
// eslint-disable-next-line no-control-regex -- this is what it looks for
const CONTROL = /[\0-\x1f\x7f-\x9f\u2028\u2029]/

/** Fast path: returns true if a text is valid without further checks. */
export function isFine(text: unknown, { kind, min, max }: TextRule): text is string {
  if (typeof text !== 'string' || text.length < min || text.length > max) return false
  return kind === 'plain' || isPlainName(text)
}

/** Matches a-z 0-9 - _ ', several times faster than a regular expression. */
function isPlainName(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    const isLetter = unit >= 97 && unit <= 122
    if (!isLetter && !(unit >= 48 && unit <= 57) && unit !== 45 && unit !== 95 && unit !== 39) return false
  }
  return true
}

/** Adds every issue of a text. `field` may be the key of a dictionary. */
export function explainText(
  text: unknown,
  rule: TextRule,
  { context, field }: { context: ValidationContext; field: string },
): void {
  if (typeof text !== 'string') return context.wrongType('a string', field)
  context.length(text, rule, field)
  if (rule.kind === 'slash') {
    const allowed = text.replace(NOT_ALLOWED, '')
    if (allowed !== text) context.error('name_characters', field)
    if (allowed.toLowerCase() !== allowed)
      context.error('name_capitals', field, { expected: text.toLowerCase() })
  } else if (rule.kind === 'menu') {
    const trimmed = text.trim()
    if (text && !trimmed) return context.error('name_blank', field)
    if (trimmed !== text) context.warn('untrimmed', field)
    if (CONTROL.test(text)) context.warn('control_character', field)
  }
}
