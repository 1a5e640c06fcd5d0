/** Redeeming a code: the SDK with every check, compared with reading the same responses with `json()` and verifying the signature alone. In Node and in a page. */
import { AuthorizationResult, Client } from 'foyer-sdk'
import { compare, type Comparison, type Round } from '../measure'

const HOST = 'https://service.example'
const APPLICATION = '1234567890123456789'
const REDIRECT_URI = 'https://game.example/callback.html'
const RS256 = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
const TEXT = new TextEncoder()

export async function run(): Promise<Comparison> {
  const { publicKey, idToken, keys } = await issue()
  const tokenAnswer = JSON.stringify({
    access_token: 'a'.repeat(40),
    token_type: 'Bearer',
    expires_in: 604_800,
    scope: 'openid',
    id_token: idToken,
  })
  const keyAnswer = JSON.stringify(keys)
  const answer = (url: string) =>
    new Response(url.endsWith('/keys') ? keyAnswer : tokenAnswer, {
      headers: { 'content-type': 'application/json' },
    })
  const client = new Client({
    applicationId: APPLICATION,
    service: { host: HOST },
    fetch: async (url) => answer(url),
  })

  const ours: Round = async (operations) => {
    const begin = performance.now()
    for (let operation = 0; operation < operations; operation++) {
      const { claims } = await client.getToken(
        AuthorizationResult.fromTrustedCode('code', REDIRECT_URI),
        'v'.repeat(43),
      )
      if (claims?.sub !== '1') throw new Error('The token was not verified.')
    }
    return performance.now() - begin
  }
  const peer: Round = async (operations) => {
    const begin = performance.now()
    for (let operation = 0; operation < operations; operation++) {
      const body: { id_token: string } = await answer('/token').json()
      const [head = '', claims = '', signature = ''] = body.id_token.split('.')
      const valid = await crypto.subtle.verify(
        RS256,
        publicKey,
        decode(signature),
        TEXT.encode(`${head}.${claims}`),
      )
      const { sub }: { sub: string } = JSON.parse(new TextDecoder().decode(decode(claims)))
      if (!valid || sub !== '1') throw new Error('The token was not verified.')
    }
    return performance.now() - begin
  }
  return compare(ours, peer, { rounds: 30, operations: 100 })
}

/** Creates a signing key of the service, and a token signed with it. */
async function issue() {
  const algorithm = { ...RS256, modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) }
  const { privateKey, publicKey } = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const keys = {
    keys: [{ ...(await crypto.subtle.exportKey('jwk', publicKey)), kid: 'k', alg: 'RS256', use: 'sig' }],
  }
  const iat = Math.floor(Date.now() / 1000)
  const input = [
    { alg: 'RS256', kid: 'k', typ: 'JWT' },
    { iss: HOST, aud: APPLICATION, sub: '1', iat, exp: iat + 3600 },
  ]
    .map((part) => encode(TEXT.encode(JSON.stringify(part))))
    .join('.')
  const signature = new Uint8Array(await crypto.subtle.sign(RS256, privateKey, TEXT.encode(input)))
  return { publicKey, keys, idToken: `${input}.${encode(signature)}` }
}

const encode = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

const decode = (text: string) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))
