// @vitest-environment jsdom
/** An emulator inside a test with the environment jsdom, whose globals are not those of the machine. */
import { expect, it } from 'vitest'
import { playWithEmulator } from '../../support/play-with-emulator'

it('signs a player in, and writes into a lobby', async () => {
  expect(typeof document).toBe('object')
  expect(await playWithEmulator()).toEqual({ author: 'ada', content: 'Hello' })
})
