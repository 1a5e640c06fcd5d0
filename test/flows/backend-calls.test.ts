/** Calls of a backend about Activities, invites and moderation, against the emulator. */
import { createEmulator, type Emulator } from 'foyer-emulator'
import { ApplicationClient, botToken, ValidationError } from 'foyer-sdk/server'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findPlayer } from '../support/find-player'
import { LobbyGame } from '../support/lobby-game'

const GUILD = {
  id: '319560327719026710',
  name: 'The Workshop',
  ownerId: '175928847299117063',
  channels: [{ id: '319560327719026711', name: 'lobby-talk', type: 0 }],
}
let emulator: Emulator
let backend: ApplicationClient
let game: LobbyGame

beforeEach(async () => {
  emulator = await createEmulator({ seed: { guilds: [GUILD] }, activityUrl: 'http://localhost:9/game/', activityPort: 0 })
  const { id: applicationId, botToken: token } = emulator.application
  backend = new ApplicationClient({ applicationId, service: { host: emulator.url }, credentials: botToken(token) })
  game = new LobbyGame(emulator)
})
afterEach(async () => {
  game.close()
  backend.close()
  await emulator.close()
})

const idOf = (as: string) => findPlayer(emulator, as).id
const issuesOf = (call: Promise<unknown>) => call.catch((error: unknown) => (error instanceof ValidationError ? error.issues : error))

describe('a backend', () => {
  it('reads who takes part in an Activity, and null if there is none', async () => {
    const { instanceId } = emulator.activity.launch({ as: ['ada', 'bruno'] })
    const instance = await backend.activityInstances.get(instanceId)
    expect(instance).toMatchObject({ instance_id: instanceId, users: [idOf('ada'), idOf('bruno')], location: { kind: 'gc' } })
    expect(await backend.activityInstances.get('i-1-gc-2-3')).toBe(null)
    for (const odd of ['', '../x', 'a/b', 'x'.repeat(129)]) expect(await issuesOf(backend.activityInstances.get(odd))).toHaveLength(1)
  })

  it('invites a member of a linked lobby', async () => {
    const ada = await game.player('ada')
    const { id } = await backend.lobbies.create({ members: [{ id: idOf('ada'), flags: 1 }] })
    await expect(backend.lobbies.createInvite(id, idOf('ada'))).rejects.toMatchObject({ status: 400 })
    await ada.linkChannelToLobby(id, GUILD.channels[0]?.id ?? '')
    expect(await backend.lobbies.createInvite(id, idOf('ada'))).toEqual({ code: expect.stringMatching(/^[\w-]+$/) })
  })

  it('attaches moderation metadata that members see, after a check', async () => {
    const ada = await game.player('ada')
    const { id } = await ada.createOrJoinLobby('moon')
    const { id: messageId } = await ada.sendLobbyMessage(id, 'rude')
    await backend.lobbies.setModerationMetadata(id, { messageId, metadata: { hidden: 'true' } })
    expect((await ada.getLobbyMessagesWithLimit(id, 1))[0]?.moderationMetadata).toEqual({ hidden: 'true' })
    const many = Object.fromEntries(Array.from({ length: 6 }, (_, index) => [String(index), 'x']))
    for (const metadata of [many, { a: 'x'.repeat(2001) }, { ['k'.repeat(1025)]: 'x' }, { a: 1 } as never, null as never])
      expect(await issuesOf(backend.lobbies.setModerationMetadata(id, { messageId, metadata }))).toHaveLength(1)
  })
})
