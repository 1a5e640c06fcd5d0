/** Entry `foyer-emulator/vitest`: fixtures for tests of a game without a page. @module foyer-emulator/vitest */
import { test as base } from 'vitest'
import {
  createTestEmulator,
  describeRequests,
  firstPlayers,
  type TestEmulator,
  type TestEmulatorOptions,
} from '../testing/test-emulator.js'
import { EmulatorError } from '../../foundation/emulator-error.js'
import type { Emulator } from '../../api/control/emulator.js'

export type { TestEmulatorOptions } from '../testing/test-emulator.js'

/** Options that a client of the game needs. */
export interface PlayerSettings {
  applicationId: string
  service: { host: string }
}

/** A client that `players` can sign in, such as `Client` of `foyer-sdk`. */
export interface PlayerClient {
  signIn(options: {
    surface: { redirectUri(): string; open(url: string): Promise<string> }
  }): Promise<unknown>
  close(): void
}

/** Creates the clients of the first players of the seed, signed in by the real exchange; closed after the test. */
export type Players = <Client extends PlayerClient>(
  count: number,
  create: (settings: PlayerSettings) => Client,
) => Promise<Client[]>

/** Fixtures of a test. */
export interface GameFixtures {
  /** The file's emulator. Each test begins with the same state, clock and limits, without faults and without earlier requests. */
  emulator: Emulator
  /** Signs players in. */
  players: Players
}

interface FileFixtures {
  testEmulator: TestEmulator
}

/**
 * Creates a `test` whose emulator has these options. Call it at the top of a file, not in a `describe`.
 *
 * @example
 * ```ts
 * const test = gameTest({ seed: 'seed.json', limits: 'off' })
 * ```
 */
// oxlint-disable-next-line typescript/explicit-module-boundary-types -- the type is that of Vitest's own extend
export function gameTest(options?: TestEmulatorOptions) {
  return base.extend<GameFixtures & FileFixtures>({
    testEmulator: [
      // oxlint-disable-next-line no-empty-pattern -- Vitest reads the names of the fixtures from the pattern
      async ({}, use) => {
        const made = await createTestEmulator(options)
        await use(made)
        await made.emulator.close()
      },
      { scope: 'file' },
    ],
    emulator: async ({ testEmulator, onTestFailed }, use) => {
      const { emulator } = testEmulator
      testEmulator.restore()
      // Vitest shows it with the test. It takes no annotation of a test that has failed.
      onTestFailed(() => console.error(`Requests to the emulator:\n${describeRequests(emulator)}`))
      await use(emulator)
    },
    players: async ({ emulator }, use) => {
      const clients: PlayerClient[] = []
      await use(async (count, create) => {
        if (typeof create !== 'function') throw new EmulatorError('invalid_setting', CREATE)
        return Promise.all(
          firstPlayers(emulator, count).map(async ({ id }) => {
            const client = create({ applicationId: emulator.application.id, service: { host: emulator.url } })
            if (typeof client?.signIn !== 'function') throw new EmulatorError('invalid_setting', CREATE)
            clients.push(client)
            await client.signIn({ surface: surfaceOf(emulator, id) })
            return client
          }),
        )
      })
      for (const client of clients) client.close()
    },
  })
}

const CREATE = 'Return a client for each player: players(2, (settings) => new Client(settings))'

/** Approves on the emulator's consent page. */
const surfaceOf = (emulator: Emulator, as: string) => ({
  redirectUri: () => emulator.application.redirectUris.find((uri) => uri.startsWith('http')) ?? '',
  open: async (url: string) => (await emulator.authorize(url, { as })).redirect,
})

/**
 * Vitest's `test` with the fixtures `emulator` and `players`. A failed test prints the requests with the rules that refused them.
 *
 * @example
 * ```ts
 * import { Client } from 'foyer-sdk'
 * import { test } from 'foyer-emulator/vitest'
 * import { expect } from 'vitest'
 *
 * test('two players meet', async ({ players }) => {
 *   const [ada, ben] = await players(2, (settings) => new Client(settings))
 *   const { id } = await ada.createOrJoinLobby('moon')
 *   expect((await ben.createOrJoinLobby('moon')).id).toBe(id)
 * })
 * ```
 */
export const test = gameTest()
