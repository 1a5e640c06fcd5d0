/** Who sent each request of the log: players, bots and applications, from the first request of a sign-in on. */
import { createEmulator, type Emulator, type LoggedRequest } from 'foyer-emulator'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createMatch } from '../support/emulator-internals'
import { beginSignIn, call, json, postForm, redirectUri, refresh, signIn } from './support/sign-in-client.js'

let emulator: Emulator

beforeEach(async () => {
  emulator = await createEmulator()
})
afterEach(() => emulator.close())

/** Method and path of each request, without the file paths that only a browser asks for. */
const shown = (requests: readonly LoggedRequest[]) => requests.map(({ method, path }) => `${method} ${path}`)
const found = (filter: string) => shown(emulator.requests.filter((each) => createMatch(filter)(each)))

const askAsBot = (token: string) =>
  fetch(`${emulator.url}/api/v10/applications/${emulator.application.id}/commands`, {
    headers: { authorization: `Bot ${token}` },
  })

/** A sign-in of a player, and everything that a game sends for him afterwards. */
async function play(as: string): Promise<void> {
  const { accessToken, refreshToken } = await signIn(emulator, as)
  await call(emulator, '/users/@me', accessToken)
  const tokens = await json(await refresh(emulator, refreshToken))
  const newest = String(tokens['access_token'])
  // The next two use what was spent before: both are refused.
  await refresh(emulator, refreshToken)
  await call(emulator, '/users/@me', newest)
  await postForm(emulator, '/oauth2/token/revoke', { token: newest })
}

/** Requests of `play`, in their order. */
const PLAYED = [
  'GET /oauth2/authorize',
  'GET /oauth2/sign-in/:id',
  'POST /oauth2/sign-in/:id',
  'GET /oauth2/authorize/:id',
  'POST /api/v10/oauth2/token',
  'GET /api/v10/users/@me',
  'POST /api/v10/oauth2/token',
  'POST /api/v10/oauth2/token',
  'GET /api/v10/users/@me',
  'POST /api/v10/oauth2/token/revoke',
]

describe('the log', () => {
  it('names the player of every request of a sign-in and after it, and nobody else’s', async () => {
    await play('bruno')
    await play('ada')
    expect(found('player:bruno')).toEqual(PLAYED)
    expect(found('player:ada')).toEqual(PLAYED)
    expect(emulator.requests.filter(({ sender }) => sender === undefined)).toEqual([])
  })

  it.each([
    'player:Ada Quinn',
    'player:"ada quinn"',
    'player:ADA',
    'status:2xx player:Ada Quinn',
    'from:player',
  ])('finds them with %s', async (filter) => {
    await signIn(emulator, 'ada')
    await fetch(`${emulator.url}/.well-known/openid-configuration`)
    expect(found(filter)).toContain('POST /api/v10/oauth2/token')
    expect(found(filter)).not.toContain('GET /.well-known/openid-configuration')
  })

  it('finds a player by id, and a sign-in that he declined', async () => {
    const { url } = await beginSignIn(emulator)
    const bruno = emulator.users.find(({ username }) => username === 'bruno')
    await emulator.authorize(url, { as: 'bruno', deny: true })
    expect(found(`player:${bruno?.id}`)).toEqual(PLAYED.slice(0, 4))
  })

  it('tells the bot and the application from players', async () => {
    await askAsBot(emulator.application.botToken)
    const credentials = { grant_type: 'client_credentials', scope: 'identify' }
    const secret = { client_secret: emulator.application.clientSecret }
    const { access_token: token } = await json(
      await postForm(emulator, '/oauth2/token', { ...credentials, ...secret }),
    )
    await call(emulator, '/users/@me', String(token))
    expect(found('from:bot')).toHaveLength(1)
    expect(found('from:application')).toEqual(['POST /api/v10/oauth2/token', 'GET /api/v10/users/@me'])
    expect(found('player:ada')).toEqual([])
  })

  it('says who was refused with 429, by a limit and at the edge', async () => {
    const { accessToken } = await signIn(emulator, 'bruno')
    emulator.limits({ global: { limit: 1, per: 60_000 }, edge: { limit: 2, per: 60_000 } })
    for (let times = 0; times < 5; times++) await call(emulator, '/users/@me', accessToken)
    const refused = emulator.requests.filter(({ status }) => status === 429)
    expect(refused.map(({ rule }) => rule?.startsWith('edge') ?? false)).toEqual([false, false, true, true])
    expect(new Set(refused.map(({ sender }) => sender?.username))).toEqual(new Set(['bruno']))
  })

  it('names the player of an authorize request that was only checked beside its popup', async () => {
    const { url } = await beginSignIn(emulator)
    await fetch(url.replace('/oauth2/authorize', '/.well-known/authorize-check'))
    await emulator.authorize(url, { as: 'ada' })
    expect(found('player:ada')).toContain('GET /.well-known/authorize-check')
  })

  it('leaves out what nobody can know', async () => {
    await signIn(emulator, 'ada')
    await fetch((await beginSignIn(emulator, { redirect_uri: `${redirectUri}/wrong` })).url)
    await postForm(emulator, '/oauth2/token', { grant_type: 'refresh_token', refresh_token: 'never-issued' })
    const unknown = emulator.requests.filter(({ sender }) => sender === undefined)
    expect(unknown.map(({ status }) => status)).toEqual([400, 400])
  })

  it('sends the earlier requests of a sign-in again when their player is known', async () => {
    const stop = new AbortController()
    const live = await fetch(`${emulator.url}/_emulator/requests/live`, {
      headers: { authorization: `Bearer ${emulator.controlToken}` },
      signal: stop.signal,
    })
    await signIn(emulator, 'bruno')
    const serial = emulator.requests.find(({ path }) => path === '/oauth2/authorize')?.serial
    const reader = live.body?.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    const sent = () => text.split('\n').filter((line) => new RegExp(`"serial":${serial}\\b`).test(line))
    while (sent().length < 2) text += (await reader?.read())?.value ?? ''
    expect(sent().map((line) => line.includes('Bruno'))).toEqual([false, true])
    stop.abort()
  })
})
