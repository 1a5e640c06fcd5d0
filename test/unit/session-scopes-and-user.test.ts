/** Scopes and user of a session. */
import { type ClientOptions, memoryStore } from 'foyer-sdk'
import { beforeEach, describe, expect, it } from 'vitest'
import { extraScopes, refuseExtraScopes } from '../support/internals'
import { createClientAt } from '../support/local-client'
import { createTokenService, HOST, type TokenService } from '../support/token-service'

let service: TokenService

beforeEach(async () => {
  service = await createTokenService()
})

const createGame = (options?: Partial<ClientOptions>) => createClientAt(service, options)
const grant = (scope: string) => {
  service.granted = scope
}

/** Scopes that `sdk.social_layer_presence` includes. */
const PRESENCE = [
  'identify',
  'guilds',
  'activities.read',
  'activities.write',
  'activities.invites.write',
  'relationships.read',
  'relationships.write',
  'gateway.connect',
  'account.global_name.update',
  'application_identities.write',
]
const MESSAGES = ['dm_channels.read', 'dm_channels.messages.read', 'dm_channels.messages.write']

describe('the scopes of a session', () => {
  it('attack/52 list scopes granted without being requested, also after a refresh and a reload', async () => {
    const tokenStore = memoryStore()
    const client = createGame({ tokenStore })
    grant('openid sdk.social_layer email connections')
    expect((await service.signIn(client)).extraScopes).toEqual(['email', 'connections'])
    grant('openid sdk.social_layer email')
    await client.refreshToken()
    expect(client.session?.extraScopes).toEqual(['email'])
    expect((await createGame({ tokenStore }).resume())?.extraScopes).toEqual(['email'])
  })

  it('count scopes included in an sdk scope as requested', async () => {
    grant(
      'openid sdk.social_layer sdk.social_layer_presence relationships.read activities.write dm_channels.messages.write lobbies.write',
    )
    expect(await service.signIn(createGame())).toMatchObject({ extraScopes: [], missingScopes: [] })
  })

  it.each([
    ['sdk.social_layer_presence', PRESENCE, ['sdk.social_layer', ...MESSAGES, 'lobbies.write']],
    ['sdk.social_layer', ['sdk.social_layer_presence', ...PRESENCE, ...MESSAGES, 'lobbies.write'], ['email']],
    ['openid', [], ['sdk.social_layer', 'lobbies.write']],
  ])('%s include %o, and not %o', (requested, included, extra) => {
    expect(extraScopes([requested, ...included], [requested])).toEqual([])
    expect(extraScopes([...extra, ...included], [requested])).toEqual(extra)
    expect(() => refuseExtraScopes(included, [requested])).not.toThrow()
  })

  it('attack/52 make refuseExtraScopes reject extra scopes, and the previous session stays', async () => {
    const client = createGame({ refuseExtraScopes: true })
    const before = await service.signIn(client)
    expect(before.extraScopes).toEqual([])
    grant('openid sdk.social_layer email')
    await expect(service.signIn(client)).rejects.toMatchObject({
      name: 'AuthorizationError',
      code: 'extra_scopes',
      retryable: false,
    })
    expect(client).toMatchObject({ session: before, status: 'ready' })
    await client.signOut()
    await expect(service.signIn(client)).rejects.toMatchObject({ code: 'extra_scopes' })
    expect(client).toMatchObject({ session: null, status: 'disconnected' })
  })
})

describe('the user of a session', () => {
  it('has the name and picture of the ID token, also after a refresh without one and a reload', async () => {
    const tokenStore = memoryStore()
    const client = createGame({ tokenStore })
    service.claims = { preferred_username: 'ada', nickname: 'Ada L.', picture: 'https://cdn.test/ada.png' }
    const user = { username: 'ada', displayName: 'Ada L.', avatarUrl: 'https://cdn.test/ada.png' }
    expect((await service.signIn(client)).user).toEqual(user)
    service.override = async () => Response.json(await service.tokens({ id_token: undefined }))
    await client.refreshToken()
    expect(client.session?.user).toEqual(user)
    expect((await createGame({ tokenStore }).resume())?.user).toEqual(user)
  })

  it.each([
    ['no claims', {}],
    ['claims of other types', { preferred_username: 7, nickname: ['a'], picture: {} }],
    ['names that are not one line of text', { preferred_username: '', nickname: 'a\nb', picture: '' }],
    ['an overlong name', { preferred_username: 'a'.repeat(257), nickname: 'a'.repeat(2000) }],
    ['a picture with a space before its URL', { picture: ' https://cdn.test/ada.png' }],
    ['a picture with a javascript: URL', { picture: 'javascript:alert(1)' }],
    ['a picture of another origin without TLS', { picture: 'http://cdn.test/ada.png' }],
    ['a picture with a user and a password', { picture: 'https://a:b@cdn.test/ada.png' }],
    ['a picture with a user', { picture: 'https://a@cdn.test/ada.png' }],
    ['a picture with a password', { picture: 'https://:b@cdn.test/ada.png' }],
    ['a picture with an unreadable URL', { picture: 'https://[' }],
    ['a picture with a space in its URL', { picture: 'https://cdn.test/a b.png' }],
    ['a picture with an overlong URL', { picture: `https://cdn.test/${'a'.repeat(2032)}` }],
  ])('is empty for %s, if the service names nobody either', async (_, claims) => {
    Object.assign(service, { claims, user: 403 })
    expect((await service.signIn(createGame())).user).toEqual({})
  })

  it('shows the user name of an ID token without a nickname', async () => {
    service.claims = { preferred_username: 'ada' }
    expect((await service.signIn(createGame())).user).toEqual({ username: 'ada', displayName: 'ada' })
  })

  it('may have long names and a picture with a long URL', async () => {
    const user = {
      username: 'a'.repeat(256),
      displayName: 'é',
      avatarUrl: `https://cdn.test/${'a'.repeat(2031)}`,
    }
    service.claims = {
      preferred_username: user.username,
      nickname: user.displayName,
      picture: user.avatarUrl,
    }
    expect((await service.signIn(createGame())).user).toEqual(user)
  })

  it("may have a picture on the service's own origin", async () => {
    Object.assign(service, { claims: { picture: `${HOST}/avatars/1.svg` }, user: 403 })
    expect((await service.signIn(createGame())).user).toEqual({ avatarUrl: `${HOST}/avatars/1.svg` })
  })
})
