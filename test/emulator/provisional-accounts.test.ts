/** Provisional accounts: creation, merge, unmerge, and every documented code. */
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createEmulator, type Emulator } from 'foyer-emulator'
import { call, json, postForm, refresh, rejectionOf, signIn } from './support/sign-in-client.js'
import {
  codeOf,
  external,
  merge,
  post,
  provisional,
  provisionalByBot,
} from './support/provisional-accounts.js'

let emulator: Emulator

beforeAll(async () => {
  emulator = await createEmulator({ idTokens: { names: true, forEveryGrant: true } })
})
beforeEach(() => emulator.reset())
afterAll(() => emulator.close())

const text = expect.any(String)

async function tokenOf(response: Response): Promise<string> {
  expect(response.status).toBe(200)
  return String((await json(response))['access_token'])
}

async function whoHas(token: string): Promise<Record<string, unknown>> {
  return json(await call(emulator, '/users/@me', token))
}

describe('a provisional account', () => {
  it('is created for an external identity, with a verifiable ID token and without a refresh token', async () => {
    const body = await json(await provisional(emulator, 'emu:sam'))
    expect(body).toMatchObject({
      token_type: 'Bearer',
      expires_in: 604_800,
      scope: expect.stringContaining('sdk.social_layer'),
      refresh_token: null,
    })
    const keys = createRemoteJWKSet(new URL(`${emulator.url}/api/v10/oauth2/keys`))
    const { payload } = await jwtVerify(String(body['id_token']), keys, {
      issuer: emulator.url,
      audience: emulator.application.id,
    })
    expect(await whoHas(String(body['access_token']))).toMatchObject({
      id: payload.sub,
      username: payload['preferred_username'],
    })
    expect((await fetch(`${emulator.url}/avatars/${String(payload.sub)}.svg`)).status).toBe(200)
  })

  it('is the same for the same identity, and another for another subject or service', async () => {
    const ids = []
    for (const [token, type] of [
      ['emu:sam', 'OIDC'],
      ['emu:sam', 'OIDC'],
      ['emu:kim', 'OIDC'],
      ['emu:sam', 'PLAYSTATION_NETWORK_ID_TOKEN'],
    ] as const)
      ids.push(
        (await whoHas(await tokenOf(await provisional(emulator, token, { external_auth_type: type }))))['id'],
      )
    expect(ids[1]).toBe(ids[0])
    expect(new Set(ids).size).toBe(3)
  })

  it('is created by the game’s backend for its own user, with a name, and found again', async () => {
    const first = await whoHas(
      await tokenOf(
        await provisionalByBot(emulator, { external_user_id: 'u-1', preferred_global_name: 'Sam' }),
      ),
    )
    expect(first).toMatchObject({ id: text, global_name: 'Sam' })
    const second = await whoHas(
      await tokenOf(
        await provisionalByBot(emulator, { external_user_id: 'u-1', preferred_global_name: null }),
      ),
    )
    expect(second).toEqual(first)
    const moved = await provisionalByBot(emulator, {
      external_user_id: 'u-2',
      provisional_user_id: first['id'],
    })
    expect((await whoHas(await tokenOf(moved)))['id']).toBe(first['id'])
  })

  it('expires and is revoked like any other', async () => {
    const token = await tokenOf(await provisional(emulator, 'emu:sam'))
    await postForm(emulator, '/oauth2/token/revoke', { token })
    expect((await call(emulator, '/users/@me', token)).headers.get('x-emulator-rule')).toMatch(/revoked/)
    const next = await tokenOf(await provisional(emulator, 'emu:sam'))
    emulator.advance(604_800_000)
    expect((await call(emulator, '/users/@me', next)).headers.get('x-emulator-rule')).toBe(
      'the access token is expired',
    )
  })

  it.each([
    [530_000, 'not-enabled'],
    [530_001, 'expired'],
    [530_002, 'issuer'],
    [530_003, 'audience'],
    [530_004, 'too-old'],
    [530_006, 'username'],
    [530_008, 'no-configuration'],
    [530_009, 'no-keys'],
    [530_020, 'invalid'],
    [530_027, 'no-kid'],
  ])('is rejected with %i for emu:sam!%s, for any caller', async (code, fault) => {
    const rejected = [400, code, text]
    expect(await codeOf(await provisional(emulator, `emu:sam!${fault}`))).toEqual(rejected)
    expect(await codeOf(await provisionalByBot(emulator, { external_user_id: `emu:sam!${fault}` }))).toEqual(
      rejected,
    )
  })

  it.each([
    [[400, 530_007], 'a wrong secret', { client_secret: 'emu_client_wrong' }],
    [[400, 530_020], 'a token of no known form', { external_auth_token: 'eyJhbGciOi' }],
    [[400, 50_035], 'a type that is none', { external_auth_type: 'oidc' }],
    [[400, 50_035], 'no token', { external_auth_token: undefined }],
    [[400, 50_035], 'a token that is too long', { external_auth_token: `emu:${'x'.repeat(10_240)}` }],
    [[404, 10_002], 'another application', { client_id: '42' }],
    [[403, 20_012], 'a child application', { client_id: '1290148713275629601' }],
  ])('is rejected with %j for %s', async (refusal, _case, changes) => {
    expect(await codeOf(await provisional(emulator, 'emu:sam', changes))).toEqual([...refusal, text])
  })

  it('reports each invalid field of a body, and accepts no other format', async () => {
    const reply = await post(emulator, '/token', { body: { client_id: 7 } })
    expect(await json(reply)).toMatchObject({
      code: 50_035,
      errors: { external_auth_type: { _errors: [{ code: 'BASE_TYPE_REQUIRED', message: text }] } },
    })
    expect(await codeOf(await post(emulator, '/token', { body: '{' }))).toEqual([400, 50_109, text])
  })

  it.each(['/token/bot', '/provisional-accounts/unmerge/bot'])(
    'requires the bot token at %s',
    async (path) => {
      const { accessToken } = await signIn(emulator)
      for (const authorization of ['', `Bearer ${accessToken}`, 'Bot emu_bot_wrong'])
        expect(
          (await post(emulator, path, { body: { external_user_id: 'u-1' }, authorization })).status,
        ).toBe(401)
    },
  )

  it.each([null, '', 7, undefined])(
    'is refused without a text as external_user_id: %j',
    async (external_user_id) => {
      expect(await codeOf(await provisionalByBot(emulator, { external_user_id }))).toEqual([
        400,
        50_035,
        text,
      ])
    },
  )

  it('is not found by an invented provisional_user_id', async () => {
    const reply = await provisionalByBot(emulator, { external_user_id: 'u-1', provisional_user_id: '42' })
    expect(await codeOf(reply)).toEqual([404, 10_013, text])
  })
})

describe('a merge', () => {
  it('moves the identity to the full account and deletes the provisional one, which then gets 530010', async () => {
    const guest = await tokenOf(await provisional(emulator, 'emu:sam'))
    const tokens = await json(await merge(emulator, 'emu:sam'))
    expect(tokens).toMatchObject({ token_type: 'Bearer', refresh_token: text, id_token: text })
    expect(await whoHas(String(tokens['access_token']))).toMatchObject({ username: 'ada' })
    expect((await call(emulator, '/users/@me', guest)).headers.get('x-emulator-rule')).toMatch(/merged/)
    expect(await codeOf(await provisional(emulator, 'emu:sam'))).toEqual([400, 530_010, text])
    expect((await merge(emulator, 'emu:sam')).status).toBe(200)
  })

  it('accepts a provisional access token instead of an external one, for accounts of the backend', async () => {
    const guest = await tokenOf(await provisionalByBot(emulator, { external_user_id: 'u-1' }))
    expect((await merge(emulator, guest, { type: 'SERVICE_BOT_ISSUED_ACCESS_TOKEN' })).status).toBe(200)
    expect(await codeOf(await provisionalByBot(emulator, { external_user_id: 'u-1' }))).toEqual([
      400,
      530_010,
      text,
    ])
  })

  it('works in the device flow, too, after the player has approved', async () => {
    const guest = await tokenOf(await provisional(emulator, 'emu:sam'))
    const device = await json(
      await postForm(emulator, '/oauth2/device/authorize', { scope: 'openid sdk.social_layer' }),
    )
    const fields = {
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code: String(device['device_code']),
    }
    const ask = () =>
      postForm(emulator, '/oauth2/token', {
        ...fields,
        external_auth_type: 'OIDC',
        external_auth_token: 'emu:sam',
      })
    expect((await rejectionOf(await ask())).error).toBe('authorization_pending')
    expect((await call(emulator, '/users/@me', guest)).status).toBe(200)
    await emulator.device({ userCode: String(device['user_code']), as: 'bruno' })
    expect(await whoHas(await tokenOf(await ask()))).toMatchObject({ username: 'bruno' })
    expect(await codeOf(await provisional(emulator, 'emu:sam'))).toEqual([400, 530_010, text])
  })

  it.each([
    [403, 50_025, 'emu:sam!invalid'],
    [403, 50_025, 'no external token'],
    [400, 530_016, 'emu:sam!provisional-destination'],
    [400, 530_017, 'emu:sam!banned'],
    [400, 530_001, 'emu:sam!expired'],
  ])('is rejected with %i and %i for %s', async (status, code, token) => {
    expect(await codeOf(await merge(emulator, token))).toEqual([status, code, text])
  })

  it('is rejected with 530023 if the identity belongs to another full account', async () => {
    await merge(emulator, 'emu:sam', { as: 'ada' })
    expect(await codeOf(await merge(emulator, 'emu:sam', { as: 'bruno' }))).toEqual([400, 530_023, text])
  })

  it('is rejected with 530014 for the token of a full account, and with 50025 for an invalid one', async () => {
    const type = 'SERVICE_BOT_ISSUED_ACCESS_TOKEN'
    const { accessToken } = await signIn(emulator, 'bruno')
    expect(await codeOf(await merge(emulator, accessToken, { type }))).toEqual([400, 530_014, text])
    expect(await codeOf(await merge(emulator, 'emu_access_wrong', { type }))).toEqual([403, 50_025, text])
  })

  it('is locked once, and then succeeds with the same code', async () => {
    const responses = []
    const device = await json(
      await postForm(emulator, '/oauth2/device/authorize', { scope: 'openid sdk.social_layer' }),
    )
    await emulator.device({ userCode: String(device['user_code']), as: 'ada' })
    const fields = {
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code: String(device['device_code']),
    }
    for (let time = 0; time < 2; time++)
      responses.push(
        await postForm(emulator, '/oauth2/token', {
          ...fields,
          external_auth_type: 'OIDC',
          external_auth_token: 'emu:lena!locked',
        }),
      )
    expect(responses.map(({ status }) => status)).toEqual([423, 200])
    emulator.reset()
    expect((await merge(emulator, 'emu:lena!locked')).status).toBe(423)
  })

  it('changes nothing if the code is rejected', async () => {
    const guest = await tokenOf(await provisional(emulator, 'emu:sam'))
    const fields = {
      grant_type: 'authorization_code',
      code: 'made-up',
      redirect_uri: 'http://127.0.0.1:1/callback',
      code_verifier: 'x'.repeat(43),
    }
    const reply = await postForm(emulator, '/oauth2/token', {
      ...fields,
      external_auth_type: 'OIDC',
      external_auth_token: 'emu:sam',
    })
    expect(await rejectionOf(reply)).toMatchObject({ status: 400, error: 'invalid_grant' })
    expect((await call(emulator, '/users/@me', guest)).status).toBe(200)
  })
})

describe('an unmerge', () => {
  it('revokes the tokens of the full account, and gives the identity a new provisional one', async () => {
    const before = (await whoHas(await tokenOf(await provisional(emulator, 'emu:sam'))))['id']
    const tokens = await json(await merge(emulator, 'emu:sam'))
    expect(
      (await post(emulator, '/provisional-accounts/unmerge', { body: external(emulator, 'emu:sam') })).status,
    ).toBe(204)
    expect((await call(emulator, '/users/@me', String(tokens['access_token']))).status).toBe(401)
    expect((await refresh(emulator, String(tokens['refresh_token']))).status).toBe(400)
    const after = (await whoHas(await tokenOf(await provisional(emulator, 'emu:sam'))))['id']
    expect(after).not.toBe(before)
    expect(after).not.toBe(emulator.users[0]?.id)
  })

  it('is available to the backend for its own user', async () => {
    const authorization = `Bot ${emulator.application.botToken}`
    const unmerge = () =>
      post(emulator, '/provisional-accounts/unmerge/bot', {
        body: { external_user_id: 'u-1' },
        authorization,
      })
    const guest = await tokenOf(await provisionalByBot(emulator, { external_user_id: 'u-1' }))
    expect(await codeOf(await unmerge())).toEqual([400, 50_229, text])
    await merge(emulator, guest, { type: 'SERVICE_BOT_ISSUED_ACCESS_TOKEN' })
    expect((await unmerge()).status).toBe(204)
    expect((await provisionalByBot(emulator, { external_user_id: 'u-1' })).status).toBe(200)
  })

  it('is rejected with 50229 for a provisional account, and with 404 for an unknown identity', async () => {
    const unmerge = () =>
      post(emulator, '/provisional-accounts/unmerge', { body: external(emulator, 'emu:sam') })
    expect(await codeOf(await unmerge())).toEqual([404, 10_013, text])
    await provisional(emulator, 'emu:sam')
    expect(await codeOf(await unmerge())).toEqual([400, 50_229, text])
  })

  it('happens when the player revokes the application’s authorization', async () => {
    await merge(emulator, 'emu:sam')
    emulator.tokens({ user: 'ada', action: 'expire' })
    expect(await codeOf(await provisional(emulator, 'emu:sam'))).toEqual([400, 530_010, text])
    emulator.tokens({ user: 'ada', action: 'revoke' })
    expect((await provisional(emulator, 'emu:sam')).status).toBe(200)
  })
})

function exchange(parent: string, changes: Record<string, unknown> = {}): Promise<Response> {
  const [child] = emulator.application.children
  return post(emulator, '/child-token', {
    body: { parent_access_token: parent, child_application_id: child?.id, ...changes },
  })
}

describe('a child application', () => {
  it('gets a token that expires with its parent token and names the child', async () => {
    const { accessToken, scopes } = await signIn(emulator)
    emulator.advance(600_000_000)
    const body = await json(
      await exchange(accessToken, { parent_client_secret: emulator.application.clientSecret }),
    )
    expect(body).toEqual({
      access_token: text,
      token_type: 'Bearer',
      expires_in: expect.any(Number),
      scope: scopes.join(' '),
    })
    expect(Math.abs(Number(body['expires_in']) - 4800)).toBeLessThan(60)
    const current = await json(await call(emulator, '/oauth2/@me', String(body['access_token'])))
    expect(current['application']).toMatchObject({
      id: emulator.application.children[0]?.id,
      name: 'Example Game: Arena',
    })
    emulator.advance(4_801_000)
    expect((await call(emulator, '/users/@me', String(body['access_token']))).status).toBe(401)
  })

  it('keeps its token when the parent token is refreshed, and loses it when that is revoked', async () => {
    const { accessToken, refreshToken } = await signIn(emulator)
    const child = await tokenOf(await exchange(accessToken))
    const { access_token: next } = await json(await refresh(emulator, refreshToken))
    expect((await call(emulator, '/users/@me', child)).status).toBe(200)
    await postForm(emulator, '/oauth2/token/revoke', { token: String(next) })
    expect((await call(emulator, '/users/@me', child)).headers.get('x-emulator-rule')).toMatch(/revoked/)
  })

  it('revokes its own token without affecting the parent token', async () => {
    const { accessToken } = await signIn(emulator)
    const child = await tokenOf(await exchange(accessToken))
    await postForm(emulator, '/oauth2/token/revoke', {
      token: child,
      client_id: String(emulator.application.children[0]?.id),
    })
    expect((await call(emulator, '/users/@me', child)).status).toBe(401)
    expect((await call(emulator, '/users/@me', accessToken)).status).toBe(200)
  })

  it.each([
    [[403, 50_025], 'a parent token that does not work', { parent_access_token: 'emu_access_wrong' }],
    [[404, 10_002], 'an application that is no child', { child_application_id: '42' }],
    [[400, 530_007], 'a wrong secret', { parent_client_secret: 'emu_client_wrong' }],
    [[400, 50_035], 'a missing field', { child_application_id: undefined }],
  ])('is rejected with %j for %s', async (refusal, _case, changes) => {
    const { accessToken } = await signIn(emulator)
    expect(await codeOf(await exchange(accessToken, changes))).toEqual([...refusal, text])
  })

  it('has no children of its own', async () => {
    const { accessToken } = await signIn(emulator)
    expect(await codeOf(await exchange(await tokenOf(await exchange(accessToken))))).toEqual([
      403,
      50_025,
      text,
    ])
  })
})
