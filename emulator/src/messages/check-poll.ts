/** Checks the poll and the allowed mentions of a message. */
import { REPEATED, REQUIRED, type ValidationContext } from '../api/validation-context.js'
import { checkEmoji, checkFlags, checkInteger, checkList, checkObject, checkSnowflake, invalid, isChoiceOf, needText } from './fields.js'

/** Hours of 32 days. */
const MAX_DURATION = 768

export function checkPoll(poll: unknown, at: ValidationContext): void {
  checkObject(poll, at, (fields) => {
    const { question, answers, duration, layout_type: layout } = fields
    if (question === undefined) at.at('question').addError(REQUIRED)
    else checkMedia(question, at.at('question'), 300)
    if (answers === undefined) at.at('answers').addError(REQUIRED)
    else
      checkList(answers, { at: at.at('answers'), least: 1, most: 10 }, (answer, spot) =>
        checkObject(answer, spot, ({ poll_media: media }) => {
          if (media === undefined) spot.at('poll_media').addError(REQUIRED)
          else checkMedia(media, spot.at('poll_media'), 55)
        }),
      )
    if (duration !== undefined) checkInteger(duration, at.at('duration'), [1, MAX_DURATION])
    checkFlags(fields, ['allow_multiselect'], at)
    if (layout !== undefined) isChoiceOf(layout, at.at('layout_type'), [1])
  })
}

function checkMedia(media: unknown, at: ValidationContext, most: number): void {
  checkObject(media, at, (fields) => {
    needText(fields, 'text', { at, least: 1, most, trims: true })
    // A question has a text only.
    if (fields['emoji'] !== undefined && most < 300) checkEmoji(fields['emoji'], at.at('emoji'))
  })
}

const MENTIONABLE = ['roles', 'users', 'everyone']

export function checkMentions(mentions: unknown, at: ValidationContext): void {
  checkObject(mentions, at, (fields) => {
    const { parse } = fields
    if (parse !== undefined)
      checkDistinct(parse, { at: at.at('parse'), most: 100 }, (kind, spot) => void isChoiceOf(kind, spot, MENTIONABLE))
    for (const kind of ['roles', 'users']) {
      const ids = fields[kind]
      if (ids !== undefined) checkDistinct(ids, { at: at.at(kind), most: 100 }, checkSnowflake)
      if (Array.isArray(parse) && parse.includes(kind) && Array.isArray(ids) && ids.length > 0) at.at('parse').addError(exclusive(kind))
    }
    checkFlags(fields, ['replied_user'], at)
  })
}

function checkDistinct(
  value: unknown,
  { at, most }: { at: ValidationContext; most: number },
  each: (item: unknown, at: ValidationContext) => void,
): void {
  const seen = new Set<unknown>()
  checkList(value, { at, most }, (item, spot) => {
    each(item, spot)
    if (seen.has(item)) spot.addError(REPEATED)
    seen.add(item)
  })
}

function exclusive(kind: string) {
  return invalid(
    'MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE',
    `parse:["${kind}"] and ${kind}: [ids...] are mutually exclusive.`,
    `must not hold ${kind} beside a list of ${kind}`,
  )
}
