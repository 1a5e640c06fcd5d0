/** Bodies of interaction calls: the message that is sent, and the message or Activity that comes back. */
import { expect, it } from 'vitest'
import { instanceId, prepareMessage, requireMessage } from '../../support/internals'
import { rejection } from '../../support/settle'

it.each([
  ['Hi', undefined],
  [{ content: 'Hi' }, undefined],
  [{ content: 'Hi', ephemeral: false }, undefined],
  [{ content: 'Hi', ephemeral: true }, 64],
  [{ content: 'Hi', ephemeral: true, flags: 4 }, 68],
])('the message %j has the flags %j', (message, flags) => {
  expect(prepareMessage(message).body.value).toEqual({ content: 'Hi', ...(flags && { flags }) })
})

const activity = (id: unknown) => ({ resource: { activity_instance: { id } } })

it('a response with a message is that message, and one with an Activity is its instance', () => {
  expect(requireMessage({ id: '1' }, 'POST /x')).toEqual({ id: '1' })
  expect(instanceId({ interaction: { activity_instance_id: 'a' }, ...activity('b') })).toBe('a')
  expect(instanceId(activity('b'))).toBe('b')
})

it.each([undefined, null, {}, { id: 1 }])('the response %j has no message', async (body) => {
  expect(await rejection(() => requireMessage(body, 'POST /x'))).toMatchObject({
    code: 'malformed_response',
    expected: 'a message',
  })
})

it.each([undefined, {}, { interaction: {} }, activity(7)])(
  'the response %j has no Activity',
  async (body) => {
    expect(await rejection(() => instanceId(body))).toMatchObject({ code: 'instance_unknown' })
  },
)
