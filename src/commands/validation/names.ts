/** Which texts may be names, descriptions and choices, and what is wrong with those that may not (S:44-48). */
import { CHOICE_NAME, COMMAND_NAME, DESCRIPTION } from '../limits'
import type { ValidationContext } from './validation-context'

/** What a text of one kind must be, with or without translations. */
export interface TextRule {
  readonly field: 'name' | 'description'
  readonly dictionary: 'name_localizations' | 'description_localizations'
  readonly min: number
  readonly max: number
  /** `plain`: nothing but its length counts. */
  readonly kind: 'plain' | 'slash' | 'menu'
}

const NAME = { field: 'name', dictionary: 'name_localizations' } as const

/** Of slash commands and of all options: rules 1 and 2 of S:45-46. */
export const SLASH_NAME: TextRule = { ...NAME, ...COMMAND_NAME, kind: 'slash' }
/** Of user, message and entry-point commands: mixed case and blanks are welcome (S:47). */
export const MENU_NAME: TextRule = { ...NAME, ...COMMAND_NAME, kind: 'menu' }
/** Of a command whose type is not known: what holds for every type. */
export const SOME_NAME: TextRule = { ...NAME, ...COMMAND_NAME, kind: 'plain' }
export const CHOICE_LABEL: TextRule = { ...NAME, ...CHOICE_NAME, kind: 'plain' }
export const DESCRIPTION_TEXT: TextRule = {
  field: 'description',
  dictionary: 'description_localizations',
  ...DESCRIPTION,
  kind: 'plain',
}

/** `u` counts code points; the `v` flag refuses the class as the interface writes it. */
const FOREIGN = /[^-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]/gu
// eslint-disable-next-line no-control-regex -- this is what it looks for
const CONTROL = /[\0-\x1f\x7f-\x9f\u2028\u2029]/

/** Tells quickly of most texts that there is nothing to say of them. */
export function isFine(text: unknown, { kind, min, max }: TextRule): text is string {
  if (typeof text !== 'string' || text.length < min || text.length > max) return false
  return kind === 'plain' || (kind === 'slash' && isPlainName(text))
}

/** Of a-z 0-9 - _ ': what most names are, several times faster than an expression. */
function isPlainName(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    const isLetter = unit >= 97 && unit <= 122
    if (!isLetter && !(unit >= 48 && unit <= 57) && unit !== 45 && unit !== 95 && unit !== 39) return false
  }
  return true
}

/** Notes everything that is wrong with a text, or to think about. `field` may be the key of a dictionary. */
export function explainText(text: unknown, rule: TextRule, { context, field }: { context: ValidationContext; field: string }): void {
  if (typeof text !== 'string') return context.wrongType('text', field)
  context.length(text, rule, field)
  if (rule.kind === 'slash') {
    const allowed = text.replace(FOREIGN, '')
    if (allowed !== text) context.error('name_characters', field)
    if (allowed.toLowerCase() !== allowed) context.error('name_capitals', field, { expected: text.toLowerCase() })
  } else if (rule.kind === 'menu') {
    const trimmed = text.trim()
    if (text && !trimmed) return context.error('name_blank', field)
    if (trimmed !== text) context.warn('untrimmed', field)
    if (CONTROL.test(text)) context.warn('control_character', field)
  }
}
