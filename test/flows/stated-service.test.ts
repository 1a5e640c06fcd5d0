/** The calls of a game's backend at a service that gives only what the interface states. */
import { type ApplicationClient, ApplicationClient as Client, botToken } from 'foyer-sdk/server'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Openness, StatedService } from '../support/stated-service'

const GUILD = '7'

async function open(openness: Openness): Promise<ApplicationClient> {
  const service = new StatedService(openness)
  const client = new Client({
    applicationId: '6',
    credentials: botToken('a.b.c'),
    service: { host: await service.open() },
  })
  onTestFinished(async () => {
    client.close()
    await service.close()
  })
  return client
}

type Call = readonly [name: string, run: (client: ApplicationClient) => Promise<unknown>]

const newLobby = async ({ lobbies }: ApplicationClient) =>
  (await lobbies.create({ members: [{ id: '9' }] })).id
const newCommand = async ({ commands }: ApplicationClient) =>
  (await commands.global.create({ name: 'ping', description: 'Replies' })).command.id

const STATED: readonly Call[] = [
  ['commands list', ({ commands }) => commands.global.list()],
  ['commands create', newCommand],
  ['commands get', async (client) => client.commands.global.get(await newCommand(client))],
  [
    'commands edit',
    async (client) =>
      client.commands.global.edit(await newCommand(client), { description: 'Replies with pong' }),
  ],
  ['commands delete', async (client) => client.commands.global.delete(await newCommand(client))],
  [
    'commands overwrite',
    ({ commands }) => commands.guild(GUILD).overwrite([{ name: 'ping', description: 'Replies' }]),
  ],
  ['permissions list', ({ commands }) => commands.permissions(GUILD).list()],
  ['permissions get', ({ commands }) => commands.permissions(GUILD).get('100')],
  ['lobbies create', newLobby],
  ['lobbies get', async (client) => client.lobbies.get(await newLobby(client))],
  [
    'lobbies edit',
    async (client) => client.lobbies.edit(await newLobby(client), { metadata: { map: 'moor' } }),
  ],
  ['lobbies delete', async (client) => client.lobbies.delete(await newLobby(client))],
  [
    'lobbies putMember',
    async (client) => client.lobbies.putMember(await newLobby(client), { id: '10', flags: 1 }),
  ],
  ['lobbies removeMember', async (client) => client.lobbies.removeMember(await newLobby(client), '9')],
]
/** The interface does not show these: a service without them answers 404. */
const UNSTATED: readonly Call[] = [
  [
    'lobbies updateMembers',
    async (client) => client.lobbies.updateMembers(await newLobby(client), [{ id: '9' }]),
  ],
  ['lobbies createInvite', async (client) => client.lobbies.createInvite(await newLobby(client), '9')],
  [
    'lobbies setModerationMetadata',
    async (client) =>
      client.lobbies.setModerationMetadata(await newLobby(client), { messageId: '1', metadata: {} }),
  ],
]

describe.each<Openness>([
  {},
  { namesApplication: true },
  { emptyStatus: 200 },
  { hasNulls: true },
  { hasTextErrors: true },
  { namesApplication: true, emptyStatus: 200, hasNulls: true, hasTextErrors: true },
])('at a service with %j', (openness) => {
  it.each(STATED)('works: %s', async (_, run) => {
    await expect(run(await open(openness))).resolves.not.toThrow()
  })

  it.each(UNSTATED)('is unknown, with its status: %s', async (_, run) => {
    await expect(run(await open(openness))).rejects.toMatchObject({
      name: 'ApiError',
      status: 404,
      code: 'http_404',
    })
  })

  it('a lobby has the application, the members and the metadata that it was given', async () => {
    const { lobbies } = await open(openness)
    const { id } = await lobbies.create({ metadata: { map: 'moor' }, members: [{ id: '9', flags: 1 }] })
    const lobby = { id, application_id: '6', metadata: { map: 'moor' }, members: [{ id: '9', flags: 1 }] }
    expect(await lobbies.get(id)).toMatchObject(lobby)
    expect(await lobbies.updateMetadata(id, () => ({ round: '1' }))).toMatchObject({
      metadata: { map: 'moor', round: '1' },
    })
    await lobbies.delete(id)
    await expect(lobbies.get(id)).rejects.toMatchObject({ status: 404 })
  })

  it('commands are synchronized once', async () => {
    const { commands } = await open(openness)
    const desired = [{ name: 'ping', description: 'Replies' }]
    expect((await commands.global.sync(desired)).requests).toBeGreaterThan(1)
    expect((await commands.global.sync(desired)).requests).toBe(1)
  })
})
