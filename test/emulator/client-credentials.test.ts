/** Tokens of a game’s backend: client credentials, and access with its bot token. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEmulator, type Emulator } from 'foyer-emulator'
import { call, json, postForm, rejectionOf } from './support/sign-in-client.js'

const scope = 'identify applications.commands.update'
let emulator: Emulator

beforeAll(async () => {
  emulator = await createEmulator()
})
afterAll(() => emulator.close())

function requestToken(fields: Record<string, string>): Promise<Response> {
  return postForm(emulator, '/oauth2/token', { grant_type: 'client_credentials', scope, ...fields })
}

async function basic(): Promise<Response> {
  const { id, clientSecret } = emulator.application
  const headers = { authorization: `Basic ${btoa(`${id}:${clientSecret}`)}` }
  const body = new URLSearchParams({ grant_type: 'client_credentials', scope })
  return fetch(`${emulator.url}/api/v10/oauth2/token`, { method: 'POST', headers, body })
}

describe('the client-credentials grant', () => {
  it.each(['form', 'basic'])(
    'issues a token for a week without a refresh token, with the secret as %s',
    async (way) => {
      const response =
        way === 'form'
          ? await requestToken({ client_secret: emulator.application.clientSecret })
          : await basic()
      expect(response.status).toBe(200)
      const body = await json(response)
      expect(body).toEqual({
        access_token: expect.stringMatching(/^emu_/),
        token_type: 'Bearer',
        expires_in: 604_800,
        scope,
      })
    },
  )

  it('issues a token that acts as the owner of the application and expires normally', async () => {
    const { access_token: token } = await json(await basic())
    const current = await json(await call(emulator, '/oauth2/@me', String(token)))
    expect(current).toMatchObject({ scopes: scope.split(' '), user: { username: 'ada' } })
    emulator.advance(604_800_000)
    const rejected = await call(emulator, '/users/@me', String(token))
    expect([rejected.status, rejected.headers.get('x-emulator-rule')]).toEqual([
      401,
      'the access token is expired',
    ])
  })

  it('rejects a missing and a wrong secret', async () => {
    expect((await requestToken({})).status).toBe(400)
    expect(await rejectionOf(await requestToken({ client_secret: 'emu_client_wrong' }))).toMatchObject({
      status: 401,
      error: 'invalid_client',
    })
  })

  it('rejects an unknown scope', async () => {
    const response = await requestToken({
      client_secret: emulator.application.clientSecret,
      scope: 'everything',
    })
    expect(await rejectionOf(response)).toMatchObject({ status: 400, error: 'invalid_scope' })
  })
})

describe('the bot token', () => {
  it('gives access to the application, unlike a player’s token', async () => {
    const { id, botToken, publicKey } = emulator.application
    const show = (authorization: string) =>
      fetch(`${emulator.url}/api/v10/oauth2/applications/@me`, { headers: { authorization } })
    expect(await json(await show(`Bot ${botToken}`))).toMatchObject({
      id,
      name: 'Example Game',
      verify_key: publicKey,
    })
    const { access_token: token } = await json(await basic())
    for (const other of [`Bearer ${String(token)}`, botToken, 'Bot emu_bot_wrong', `Bot ${botToken} twice`])
      expect((await show(other)).status).toBe(401)
  })
})
