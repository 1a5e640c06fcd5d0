/** Who may call the command endpoints, and how a backend gets a token for them. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createEmulator, type Emulator } from 'foyer-emulator'
import { json } from '../support/player.js'
import { asApplication, asPlayer, Caller, requestToken } from './support.js'

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

const refusal = (status: number, code: number) => ({ status, body: expect.objectContaining({ code }), rule: expect.any(String) })

const send = (body: string, type?: string) =>
  bot.raw(`${bot.root}/commands`, {
    method: 'POST',
    headers: { authorization: bot.authorization, ...(type === undefined ? {} : { 'content-type': type }) },
    body,
  })

describe('the client-credentials grant', () => {
  it('gives a backend with the right secret a token without a refresh token', async () => {
    const response = await requestToken(emulator, 'applications.commands.update')
    expect(response.status).toBe(200)
    expect(await json(response)).toEqual({
      access_token: expect.stringMatching(/^emu_application_/),
      token_type: 'Bearer',
      expires_in: 604_800,
      scope: 'applications.commands.update',
    })
  })

  it('is refused with a wrong secret, with none, without a scope and with an unknown one', async () => {
    expect((await requestToken(emulator, 'applications.commands.update', 'wrong')).status).toBe(401)
    const form = { grant_type: 'client_credentials', scope: 'applications.commands.update', client_id: emulator.application.id }
    const open = await fetch(`${emulator.url}/api/v10/oauth2/token`, { method: 'POST', body: new URLSearchParams(form) })
    expect(open.status).toBe(400)
    for (const scope of ['', 'nonsense'])
      expect(await json(await requestToken(emulator, scope))).toMatchObject({ error: expect.stringMatching(/^invalid_/) })
  })

  it('gives the application of a team nothing but its commands and identify', async () => {
    const team = await createEmulator({ seed: { application: { team: true } } })
    expect((await requestToken(team, 'identify applications.commands.update')).status).toBe(200)
    expect(await json(await requestToken(team, 'applications.commands.permissions.update'))).toMatchObject({ error: 'invalid_scope' })
    await team.close()
  })

  it('gives tokens that can be revoked, which leaves those of players alone', async () => {
    const [caller, player] = [await asApplication(emulator), await asPlayer(emulator, 'ada')]
    const token = caller.authorization.replace('Bearer ', '')
    const { id, clientSecret } = emulator.application
    const body = new URLSearchParams({ client_id: id, client_secret: clientSecret, token })
    expect((await fetch(`${emulator.url}/api/v10/oauth2/token/revoke`, { method: 'POST', body })).status).toBe(200)
    const refused = await caller.get('/commands')
    expect([refused.status, refused.rule]).toEqual([401, 'the access token no longer works: it was revoked'])
    expect((await player.raw('/users/@me', { headers: { authorization: player.authorization } })).status).toBe(200)
  })

  it('acts as the owner of the application', async () => {
    const caller = await asApplication(emulator, 'identify')
    const answer = await caller.raw('/users/@me', { headers: { authorization: caller.authorization } })
    expect(answer.body).toMatchObject({ username: 'ada' })
  })

  it('scope of its own is given by no player', async () => {
    await expect(asPlayer(emulator, 'ada', 'identify applications.commands.update')).rejects.toThrow('invalid_scope')
  })
})

describe('a command endpoint', () => {
  it('takes the bot token, and a client-credentials token', async () => {
    for (const caller of [bot, await asApplication(emulator)]) expect((await caller.post('/commands', command)).status).toBeLessThan(300)
  })

  it.each(['', 'Bot', 'Bot wrong', 'Bearer wrong', 'bot', 'Basic eDp5'])('refuses "%s" with 401', async (authorization) => {
    expect(await new Caller(emulator, authorization).get('/commands')).toMatchObject(refusal(401, 0))
  })

  it('refuses a bot token without its prefix, and under the wrong one', async () => {
    const { botToken } = emulator.application
    for (const value of [botToken, `Bearer ${botToken}`])
      expect(await new Caller(emulator, value).get('/commands')).toMatchObject(refusal(401, 0))
  })

  it('needs applications.commands.update to write, and only when told to read too', async () => {
    const caller = await asApplication(emulator, 'identify')
    expect(await caller.post('/commands', command)).toMatchObject(refusal(403, 50026))
    expect(await caller.put('/commands', [])).toMatchObject(refusal(403, 50026))
    expect(await caller.patch('/commands/1', {})).toMatchObject(refusal(403, 50026))
    expect(await caller.delete('/commands/1')).toMatchObject(refusal(403, 50026))
    expect((await caller.get('/commands')).status).toBe(200)
    await bot.control('/commands', { method: 'PATCH', body: { readsNeedScope: true } })
    expect(await caller.get('/commands')).toMatchObject(refusal(403, 50026))
    await bot.control('/commands', { method: 'PATCH', body: { readsNeedScope: false } })
  })

  it('refuses a player’s token, another application and ids that are none', async () => {
    const player = await asPlayer(emulator, 'ada')
    expect(await player.get('/commands')).toMatchObject(refusal(403, 50026))
    const headers = { authorization: bot.authorization }
    expect(await bot.raw('/applications/1/commands', { headers })).toMatchObject(refusal(403, 20012))
    expect(await bot.raw('/applications/me/commands', { headers })).toMatchObject(refusal(400, 50035))
    expect(await bot.get('/commands/abc')).toMatchObject(refusal(400, 50035))
  })

  it('knows unknown guilds and commands, and guilds without the application', async () => {
    expect(await bot.get('/guilds/1/commands')).toMatchObject(refusal(404, 10004))
    expect(await bot.get('/commands/1')).toMatchObject(refusal(404, 10063))
    expect(await bot.patch('/commands/1', {})).toMatchObject(refusal(404, 10063))
    expect(await bot.delete(`/guilds/${tavern}/commands/1`)).toMatchObject(refusal(404, 10063))
    expect(await bot.get('/guilds/1012345678901234567/commands')).toMatchObject(refusal(403, 50001))
  })

  it('takes JSON only, and says what is wrong with anything else', async () => {
    expect(await send('{"name":', 'application/json')).toMatchObject(refusal(400, 50109))
    expect(await send('', 'application/json')).toMatchObject(refusal(400, 50109))
    expect(await send('name=blep', 'application/x-www-form-urlencoded')).toMatchObject(refusal(400, 50035))
    expect(await send(JSON.stringify(command))).toMatchObject(refusal(400, 50035))
    expect((await send(JSON.stringify(command), 'application/json; charset=utf-8')).status).toBe(201)
  })

  it('has no other methods', async () => {
    for (const path of ['/commands', `/guilds/${tavern}/commands`, '/commands/1', `/guilds/${tavern}/commands/1/permissions`])
      expect(await bot.call(path, { method: path.endsWith('s') && !path.endsWith('permissions') ? 'DELETE' : 'POST' })).toMatchObject(
        refusal(405, 0),
      )
  })
})
