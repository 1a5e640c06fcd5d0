/** Tokens of players that a backend holds itself, of an application that is no Public Client, against the emulator. */
import { createHash, randomBytes } from 'node:crypto'
import { inspect } from 'node:util'
import { createEmulator, type Emulator } from 'foyer-emulator'
import { Client } from 'foyer-sdk'
import { ApplicationClient, botToken, clientCredentials, clientSecret, FoyerError } from 'foyer-sdk/server'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findPlayer } from '../support/find-player'

const REDIRECT = 'http://localhost:5173/callback.html'
let emulator: Emulator
let backend: ApplicationClient

beforeAll(async () => {
  emulator = await createEmulator({
    seed: { application: { publicClient: false } },
    idTokens: { forEveryGrant: true },
  })
  backend = createBackend()
})
beforeEach(() => emulator.reset())
afterAll(async () => {
  backend.close()
  await emulator.close()
})

function createBackend(secret = emulator.application.clientSecret): ApplicationClient {
  const { id: applicationId } = emulator.application
  return new ApplicationClient({
    applicationId,
    service: { host: emulator.url },
    credentials: clientSecret(secret),
  })
}

/** A code as a page or a backend receives it, and what the request was bound to. */
async function codeOf(as = 'ada') {
  const codeVerifier = randomBytes(32).toString('base64url')
  const nonce = randomBytes(16).toString('base64url')
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: emulator.application.id,
    scope: 'openid sdk.social_layer',
    redirect_uri: REDIRECT,
    state: randomBytes(16).toString('base64url'),
    nonce,
    code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  const { redirect } = await emulator.authorize(`${emulator.url}/oauth2/authorize?${query.toString()}`, {
    as,
  })
  return {
    code: new URL(redirect).searchParams.get('code') ?? '',
    redirectUri: REDIRECT,
    codeVerifier,
    nonce,
  }
}

const from = (externalAuthToken: string) => ({ externalAuthType: 'OIDC', externalAuthToken })
const failure = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'no error',
    (error: unknown) => error,
  )

describe('tokens of a confidential application', () => {
  it('are refused to a page, and exchanged, refreshed and revoked by a backend', async () => {
    const { code, redirectUri, codeVerifier } = await codeOf()
    const grant = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      code_verifier: codeVerifier,
    }
    const form = new URLSearchParams({ ...grant, client_id: emulator.application.id })
    const refused = await fetch(`${emulator.url}/api/v10/oauth2/token`, { method: 'POST', body: form })
    expect(await refused.json()).toMatchObject({ error: 'invalid_client' })

    const tokens = await backend.tokens.exchangeCode(await codeOf())
    expect(tokens.claims).toMatchObject({ sub: findPlayer(emulator, 'ada').id, aud: emulator.application.id })
    const again = await backend.tokens.refresh(tokens.refreshToken ?? '')
    expect(again.accessToken.reveal()).not.toBe(tokens.accessToken.reveal())
    await expect(backend.tokens.refresh(tokens.refreshToken ?? '')).rejects.toMatchObject({
      code: 'invalid_grant',
    })

    const { refreshToken = '' } = await backend.tokens.exchangeCode(await codeOf())
    await backend.tokens.revoke(refreshToken)
    await expect(backend.tokens.refresh(refreshToken)).rejects.toMatchObject({ code: 'invalid_grant' })
  })

  it('are bound to the nonce and the verifier of the request', async () => {
    const { nonce: _, ...unbound } = await codeOf()
    await expect(backend.tokens.exchangeCode(unbound)).rejects.toMatchObject({
      code: 'invalid_id_token',
      path: 'nonce',
    })
    await expect(backend.tokens.exchangeCode({ ...(await codeOf()), nonce: 'other' })).rejects.toMatchObject({
      path: 'nonce',
    })
    await expect(
      backend.tokens.exchangeCode({ ...(await codeOf()), codeVerifier: 'x'.repeat(43) }),
    ).rejects.toMatchObject({
      code: 'invalid_grant',
    })
  })

  it('of provisional accounts, merges and child applications need the secret too', async () => {
    const page = new Client({ applicationId: emulator.application.id, service: { host: emulator.url } })
    await expect(page.accounts.getToken(from('emu:sam'))).rejects.toMatchObject({
      code: 'wrong_client_secret',
    })
    page.close()
    const guest = await backend.tokens.provisional(from('emu:sam'))
    expect([guest.refreshToken, guest.claims?.aud]).toEqual([undefined, emulator.application.id])
    const merged = await backend.tokens.merge({ ...(await codeOf()), ...from('emu:sam') })
    expect(merged.claims?.sub).toBe(findPlayer(emulator, 'ada').id)
    await expect(backend.tokens.provisional(from('emu:sam'))).rejects.toMatchObject({
      code: 'account_not_provisional',
    })
    const child = await backend.tokens.child(merged.accessToken, emulator.application.children[0]?.id ?? '')
    expect(child.scopes).toContain('sdk.social_layer')
    await backend.tokens.unmerge(from('emu:sam'))
    expect((await backend.tokens.provisional(from('emu:sam'))).claims?.sub).not.toBe(merged.claims?.sub)
  })

  it('wait for the limits of the backend, and a 429 repeats the exchange with the same code', async () => {
    const { id: applicationId, clientSecret: secret } = emulator.application
    const service = { host: emulator.url, limits: { 'POST /oauth2/token': { limit: 1, per: 60_000 } } }
    const limited = new ApplicationClient({
      applicationId,
      service,
      credentials: clientSecret(secret),
      maxWait: 100,
    })
    emulator.faults([
      {
        match: { path: '*/oauth2/token' },
        effect: { status: 429, body: { message: 'slow', retry_after: 0.05 } },
      },
    ])
    const tokens = await backend.tokens.exchangeCode(await codeOf())
    const { refreshToken = '' } = await limited.tokens.refresh(tokens.refreshToken ?? '')
    await expect(limited.tokens.refresh(refreshToken)).rejects.toMatchObject({ code: 'rate_limited' })
    expect((await backend.tokens.refresh(refreshToken)).accessToken).toBeDefined()
    limited.close()
  })

  it('are refused with a typed error that holds neither the secret, the code nor a token', async () => {
    const wrong = createBackend('wrong-secret')
    const { code, ...bound } = await codeOf()
    const none = new ApplicationClient({
      applicationId: emulator.application.id,
      service: { host: emulator.url },
      credentials: botToken('bot-secret'),
    })
    const errors = [
      await failure(wrong.tokens.exchangeCode({ code, ...bound })),
      await failure(wrong.tokens.refresh('a-refresh-token')),
      await failure(wrong.tokens.revoke('a-refresh-token')),
      await failure(wrong.tokens.provisional(from('emu:kim'))),
      await failure(none.tokens.refresh('a-refresh-token')),
      await failure(backend.tokens.exchangeCode({ ...bound, code: 'has space' })),
      await failure(Reflect.apply(Reflect.get(backend.tokens, 'exchangeCode'), backend.tokens, [])),
      await failure(wrong.commands.global.list()),
    ]
    expect(errors.map((error) => (error instanceof FoyerError ? error.code : error))).toEqual([
      'invalid_client',
      'invalid_client',
      'invalid_client',
      'wrong_client_secret',
      'invalid_argument',
      'invalid_argument',
      'invalid_argument',
      'invalid_argument',
    ])
    const shown = errors
      .map((error) => inspect(error, { depth: 9 }) + JSON.stringify(error) + String(error))
      .join('\n')
    for (const hidden of [
      'wrong-secret',
      'bot-secret',
      'a-refresh-token',
      code,
      bound.codeVerifier,
      'has space',
    ]) {
      expect(shown).not.toContain(hidden)
    }
    wrong.close()
    none.close()
  })

  it('accept the secret of client credentials, or one beside a bot token', async () => {
    const { id, botToken: token, clientSecret: secret } = emulator.application
    const options = { applicationId: id, service: { host: emulator.url } }
    const clients = [
      new ApplicationClient({
        ...options,
        credentials: clientCredentials({ clientId: id, clientSecret: secret }),
      }),
      new ApplicationClient({ ...options, credentials: botToken(token), clientSecret: secret }),
    ]
    for (const client of clients) {
      expect((await client.tokens.exchangeCode(await codeOf('bruno'))).claims?.sub).toBe(
        findPlayer(emulator, 'bruno').id,
      )
      client.close()
    }
  })
})
