/** Authentication at the command endpoints, and tokens for a backend. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createEmulator, type Emulator } from 'foyer-emulator'
import { json } from '../support/sign-in-client.js'
import { asApplication, asPlayer, Caller, requestToken } from './command-client.js'

const tavern = '319560327719026709'
const command = { name: 'blep', description: 'Send a photo' }

let emulator: Emulator
let bot: Caller
beforeAll(async () => {
  emulator = await createEmulator({ limits: 'off' })
  bot = new Caller(emulator)
})
afterAll(() => emulator.close())
beforeEach(() => emulator.reset())

const rejectedWith = (status: number, code: number) => ({
  status,
  body: expect.objectContaining({ code }),
  rule: expect.any(String),
})

const send = (body: string, type?: string) =>
  bot.raw(`${bot.root}/commands`, {
    method: 'POST',
    headers: { authorization: bot.authorization, ...(type === undefined ? {} : { 'content-type': type }) },
    body,
  })

describe('the client-credentials grant for commands', () => {
  it('issues a token without a refresh token to a backend with its secret', async () => {
    const response = await requestToken(emulator, 'applications.commands.update')
    expect(response.status).toBe(200)
    expect(await json(response)).toEqual({
      access_token: expect.stringMatching(/^emu_application_/),
      token_type: 'Bearer',
      expires_in: 604_800,
      scope: 'applications.commands.update',
    })
  })

  it('rejects a wrong secret, no secret, no scope and an unknown scope', async () => {
    expect((await requestToken(emulator, 'applications.commands.update', 'wrong')).status).toBe(401)
    const form = {
      grant_type: 'client_credentials',
      scope: 'applications.commands.update',
      client_id: emulator.application.id,
    }
    const open = await fetch(`${emulator.url}/api/v10/oauth2/token`, {
      method: 'POST',
      body: new URLSearchParams(form),
    })
    expect(open.status).toBe(400)
    for (const scope of ['', 'nonsense'])
      expect(await json(await requestToken(emulator, scope))).toMatchObject({
        error: expect.stringMatching(/^invalid_/),
      })
  })

  it('allows only command scopes and identify for a team’s application', async () => {
    const team = await createEmulator({ seed: { application: { team: true } } })
    expect((await requestToken(team, 'identify applications.commands.update')).status).toBe(200)
    expect(await json(await requestToken(team, 'applications.commands.permissions.update'))).toMatchObject({
      error: 'invalid_scope',
    })
    await team.close()
  })

  it('issues tokens that can be revoked without affecting those of players', async () => {
    const [caller, player] = [await asApplication(emulator), await asPlayer(emulator, 'ada')]
    const token = caller.authorization.replace('Bearer ', '')
    const { id, clientSecret } = emulator.application
    const body = new URLSearchParams({ client_id: id, client_secret: clientSecret, token })
    expect(
      (await fetch(`${emulator.url}/api/v10/oauth2/token/revoke`, { method: 'POST', body })).status,
    ).toBe(200)
    const rejected = await caller.get('/commands')
    expect([rejected.status, rejected.rule]).toEqual([
      401,
      'the access token no longer works: it was revoked',
    ])
    expect(
      (await player.raw('/users/@me', { headers: { authorization: player.authorization } })).status,
    ).toBe(200)
  })

  it('issues a token that acts as the owner of the application', async () => {
    const caller = await asApplication(emulator, 'identify')
    const reply = await caller.raw('/users/@me', { headers: { authorization: caller.authorization } })
    expect(reply.body).toMatchObject({ username: 'ada' })
  })

  it('has a scope that players cannot grant', async () => {
    await expect(asPlayer(emulator, 'ada', 'identify applications.commands.update')).rejects.toThrow(
      'invalid_scope',
    )
  })
})

describe('a command endpoint', () => {
  it('accepts the bot token and a client-credentials token', async () => {
    for (const caller of [bot, await asApplication(emulator)])
      expect((await caller.post('/commands', command)).status).toBeLessThan(300)
  })

  it.each(['', 'Bot', 'Bot wrong', 'Bearer wrong', 'bot', 'Basic eDp5'])(
    'rejects "%s" with 401',
    async (authorization) => {
      expect(await new Caller(emulator, authorization).get('/commands')).toMatchObject(rejectedWith(401, 0))
    },
  )

  it('rejects a bot token without its prefix or with a wrong one', async () => {
    const { botToken } = emulator.application
    for (const value of [botToken, `Bearer ${botToken}`])
      expect(await new Caller(emulator, value).get('/commands')).toMatchObject(rejectedWith(401, 0))
  })

  it('requires applications.commands.update to write, and to read if configured', async () => {
    const caller = await asApplication(emulator, 'identify')
    expect(await caller.post('/commands', command)).toMatchObject(rejectedWith(403, 50026))
    expect(await caller.put('/commands', [])).toMatchObject(rejectedWith(403, 50026))
    expect(await caller.patch('/commands/1', {})).toMatchObject(rejectedWith(403, 50026))
    expect(await caller.delete('/commands/1')).toMatchObject(rejectedWith(403, 50026))
    expect((await caller.get('/commands')).status).toBe(200)
    await bot.control('/commands', { method: 'PATCH', body: { readsNeedScope: true } })
    expect(await caller.get('/commands')).toMatchObject(rejectedWith(403, 50026))
    await bot.control('/commands', { method: 'PATCH', body: { readsNeedScope: false } })
  })

  it('rejects a player’s token, another application and invalid IDs', async () => {
    const player = await asPlayer(emulator, 'ada')
    expect(await player.get('/commands')).toMatchObject(rejectedWith(403, 50026))
    const headers = { authorization: bot.authorization }
    expect(await bot.raw('/applications/1/commands', { headers })).toMatchObject(rejectedWith(403, 20012))
    expect(await bot.raw('/applications/me/commands', { headers })).toMatchObject(rejectedWith(400, 50035))
    expect(await bot.get('/commands/abc')).toMatchObject(rejectedWith(400, 50035))
  })

  it('rejects unknown guilds and commands, and guilds without the application', async () => {
    expect(await bot.get('/guilds/1/commands')).toMatchObject(rejectedWith(404, 10004))
    expect(await bot.get('/commands/1')).toMatchObject(rejectedWith(404, 10063))
    expect(await bot.patch('/commands/1', {})).toMatchObject(rejectedWith(404, 10063))
    expect(await bot.delete(`/guilds/${tavern}/commands/1`)).toMatchObject(rejectedWith(404, 10063))
    expect(await bot.get('/guilds/1012345678901234567/commands')).toMatchObject(rejectedWith(403, 50001))
  })

  it('accepts only JSON, and reports errors in the body', async () => {
    expect(await send('{"name":', 'application/json')).toMatchObject(rejectedWith(400, 50109))
    expect(await send('', 'application/json')).toMatchObject(rejectedWith(400, 50109))
    expect(await send('name=blep', 'application/x-www-form-urlencoded')).toMatchObject(
      rejectedWith(400, 50035),
    )
    expect(await send(JSON.stringify(command))).toMatchObject(rejectedWith(400, 50035))
    expect((await send(JSON.stringify(command), 'application/json; charset=utf-8')).status).toBe(201)
  })

  it.each([
    ['DELETE', '/commands/1'],
    ['POST', '/commands'],
    ['PATCH', '/commands/1'],
    ['PUT', '/commands'],
  ])('rejects %s %s without a body if its type is JSON', async (method, path) => {
    const headers = { authorization: bot.authorization, 'content-type': 'Application/JSON; charset=utf-8' }
    const rejection = {
      ...rejectedWith(400, 50109),
      rule: expect.stringContaining('send the header only with a body'),
    }
    expect(
      await bot.raw(`/applications/${emulator.application.id}${path}`, { method, headers }),
    ).toMatchObject(rejection)
  })

  it('ignores the type of a request that never has a body', async () => {
    const headers = { authorization: bot.authorization, 'content-type': 'application/json' }
    expect((await bot.raw(`/applications/${emulator.application.id}/commands`, { headers })).status).toBe(200)
  })

  it('has no other methods', async () => {
    for (const path of [
      '/commands',
      `/guilds/${tavern}/commands`,
      '/commands/1',
      `/guilds/${tavern}/commands/1/permissions`,
    ])
      expect(
        await bot.call(path, {
          method: path.endsWith('s') && !path.endsWith('permissions') ? 'DELETE' : 'POST',
        }),
      ).toMatchObject(rejectedWith(405, 0))
  })
})
