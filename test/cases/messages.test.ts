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

  it.each([
    [
      'components[0]',
      "{ type: 1, components: [{ type: 2, style: 1, custom_id: 'play', label: 'Play' }] }",
      validateMessage({ components: ['Play'] }),
    ],
    [
      'components[0].components[0]',
      "{ type: 2, style: 1, custom_id: 'play', label: 'Play' }",
      validateMessage({ components: [{ type: 1, components: ['Play'] }] }),
    ],
    [
      'components[0]',
      "{ type: 18, label: 'Name', component: { type: 4, custom_id: 'name', style: 1 } }",
      validateModal({ custom_id: 'form', title: 'Form', components: ['Name'] }),
    ],
  ])('answers a text at %s with the component to write', (path, example, issues) => {
    expect(issues).toMatchObject([{ path, message: `must be ${example}` }])
  })

  it('accepts the components that it tells to write', () => {
    const button = { type: 2, style: 1, custom_id: 'play', label: 'Play' }
    expect(validateMessage({ components: [{ type: 1, components: [button] }] })).toEqual([])
    const component = { type: 4, custom_id: 'name', style: 1 }
    const components = [{ type: 18, label: 'Name', component }]
    expect(validateModal({ custom_id: 'form', title: 'Form', components })).toEqual([])
  })
})
