/** Code blocks of the Activity's page in the manual, run as games in instances of their own. */
import { transform } from 'esbuild'
import { afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest'
import { blocks, pages } from '../package/markdown-pages'
import { openActivityClient, QUERY } from '../support/activity-client'
import { scriptedHost } from '../support/scripted-host'
import { createTokenService, type TokenService } from '../support/token-service'

let service: TokenService
beforeEach(async () => {
  service = await createTokenService()
})
afterEach(() => vi.unstubAllGlobals())

const page = pages().find(({ path }) => path === 'docs/activity.md')
const games = blocks({ text: page?.text ?? '' }).filter(
  ({ language, code }) => language === 'ts' && /\bjoinLobby\(/.test(code),
)
const ignore = () => undefined
const AsyncFunction: FunctionConstructor = Object.getPrototypeOf(async () => undefined).constructor

const MESSAGE = { id: '8', content: '{}', lobby_id: '7', author: { id: '9', username: 'neo' } }

/** The token service, whose lobbies have messages too. */
const withMessages = (): TokenService => ({
  ...service,
  fetch: async (url, init) =>
    /\/messages\b/.test(url)
      ? Response.json(init.method === 'POST' ? MESSAGE : [])
      : service.fetch(url, init),
})

/** Runs the code of a game in an instance, as a new player. Resolves with the secrets of the lobbies that it joined. */
async function play(code: string, instance: string): Promise<unknown[]> {
  const host = scriptedHost()
  host.respond = (command) => (command === 'AUTHORIZE' ? { code: 'the-code' } : { participants: [] })
  const { client, joined } = openActivityClient(withMessages(), {
    launchQuery: QUERY.replace('i-1', instance),
  })
  if (!code.includes('signIn(')) await service.signIn(client)
  // Launched without a link.
  const player = Object.assign(client, { takeInvitation: () => null })
  const names = {
    // A block that creates its client has no other one.
    ...(code.includes('new Client(')
      ? {
          Client: vi.fn<() => object>(function () {
            return player
          }),
        }
      : { client: player }),
    applicationId: '1',
    service: {},
    render: ignore,
    report: ignore,
    button: {},
    draw: ignore,
    show: ignore,
  }
  const { code: script } = await transform(code.replaceAll(/^import .*$/gm, ''), { loader: 'ts' })
  await AsyncFunction(...Object.keys(names), script)(...Object.values(names))
  vi.unstubAllGlobals()
  return joined.map(({ secret }) => secret)
}

describe.each(games)('the game of line $line', ({ code }) => {
  it('has one lobby for the players of an instance, and another one for another instance', async () => {
    const [first, second, other] = [await play(code, 'i-1'), await play(code, 'i-1'), await play(code, 'i-2')]
    expect(first).toEqual([expect.any(String)])
    expect(second).toEqual(first)
    expect(other).toEqual([expect.any(String)])
    expect(other).not.toEqual(first)
  })
})

test('the first code of the page is such a game', () => {
  const [first] = blocks({ text: page?.text ?? '' })
  expect(games[0]).toEqual(first)
  expect(games.length).toBeGreaterThan(3)
})
