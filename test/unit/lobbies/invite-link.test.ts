// @vitest-environment happy-dom
/** Links into a lobby: what `inviteLink` returns, `takeInvitation` takes. */
import { type Client, Client as SdkClient, type ClientOptions, redirectSurface } from 'foyer-sdk'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { createClientAt } from '../../support/local-client'
import { CLIENT_ID, createTokenService, HOST, type TokenService, USER_ID } from '../../support/token-service'

const GAME = 'https://game.test/play/'
const LOBBY = {
  id: '7',
  application_id: CLIENT_ID,
  metadata: null,
  members: [{ id: USER_ID, metadata: null, flags: 0 }],
}
const LAUNCH = '?instance_id=i-1&frame_id=f-1&platform=desktop'

let service: TokenService
const clients: Client[] = []

const visit = (url: string): void =>
  (window as Window & { happyDOM?: { setURL(url: string): void } }).happyDOM?.setURL(url)

beforeEach(async () => {
  visit(GAME)
  service = await createTokenService()
})
afterEach(() => clients.splice(0).forEach((client) => client.close()))

const fetch: TokenService['fetch'] = async (url, init) => {
  if (!url.includes('/lobbies')) return service.fetch(url, init)
  return init.method === 'DELETE' ? new Response(null, { status: 204 }) : Response.json(LOBBY)
}

async function signedIn(options: Partial<ClientOptions> = {}): Promise<Client> {
  const client = createClientAt({ ...service, fetch }, options)
  clients.push(client)
  await service.signIn(client)
  return client
}

const takenAt = (link: string): string | undefined => {
  visit(link)
  return new SdkClient({ applicationId: CLIENT_ID, service: { host: HOST } }).takeInvitation()?.secret
}

/** Leaves for the authorize page, and returns what the record of the attempt keeps. */
async function leave(client: Client): Promise<string> {
  await new Promise<void>((resolve) => {
    const surface = { ...redirectSurface(), open: () => new Promise<string>(() => resolve()) }
    client.signIn({ surface }).catch(() => undefined)
  })
  return JSON.stringify(Object.values(localStorage))
}

describe('a link into a lobby', () => {
  it.each(['moon-42', 'four in a row ✓', 'a&b=c#d%', '🌑'.repeat(250)])(
    'with the secret %s is taken as it is',
    async (secret) => {
      const lobby = await (await signedIn()).createOrJoinLobby(secret)
      const link = lobby.inviteLink()
      expect(link.startsWith(`${GAME}#join=`)).toBe(true)
      expect([takenAt(link), location.href]).toEqual([secret, GAME])
    },
  )

  it('is the page without the response of a sign-in, and without the fragment', async () => {
    const lobby = await (await signedIn()).createOrJoinLobby('moon')
    visit(`${GAME}?level=3&code=abc&state=0123456789012345678901&iss=i#room=7`)
    expect(lobby.inviteLink()).toBe(`${GAME}?level=3#join=moon`)
  })

  it('has the address that the game gives', async () => {
    const lobby = await (await signedIn()).createOrJoinLobby('moon')
    expect(lobby.inviteLink({ url: 'https://game.example/a?b=1#c' })).toBe(
      'https://game.example/a?b=1#join=moon',
    )
  })

  it('is the one of the Activity in an Activity, whose custom id has at most 64 characters', async () => {
    visit(GAME + LAUNCH)
    const client = await signedIn()
    const lobby = await client.createOrJoinLobby('moon & sun')
    const link = new URL(lobby.inviteLink())
    expect(link.href).toBe(`${HOST}/activities/${CLIENT_ID}?custom_id=join%3Dmoon%20%26%20sun`)
    expect(
      takenAt(`${GAME}${LAUNCH}&custom_id=${encodeURIComponent(link.searchParams.get('custom_id') ?? '')}`),
    ).toBe('moon & sun')
  })

  it('to an Activity of a secret that is too long is an error, which says what to do', async () => {
    visit(GAME + LAUNCH)
    const lobby = await (await signedIn()).createOrJoinLobby('m'.repeat(60))
    expect(() => lobby.inviteLink()).toThrow(
      expect.objectContaining({ code: 'invalid_argument', message: expect.stringContaining('59') }),
    )
    expect(lobby.inviteLink({ url: GAME })).toBe(`${GAME}#join=${'m'.repeat(60)}`)
  })

  it.each(['a\nb', '<b>', '__proto__'])(
    'of the secret %j, which no link can bring, is an error',
    async (secret) => {
      const lobby = await (await signedIn()).createOrJoinLobby(secret)
      expect(() => lobby.inviteLink()).toThrow(expect.objectContaining({ code: 'invalid_argument' }))
    },
  )

  it.each(['game.example', 'javascript:alert(1)', '', 7 as never])(
    'with the url %s is an error',
    async (url) => {
      const lobby = await (await signedIn()).createOrJoinLobby('moon')
      expect(() => lobby.inviteLink({ url })).toThrow(expect.objectContaining({ code: 'invalid_argument' }))
    },
  )

  it('of a lobby from JSON, and of one that was left, is an error, which says what to do', async () => {
    const client = await signedIn()
    const lobby = await client.lobbies.add(LOBBY)
    expect(() => lobby.inviteLink()).toThrow(
      expect.objectContaining({ code: 'unsupported', message: expect.stringContaining('createOrJoinLobby') }),
    )
    await client.createOrJoinLobby('moon')
    expect(lobby.inviteLink()).toBe(`${GAME}#join=moon`)
    await lobby.leave()
    expect(() => lobby.inviteLink()).toThrow(expect.objectContaining({ code: 'unknown_lobby' }))
  })

  it('of a page that no link opens needs the address of the game', async () => {
    const lobby = await (await signedIn()).createOrJoinLobby('moon')
    visit('about:blank')
    expect(() => lobby.inviteLink()).toThrow(
      expect.objectContaining({ code: 'unsupported', message: expect.stringContaining('url') }),
    )
    expect(lobby.inviteLink({ url: GAME })).toBe(`${GAME}#join=moon`)
  })
})

describe('an invitation that was taken', () => {
  it('is used up by its lobby, and by a sign-in: a later redirect does not bring it back', async () => {
    onTestFinished(() => localStorage.clear())
    const client = await signedIn()
    visit(`${GAME}#join=moon`)
    client.takeInvitation()
    expect(await leave(client)).toContain('moon')
    client.abortAuthorize()
    await client.createOrJoinLobby('sun')
    expect(await leave(client)).toContain('moon')
    client.abortAuthorize()
    await client.createOrJoinLobby('moon')
    expect(await leave(client)).not.toContain('moon')
    client.abortAuthorize()
    visit(`${GAME}#join=moon`)
    client.takeInvitation()
    await service.signIn(client)
    expect(await leave(client)).not.toContain('moon')
  })
})
