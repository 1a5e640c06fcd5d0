/** A name that nobody has in a chat, of a command, an option, a player or a channel, is answered with those that are there. */
import { describe, expect, it } from 'vitest'
import { general, hello, useInteractions } from './support/use-interactions.js'

const harness = useInteractions()
const score = {
  name: 'score',
  description: 'Shows the score',
  options: [{ type: 3, name: 'of', description: 'Whose' }],
}
const team = {
  name: 'team',
  description: 'Teams',
  options: [{ type: 1, name: 'create', description: 'Creates one' }],
}

/** The reason why a use is refused. */
async function refusal(input: object): Promise<string> {
  await harness.connect(() => hello)
  await harness.register(score)
  await harness.register(team)
  const outcome = await harness.emulator.interactions.use({ as: 'ada', command: 'score', ...input })
  return outcome.because ?? outcome.kind
}

const typed = (focused: string) =>
  harness.emulator.interactions.type({ as: 'ada', command: 'score', focused })

describe('a player that uses', () => {
  it.each([
    [
      'a misspelt command',
      { command: 'scroe' },
      '"scroe" here (did you mean score?); there are Launch, score, team',
    ],
    ['a command with its slash', { command: '/score' }, 'did you mean score?'],
    ['a misspelt option', { options: [{ name: 'off', value: 'x' }] }, '"off" (did you mean of?); it has of'],
    [
      'another option',
      { options: [{ name: 'player', value: 'x' }] },
      'there is no option "player"; it has of',
    ],
    [
      'a misspelt subcommand',
      { command: 'team', options: [{ name: 'craete' }] },
      "one of create must be chosen (did you mean create?), such as options: [{ name: 'create', options: [] }]",
    ],
  ])('%s', async (_, input, says) => {
    expect(await refusal(input)).toContain(says)
  })

  it('an option with nothing typed in it is told where its value is', async () => {
    await refusal({})
    expect((await typed('of')).because).toContain(
      "options holds its value, such as [{ name: 'of', value: 'a' }]",
    )
    expect((await typed('off')).because).toContain('there is no option "off" (did you mean of?)')
  })

  it.each([
    [
      'the name of a channel',
      { as: 'ada', channel: 'general' },
      `channel takes an id, such as ${general} (general)`,
    ],
    ['the shown name of a player', { as: 'Ada Quinn' }, '(did you mean ada?)'],
    ['a misspelt player', { as: 'bruon' }, '(did you mean bruno?)'],
  ])('%s', (_, where, says) => {
    expect(() => harness.emulator.interactions.messages(where)).toThrow(says)
  })
})
