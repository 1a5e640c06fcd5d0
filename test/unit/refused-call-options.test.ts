/** Every call of clients and backends refuses an option that it does not know, whichever argument it is in, and no call is missing. */
import { describe, expect, test } from 'vitest'
import {
  BACKEND_ARGUMENTS,
  CallWorld,
  findFunction,
  openBackend,
  openPage,
  PAGE_ARGUMENTS,
} from '../support/public-calls'

/** Arguments that are data of somebody else, or sent as they are, by the call and the index of the argument. */
const DATA: Readonly<Record<string, string>> = {
  'authorize 0': 'what AuthorizationArgs holds: a page downloads no check of its names',
  'updateToken 0': 'a token response, as the backend keeps it',
  'lobbies.add 0': 'a lobby of the service',
  'activity.joinLobby 0': 'refused before, without a host window',
  'activity.connect 0': 'refused before, without a host window',
  'activity.fetchParticipants 0': 'refused before, without a host window',
  'backend.fetch 1': 'what fetch takes',
  'ApplicationClient.commands.global.create 0': 'a command',
  'ApplicationClient.commands.global.edit 1': 'a command',
  'ApplicationClient.commands.guild().create 0': 'a command',
  'ApplicationClient.commands.guild().edit 1': 'a command',
  'ApplicationClient.interactions.reply 0': 'an interaction',
  'ApplicationClient.interactions.defer 0': 'an interaction',
  'ApplicationClient.interactions.launchActivity 0': 'an interaction',
  'ApplicationClient.interactions.followUp 0': 'an interaction',
  'ApplicationClient.interactions.editReply 0': 'an interaction',
  'ApplicationClient.interactions.deleteReply 0': 'an interaction',
}

const isPlain = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

/** Each argument of each call that is an object written by the game. */
const objectsOf = (rows: Readonly<Record<string, () => unknown[]>>) =>
  Object.entries(rows).flatMap(([path, args]) =>
    args().flatMap((arg, index) =>
      isPlain(arg) && DATA[`${path} ${index}`] === undefined ? [{ path, index, args }] : [],
    ),
  )

interface Argument {
  readonly path: string
  readonly index: number
  readonly args: () => unknown[]
}

async function refusalOf(root: object, { path, index, args }: Argument, extra: object): Promise<unknown> {
  const given = args().map((arg, at) => (at === index ? { ...(arg as object), ...extra } : arg))
  return Promise.resolve()
    .then(() => findFunction(root, path).call(...given))
    .catch((error: unknown) => error)
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : 'no error')

describe('a call of a page', () => {
  test.each(objectsOf(PAGE_ARGUMENTS))('refuses an unknown option: $path $index', async (argument) => {
    const world = new CallWorld()
    const { client, lobby } = await openPage(world)
    const before = world.requests.length
    const root = argument.path.startsWith('lobby.') ? { lobby } : client
    expect(messageOf(await refusalOf(root, argument, { colour: 'red' }))).toContain('colour')
    expect(world.requests).toHaveLength(before)
    client.close()
  })
})

describe('a call of a backend', () => {
  test.each(objectsOf(BACKEND_ARGUMENTS))(
    'refuses an unknown option, and names those that there are: $path $index',
    async (argument) => {
      const world = new CallWorld()
      const { ApplicationClient, UserClient } = openBackend(world)
      const error = await refusalOf({ ApplicationClient, UserClient }, argument, { colour: 'red' })
      expect(messageOf(error)).toMatch(/colour.*\bknown(:| are) \w+/is)
      expect(world.requests).toHaveLength(0)
      ApplicationClient.close()
      UserClient.close()
    },
  )

  test.each<[field: string, hint: string]>([
    ['maxMembers', 'a lobby has no size'],
    ['max_players', 'a lobby has no size'],
    ['capacity', 'a lobby has no size'],
    ['name', 'metadata'],
    ['title', 'metadata'],
    ['isPublic', 'only members that you add'],
    ['private', 'only members that you add'],
    ['metadat', 'did you mean metadata?'],
    ['owner', 'known are metadata, members, idle_timeout_seconds'],
  ])('a lobby with %s is refused, with what there is instead', async (field, hint) => {
    const { ApplicationClient } = openBackend(new CallWorld())
    const { lobbies } = ApplicationClient
    for (const call of [() => lobbies.create({ [field]: '4' }), () => lobbies.edit('42', { [field]: '4' })])
      await expect(call()).rejects.toMatchObject({
        code: 'invalid_body',
        message: expect.stringContaining(hint),
      })
    ApplicationClient.close()
  })
})
