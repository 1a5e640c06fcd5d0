/** Whose tokens are: the player's names, and players whom no ID token proves. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CDNRoutes, ImageFormat } from 'discord-api-types/v10'
import { avatarUrl, Client, type ClientOptions, memoryStore, type ServiceOptions } from 'foyer-sdk'
import { createClientAt } from '../support/local-client'
import { settle } from '../support/settle'
import { createTokenService, HOST, type TokenService, USER_ID } from '../support/token-service'

const HASH = '0123456789abcdef0123456789abcdef'

let service: TokenService
let clients: Client[]
beforeEach(async () => {
  service = await createTokenService()
  clients = []
})
afterEach(() => clients.forEach((client) => client.close()))

function createGame(options?: Partial<ClientOptions>): Client {
  const client = createClientAt(service, options)
  clients.push(client)
  return client
}

const questions = () => service.sent.filter(({ url }) => url.endsWith('/users/@me')).length
const withoutIdToken = () => {
  service.override = async () => Response.json(await service.tokens({ id_token: undefined }))
}

/** Signs in while the service does not answer whose the tokens are: resolves with the error after all retries. */
async function failedSignIn(client: Client): Promise<unknown> {
  const failed = service.signIn(client).catch((error: unknown) => error)
  for (const asked of [1, 2]) {
    await expect.poll(questions).toBe(asked)
    await settle()
    service.clock.advance(2000)
  }
  return failed
}

describe('the names of a player', () => {
  it('come from the service with one request for each sign-in, and are kept over refreshes and pages', async () => {
    service.user = { id: USER_ID, username: 'ada', global_name: 'Ada Quinn', avatar: HASH }
    const tokenStore = memoryStore()
    const client = createGame({ tokenStore })
    const user = {
      username: 'ada',
      displayName: 'Ada Quinn',
      avatarUrl: `${HOST}/avatars/${USER_ID}/${HASH}.png`,
    }
    expect((await service.signIn(client)).user).toEqual(user)
    await client.refreshToken()
    expect(client.session?.user).toEqual(user)
    expect((await createGame({ tokenStore }).resume())?.user).toEqual(user)
    expect(questions()).toBe(1)
  })

  it.each([429, 500, 503])(
    'arrive later if the service answers %d, and the sign-in succeeds',
    async (status) => {
      const client = createGame()
      service.user = status
      const session = await service.signIn(client)
      expect([session.user, session.proof]).toEqual([{}, 'id_token'])
      service.user = { id: USER_ID, username: 'ada', global_name: null, avatar: null }
      const changes: unknown[] = []
      client.on('sessionChanged', ({ session: changed }) => changes.push(changed?.user.displayName))
      service.clock.advance(5000)
      await settle()
      expect(changes).toEqual(['ada'])
      expect([client.session?.user.username, client.status, questions()]).toEqual(['ada', 'ready', 2])
    },
  )

  it('are asked for three times more while the service fails, and again by the next page', async () => {
    service.user = 503
    const tokenStore = memoryStore()
    await service.signIn(createGame({ tokenStore }))
    for (const ms of [5000, 60_000, 600_000, 3_600_000]) {
      service.clock.advance(ms)
      await settle()
    }
    expect(questions()).toBe(4)
    service.user = { id: USER_ID, username: 'ada' }
    const next = createGame({ tokenStore })
    await next.resume()
    service.clock.advance(5000)
    await settle()
    expect(next.session?.user.username).toBe('ada')
  })

  it('of another player are not used', async () => {
    service.user = { id: '99999999999999999', username: 'mallory' }
    expect((await service.signIn(createGame())).user).toEqual({})
  })

  it('are not asked for again if the service refuses them', async () => {
    service.user = 403
    await service.signIn(createGame())
    service.clock.advance(3_600_000)
    await settle()
    expect(questions()).toBe(1)
  })
})

describe('a sign-in without an ID token', () => {
  it('has the player whom the service names', async () => {
    withoutIdToken()
    service.user = { id: USER_ID, username: 'ada' }
    const session = await service.signIn(createGame())
    expect(session).toMatchObject({ userId: USER_ID, proof: 'userinfo', user: { username: 'ada' } })
    expect(questions()).toBe(1)
  })

  it('keeps its tokens while the service does not answer, and resume() continues without another consent', async () => {
    withoutIdToken()
    service.user = 503
    const client = createGame()
    const failed = failedSignIn(client)
    expect(await failed).toMatchObject({ name: 'SessionError', code: 'player_unknown', retryable: true })
    expect([client.session, questions()]).toEqual([null, 3])
    service.user = { id: USER_ID, username: 'ada' }
    expect(await client.resume()).toMatchObject({ userId: USER_ID, proof: 'userinfo' })
    expect(service.sent.filter(({ form }) => form.get('grant_type') === 'authorization_code')).toHaveLength(1)
  })

  it('is forgotten by a sign-out', async () => {
    withoutIdToken()
    service.user = 503
    const client = createGame()
    const failed = failedSignIn(client)
    await failed
    await client.signOut()
    service.user = { id: USER_ID, username: 'ada' }
    expect(await client.resume()).toBeNull()
  })

  it('rejects with missing_id_token if the service refuses to say who the player is', async () => {
    withoutIdToken()
    service.user = 404
    await expect(service.signIn(createGame())).rejects.toMatchObject({ code: 'missing_id_token' })
  })

  it('refuses a wrong ID token as before', async () => {
    service.claims = { aud: '1' }
    await expect(service.signIn(createGame())).rejects.toMatchObject({ code: 'invalid_id_token' })
    expect(questions()).toBe(0)
  })
})

describe('the address of a picture', () => {
  const cdn = { cdnUrl: 'https://cdn.test' }

  it.each([
    ['a hash', { id: '80351110224678912', avatar: HASH }, `/avatars/80351110224678912/${HASH}.png`],
    [
      'an animated hash',
      { id: '80351110224678912', avatar: `a_${HASH}` },
      `/avatars/80351110224678912/a_${HASH}.gif`,
    ],
    ['no hash', { id: '80351110224678912', avatar: null }, '/embed/avatars/5.png'],
    [
      'no hash, and the largest id',
      { id: '18446744073709551615' },
      `/embed/avatars/${(18446744073709551615n >> 22n) % 6n}.png`,
    ],
    [
      'a hash, as public typings write it',
      { id: '5', avatar: HASH },
      CDNRoutes.userAvatar('5', HASH, ImageFormat.PNG),
    ],
    [
      'an animated hash, as public typings write it',
      { id: '5', avatar: `a_${HASH}` },
      CDNRoutes.userAvatar('5', `a_${HASH}`, ImageFormat.GIF),
    ],
    ['no hash, as public typings write it', { id: '80351110224678912' }, CDNRoutes.defaultUserAvatar(5)],
    ['a path instead of a hash', { id: '1', avatar: '../../evil' }, '/embed/avatars/0.png'],
    ['a user with an address of their own', { id: '1', cdnUrl: 'https://evil.test' }, '/embed/avatars/0.png'],
  ])('is the one of the service for %s', (_, user, path) => {
    expect(avatarUrl(cdn, user)).toBe(`https://cdn.test${path}`)
    expect(avatarUrl({ host: 'https://cdn.test' }, user)).toBe(`https://cdn.test${path}`)
  })

  it.each<ServiceOptions>([
    { host: 'https://s.example' },
    { host: 'https://s.example/' },
    { host: 'https://s.example', cdnUrl: undefined },
    { host: 'https://s.example', issuer: 'https://login.example' },
    { host: 'https://s.example', cdnUrl: 'https://cdn.example' },
    { host: 'https://s.example', cdnUrl: 'https://cdn.example/' },
  ])('takes the service as the client takes it: %j', (given) => {
    new Client({ applicationId: '1', service: given }).close()
    const root = given.cdnUrl === undefined ? 'https://s.example' : 'https://cdn.example'
    expect(avatarUrl(given, { id: '5', avatar: HASH })).toBe(`${root}/avatars/5/${HASH}.png`)
  })
})
