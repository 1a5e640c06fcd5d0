/** A hub whose client has no access: it is refused at its start, or says with the first read what is wrong. */
import { createEmulator, type Emulator } from 'foyer-emulator'
import {
  ApplicationClient,
  botToken,
  clientCredentials,
  clientSecret,
  createLobbyHub,
  type ApplicationClientOptions,
  type LobbyHub,
  type VerifyPlayer,
} from 'foyer-sdk/server'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'

const LOBBY = '1287654321098765433'
const NO_ACCESS = 'Lobbies need botToken(…): client credentials have no access'

let emulator: Emulator
beforeAll(async () => {
  emulator = await createEmulator()
})
afterAll(() => emulator.close())

function clientWith(credentials: ApplicationClientOptions['credentials']): ApplicationClient {
  const client = new ApplicationClient({
    applicationId: emulator.application.id,
    service: { host: emulator.url },
    credentials,
  })
  onTestFinished(() => client.close())
  return client
}

/** A player whose token holds no name. */
const verify = (async () => ({ id: '11', expiresAt: 2 ** 52, claims: {} })) as unknown as VerifyPlayer
const KINDS: Record<string, () => ApplicationClientOptions['credentials']> = {
  clientSecret: () => clientSecret(emulator.application.clientSecret),
  clientCredentials: () =>
    clientCredentials({ clientId: emulator.application.id, clientSecret: emulator.application.clientSecret }),
}

it.each(Object.keys(KINDS))('%s is refused when the hub is created, as by each call', async (kind) => {
  const client = clientWith((KINDS[kind] ?? expect.unreachable)())
  expect(() => createLobbyHub({ client, verify })).toThrow(NO_ACCESS)
  await expect(client.lobbies.get(LOBBY)).rejects.toThrow(/Lobbies need botToken|pass botToken/)
})

/** Calls of a hub that nobody waits for, and what causes each. */
const CALLS: Record<string, (hub: LobbyHub) => unknown> = {
  'lobbies.get': (hub) => hub.changed(LOBBY),
  'users.get': (hub) => hub(new Request('https://game.test/lobbies')),
}

it.each(Object.keys(CALLS))('a wrong bot token is an error of the log, once for %s', async (call) => {
  const log = vi.fn<(...entry: unknown[]) => void>()
  const hub = createLobbyHub({ client: clientWith(botToken('of-another-application')), verify, logger: log })
  onTestFinished(() => hub.close())
  void CALLS[call]?.(hub)
  void CALLS[call]?.(hub)
  const told = () => log.mock.calls.filter(([, step]) => step === 'lobby_hub.refused')
  await vi.waitFor(() => expect(told()).not.toHaveLength(0), { timeout: 5000 })
  expect(told()).toEqual([
    [
      'error',
      'lobby_hub.refused',
      { call, code: expect.any(String) as string, remedy: expect.stringContaining('bot token') as string },
    ],
  ])
})

it('without a logger the console says so', async () => {
  const print = vi.spyOn(console, 'warn').mockReturnValue()
  onTestFinished(() => print.mockRestore())
  const hub = createLobbyHub({ client: clientWith(botToken('of-another-application')), verify })
  onTestFinished(() => hub.close())
  void hub.changed(LOBBY)
  await vi.waitFor(() => expect(print).toHaveBeenCalledOnce(), { timeout: 5000 })
  expect(JSON.stringify(print.mock.calls)).toContain('Is the bot token that of this application')
})
