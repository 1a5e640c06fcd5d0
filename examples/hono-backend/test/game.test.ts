// `npm test` starts the emulator of the service, and signs players in by the real exchange.
import { test } from 'foyer-emulator/vitest'
import { Client } from 'foyer-sdk'
import { expect } from 'vitest'

test('a player signs in', async ({ players }) => {
  const [ada] = await players(1, (settings) => new Client(settings))
  expect(ada.session?.user.displayName).toBe('Ada Quinn')
})
