/** Which texts may be names, descriptions and choices, and what is wrong with those that may not (S:44-48). */
import { countCharacters, hasLength } from './characters'
import { CHOICE_NAME, COMMAND_NAME, DESCRIPTION } from './limits'
import type { Place } from './place'

/** What a text of one kind must be, with or without translations. */
export interface TextRule {
  readonly field: 'name' | 'description'
  readonly dictionary: 'name_localizations' | 'description_localizations'
  /** Quick: most texts are right. */
  readonly accepts: (text: string) => boolean
  /** Notes everything that is wrong with a text that was not accepted, or to think about. `field` may be the key of a dictionary. */
  readonly explain: (text: string, place: Place, field: string) => void
}

/** Of slash commands and of all options: rules 1 and 2 of S:45-46. */
export const SLASH_NAME: TextRule = {
  field: 'name',
  dictionary: 'name_localizations',
  accepts: (text) => isPlainName(text) || (NAME.test(text) && text.toLowerCase() === text),
  explain(text, place, field) {
    noteLength(text, COMMAND_NAME, { place, field })
    const allowed = text.replace(FOREIGN, '')
    if (allowed !== text) place.note('name_characters', field)
    if (allowed.toLowerCase() !== allowed) place.note('name_capitals', field, { expected: text.toLowerCase() })
  },
}

/** Of user, message and entry-point commands: mixed case and blanks are welcome (S:47). */
export const MENU_NAME: TextRule = {
  field: 'name',
  dictionary: 'name_localizations',
  accepts: (text) => hasLength(text, COMMAND_NAME) && text.trim() === text && !CONTROL.test(text),
  explain(text, place, field) {
    noteLength(text, COMMAND_NAME, { place, field })
    if (text !== '' && text.trim() === '') return place.note('name_blank', field)
    if (text.trim() !== text) place.note('untrimmed', field)
    if (CONTROL.test(text)) place.note('control_character', field)
  },
}

/** Of a command whose type is not known: what holds for every type. */
export const SOME_NAME: TextRule = {
  field: 'name',
  dictionary: 'name_localizations',
  accepts: (text) => hasLength(text, COMMAND_NAME),
  explain: (text, place, field) => noteLength(text, COMMAND_NAME, { place, field }),
}

export const DESCRIPTION_TEXT: TextRule = {
  field: 'description',
  dictionary: 'description_localizations',
  accepts: (text) => hasLength(text, DESCRIPTION),
  explain: (text, place, field) => noteLength(text, DESCRIPTION, { place, field }),
}

export const CHOICE_LABEL: TextRule = {
  field: 'name',
  dictionary: 'name_localizations',
  accepts: (text) => hasLength(text, CHOICE_NAME),
  explain: (text, place, field) => noteLength(text, CHOICE_NAME, { place, field }),
}

/** Flags: `u` counts code points; the `v` flag refuses the class as the interface writes it. */
const NAME = /^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]{1,32}$/u
const FOREIGN = /[^-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]/gu
// eslint-disable-next-line no-control-regex -- this is what it looks for
const CONTROL = /[\0-\x1f\x7f-\x9f\u2028\u2029]/

/** 1 to 32 of a-z 0-9 - _ ': what most names are, several times faster than the expression. */
function isPlainName(text: string): boolean {
  const { length } = text
  if (length === 0 || length > 32) return false
  for (let i = 0; i < length; i++) {
    const unit = text.charCodeAt(i)
    const isLetter = unit >= 97 && unit <= 122
    if (!isLetter && !(unit >= 48 && unit <= 57) && unit !== 45 && unit !== 95 && unit !== 39) return false
  }
  return true
}

function noteLength(text: string, limits: { min: number; max: number }, { place, field }: { place: Place; field: string }): void {
  if (!hasLength(text, limits)) place.note('length', field, { ...limits, actual: countCharacters(text) })
}
