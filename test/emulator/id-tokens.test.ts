/** ID tokens of the emulator: a page that redeems a code gets one that names nobody, and nobody else gets one. */
import { afterEach, describe, expect, it } from 'vitest'
import { decodeJwt } from 'jose'
import { createEmulator, type Emulator, type EmulatorOptions } from 'foyer-emulator'

const SCOPE = 'openid sdk.social_layer'
const VERIFIER = 'v'.repeat(43)

let emulator: Emulator
afterEach(() => emulator.close())

interface TokenResponse {
  id_token?: string
  refresh_token: string
  error?: string
  error_description?: string
}

async function post(form: Record<string, string>): Promise<TokenResponse> {
  const response = await fetch(`${emulator.url}/api/v10/oauth2/token`, {
    method: 'POST',
    body: new URLSearchParams(form),
  })
  return (await response.json()) as TokenResponse
}

/** Redeems a code of Ada's. */
async function signIn(redirectUri: string, more: Record<string, string> = {}): Promise<TokenResponse> {
  const { createHash } = await import('node:crypto')
  const challenge = createHash('sha256').update(VERIFIER).digest('base64url')
  const query = {
    response_type: 'code',
    client_id: emulator.application.id,
    scope: SCOPE,
    redirect_uri: redirectUri,
    nonce: 'once',
  }
  const search = new URLSearchParams({
    ...query,
    state: 's'.repeat(22),
    code_challenge: challenge,
    code_challenge_method: 'S256',
  })
  const { redirect } = await emulator.authorize(`${emulator.url}/oauth2/authorize?${search.toString()}`, {
    as: 'ada',
  })
  const code = new URL(redirect).searchParams.get('code') ?? ''
  const grant = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    client_id: emulator.application.id,
  }
  return post({ ...grant, code_verifier: VERIFIER, ...more })
}

const PAGE = 'http://localhost:5173/callback.html'

async function start(options?: EmulatorOptions): Promise<void> {
  emulator = await createEmulator(options)
}

describe('the ID token', () => {
  it('of a page holds the player’s id and names nobody', async () => {
    await start()
    const { id_token: token = '' } = await signIn(PAGE)
    expect(Object.keys(decodeJwt(token)).sort()).toEqual(['aud', 'exp', 'iat', 'iss', 'nonce', 'sub'])
  })

  it('can name the player', async () => {
    await start({ idTokens: { names: true } })
    expect(decodeJwt((await signIn(PAGE)).id_token ?? '')).toMatchObject({
      preferred_username: 'ada',
      nickname: 'Ada Quinn',
    })
  })

  it('is absent from a refresh, if a test says so', async () => {
    for (const onRefresh of [false, true]) {
      await start({ idTokens: { onRefresh } })
      const { refresh_token: token } = await signIn(PAGE)
      const again = await post({
        grant_type: 'refresh_token',
        refresh_token: token,
        client_id: emulator.application.id,
      })
      expect([again.error, again.id_token !== undefined]).toEqual([undefined, onRefresh])
      if (!onRefresh) await emulator.close()
    }
  })

  it('is absent for a URL scheme, a backend and a merge, if a test says so', async () => {
    for (const forEveryGrant of [false, true]) {
      await start({ idTokens: { forEveryGrant } })
      const { clientSecret } = emulator.application
      const merge = { external_auth_type: 'OIDC', external_auth_token: 'emu:sam' }
      const responses = [
        await signIn('mygame:/authorize/callback'),
        await signIn(PAGE, { client_secret: clientSecret }),
        await signIn(PAGE, merge),
      ]
      expect(responses.map((response) => [response.error, response.id_token !== undefined])).toEqual(
        responses.map(() => [undefined, forEveryGrant]),
      )
      if (!forEveryGrant) await emulator.close()
    }
  })
})

describe('an application that is no Public Client', () => {
  it('is refused without its secret, and the response names the switch', async () => {
    await start({ seed: { application: { publicClient: false } } })
    const refused = await signIn(PAGE)
    expect(refused).toMatchObject({
      error: 'invalid_client',
      error_description: expect.stringContaining('Public Client'),
    })
    const { refresh_token: token } = await signIn(PAGE, { client_secret: emulator.application.clientSecret })
    const refresh = { grant_type: 'refresh_token', refresh_token: token, client_id: emulator.application.id }
    expect(await post(refresh)).toMatchObject({ error: 'invalid_client' })
    expect(await post({ ...refresh, client_secret: emulator.application.clientSecret })).toMatchObject({
      refresh_token: expect.any(String),
    })
  })
})

describe('the picture of a player', () => {
  it('is a PNG at the address that the hash leads to; a player without a hash has a default picture', async () => {
    await start()
    const [ada] = emulator.users
    const { createHash } = await import('node:crypto')
    const hash = createHash('md5').update(String(ada?.id)).digest('hex')
    for (const path of [`/avatars/${ada?.id}/${hash}.png`, '/embed/avatars/3.png']) {
      const response = await fetch(emulator.url + path)
      const bytes = new Uint8Array(await response.arrayBuffer())
      expect([response.status, response.headers.get('content-type'), Array.from(bytes.slice(0, 4))]).toEqual([
        200,
        'image/png',
        [137, 80, 78, 71],
      ])
    }
    expect((await fetch(`${emulator.url}/avatars/${ada?.id}/other.png`)).status).toBe(404)
  })
})
