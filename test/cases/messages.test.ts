/** The SDK and messages: refuses the wrong ones before sending, with the place of the fault, and accepts the right ones. */
import { describe, expect, it } from 'vitest'
import { validateMessage, validateModal } from 'foyer-sdk/server'
import { type MessageCase, RIGHT, WRONG } from './messages'

const check = ({ kind, body, files }: MessageCase) =>
  kind === 'modal'
    ? validateModal(body)
    : validateMessage(files ? { ...Object(body), files } : body, { operation: kind })

describe('validation of messages and modals', () => {
  it.each(WRONG)('refuses $rule, with its path', (wrong) => {
    const issues = check(wrong)
    expect(issues.map(({ path }) => path)).toContain(wrong.path)
    expect(
      issues.filter(({ level, message }) => level !== 'error' || /\{\w+\}|undefined/.test(message)),
    ).toEqual([])
  })

  it.each(RIGHT)('accepts $rule', (right) => expect(check(right)).toEqual([]))
})
