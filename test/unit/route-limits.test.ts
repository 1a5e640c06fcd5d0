/** Buckets of a call: the limits that are documented or configured for its route. */
import { describe, expect, it } from 'vitest'
import { configuredBuckets, fairnessKeyOf, RouteLimits } from '../support/internals'

describe('the buckets of a call', () => {
  const limit = { limit: 5, per: 1000 }
  const limits = {
    global: { limit: 50, per: 1000 },
    create_lobby: limit,
    join_lobby: limit,
    send_message: limit,
  } as unknown as ConstructorParameters<typeof RouteLimits>[0]
  const buckets = (
    method: string,
    route: string,
    { ids = {}, user }: { ids?: Record<string, string>; user?: string } = {},
  ) => new RouteLimits(limits).bucketsOf({ method, route, ids }, user)

  it('are the documented one of its route, per player, and the global one', () => {
    const global = { name: 'global', key: '', limit: 50, per: 1000 }
    expect(buckets('PUT', '/lobbies', { user: '7' })).toEqual([
      { name: 'join_lobby', key: '7', ...limit },
      global,
    ])
    expect(buckets('POST', '/lobbies')).toEqual([{ name: 'create_lobby', key: '', ...limit }, global])
  })

  it.each([
    ['POST', '/lobbies', 'create_lobby'],
    ['GET', '/lobbies/{lobby.id}', 'get_lobby'],
    ['DELETE', '/lobbies/{lobby.id}', 'delete_lobby'],
    ['PUT', '/lobbies/{lobby.id}/members/{user.id}', 'add_lobby_member'],
    ['DELETE', '/lobbies/{lobby.id}/members/{user.id}', 'remove_lobby_member'],
    ['PUT', '/lobbies', 'join_lobby'],
    ['POST', '/lobbies/{lobby.id}/messages', 'send_message'],
    ['PATCH', '/lobbies/{lobby.id}', 'PATCH /lobbies/{lobby.id}'],
  ])('of %s %s have the documented limit %s', (method, route, name) => {
    expect(buckets(method, route).map((bucket) => bucket.name)).toEqual([name, 'global'])
  })

  it('are one per player and guild for another route, of unknown size unless it is configured', () => {
    const route = '/applications/{application.id}/guilds/{guild.id}/commands'
    const name = `GET ${route}`
    const key = (options: Parameters<typeof buckets>[2]) => buckets('GET', route, options)[0]
    expect(key({ ids: { 'guild.id': '9' } })).toEqual({
      name,
      key: '9',
      limit: Number.POSITIVE_INFINITY,
      per: 1000,
    })
    expect(key({ ids: { 'guild.id': '9' }, user: '7' })).toMatchObject({ key: '7 9' })
    expect(key({ user: '7' })).toMatchObject({ key: '7' })
    const configured = { ...limits, [name]: { limit: 2, per: 500 } } as typeof limits
    expect(new RouteLimits(configured).bucketsOf({ method: 'GET', route, ids: {} })[0]).toEqual({
      name,
      key: '',
      limit: 2,
      per: 500,
    })
  })

  it('that are configured are listed per player, the global one without', () => {
    const some = {
      global: limits.global,
      join_lobby: limit,
      get_lobby: undefined,
    } as unknown as typeof limits
    expect(configuredBuckets({ limits: some, user: '7' })).toEqual([
      { name: 'global', key: '', limit: 50, per: 1000 },
      { name: 'join_lobby', key: '7', ...limit },
    ])
    expect(configuredBuckets({ limits: some }).map(({ key }) => key)).toEqual(['', ''])
  })

  it('are shared fairly among lobbies, or among guilds', () => {
    const keys = [{ 'lobby.id': '1', 'guild.id': '2' }, { 'guild.id': '2' }, {}].map((ids) =>
      fairnessKeyOf({ ids }),
    )
    expect(keys).toEqual(['1', '2', ''])
  })
})
