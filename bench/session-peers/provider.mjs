/** An OpenID provider in this process, at an address that exists nowhere: it counts requests, rotates refresh tokens, and lies on request. */
import { createHash, randomUUID } from 'node:crypto'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'

export const ISSUER = 'https://login.example/'
export const CLIENT_ID = '1287654321098765433'
export const CLIENT_SECRET = 'a-client-secret-of-32-characters'
const PLAYER = '175928847299117063'

const ENDPOINTS = {
  authorization_endpoint: 'authorize',
  token_endpoint: 'token',
  userinfo_endpoint: 'userinfo',
  jwks_uri: 'keys',
}

export class Provider {
  /** Requests of backends and pages, as `GET keys`. */
  requests = []
  /** Changes the claims of the next ID tokens. */
  lie = (claims) => claims
  /** Signs with a key that is not published. */
  isForged = false
  /** s that access tokens last. */
  lifetime = 3600
  #codes = new Map()
  #refreshTokens = new Set()
  #keys

  async open() {
    const [own, foreign] = await Promise.all([generateKeyPair('ES256'), generateKeyPair('ES256')])
    this.#keys = {
      own: own.privateKey,
      foreign: foreign.privateKey,
      published: await exportJWK(own.publicKey),
    }
    return this
  }

  /** The player approves. Returns the callback. */
  approve(address) {
    const { searchParams } = new URL(address)
    const code = randomUUID()
    this.#codes.set(code, Object.fromEntries(searchParams))
    const callback = new URL(searchParams.get('redirect_uri'))
    callback.search = new URLSearchParams({ code, state: searchParams.get('state'), iss: ISSUER }).toString()
    return callback.href
  }

  async fetch(input, init) {
    const request = new Request(input, init)
    const path = request.url.slice(ISSUER.length)
    this.requests.push(`${request.method} ${path}`)
    if (path === '.well-known/openid-configuration') return Response.json(discovery())
    if (path === 'keys')
      return Response.json({ keys: [{ ...this.#keys.published, kid: 'own', alg: 'ES256', use: 'sig' }] })
    if (path === 'userinfo') return Response.json({ sub: PLAYER, name: 'Ada Quinn' })
    // What Foyer asks for the player's name.
    if (path === 'api/v10/users/@me')
      return Response.json({ id: PLAYER, username: 'ada', global_name: 'Ada Quinn' })
    if (path === 'token') return this.#grant(new URLSearchParams(await request.text()))
    return new Response(null, { status: 404 })
  }

  async #grant(form) {
    // A response takes a moment: parallel requests overlap.
    await new Promise((resolve) => void setTimeout(resolve, 20))
    if (form.get('grant_type') === 'refresh_token') {
      if (!this.#refreshTokens.delete(form.get('refresh_token')))
        return Response.json({ error: 'invalid_grant' }, { status: 400 })
      return this.#tokens()
    }
    const asked = this.#codes.get(form.get('code'))
    this.#codes.delete(form.get('code'))
    const fits = asked && asked.code_challenge === hashOf(form.get('code_verifier') ?? '')
    return fits ? this.#tokens(asked.nonce) : Response.json({ error: 'invalid_grant' }, { status: 400 })
  }

  async #tokens(nonce) {
    const refreshToken = `refresh-${randomUUID()}`
    this.#refreshTokens.add(refreshToken)
    const now = Math.floor(Date.now() / 1000)
    const claims = this.lie({
      iss: ISSUER,
      sub: PLAYER,
      aud: CLIENT_ID,
      iat: now,
      exp: now + 3600,
      ...(nonce && { nonce }),
    })
    const idToken = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'ES256', kid: 'own' })
      .sign(this.isForged ? this.#keys.foreign : this.#keys.own)
    const pair = { access_token: `access-${randomUUID()}`, refresh_token: refreshToken, id_token: idToken }
    return Response.json({
      ...pair,
      token_type: 'Bearer',
      expires_in: this.lifetime,
      scope: 'openid offline_access',
    })
  }
}

const hashOf = (text) => createHash('sha256').update(text).digest('base64url')

function discovery() {
  return {
    issuer: ISSUER,
    ...Object.fromEntries(Object.entries(ENDPOINTS).map(([name, path]) => [name, ISSUER + path])),
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  }
}
