/** Starting a sign-in: the SDK, synchronous up to the URL, compared with the usual sequence of WebCrypto calls. Runs in Node and in a page. */
import { beginAttempt, createServiceConfig, isApplicationId } from '../../test/support/internals'
import { compare, type Comparison, type Round } from '../measure'

const HOST = 'https://service.example'
const APPLICATION = '1234567890123456789'
const REDIRECT_URI = 'https://game.example/callback.html'
const SCOPES = 'openid sdk.social_layer'
const service = createServiceConfig({ host: HOST })
const ARGS = { clientId: requireId(APPLICATION), scopes: SCOPES }

function requireId(id: string) {
  if (!isApplicationId(id)) throw new Error('no id')
  return id
}

/** Work of `authorize` before it opens the page: PKCE pair, state, nonce and URL. */
const ours: Round = async (operations) => {
  let opened = 0
  const begin = performance.now()
  for (let operation = 0; operation < operations; operation++)
    opened += beginAttempt(ARGS, REDIRECT_URI, { service, owner: 'bench', now: 0 }).url.length > 0 ? 1 : 0
  const time = performance.now() - begin
  if (opened !== operations) throw new Error(`${opened} of ${operations} URLs were built.`)
  return time
}

/** Work of a client based on WebCrypto: random verifier, state and nonce, an awaited digest, and the URL. */
const peer: Round = async (operations) => {
  let opened = 0
  const begin = performance.now()
  for (let operation = 0; operation < operations; operation++)
    opened += (await beginWithWebCrypto()).length > 0 ? 1 : 0
  const time = performance.now() - begin
  if (opened !== operations) throw new Error(`${opened} of ${operations} URLs were built.`)
  return time
}

async function beginWithWebCrypto(): Promise<string> {
  const verifier = randomText()
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  const url = new URL(`${HOST}/oauth2/authorize`)
  const parameters = {
    response_type: 'code',
    client_id: APPLICATION,
    redirect_uri: REDIRECT_URI,
    scope: SCOPES,
    state: randomText(),
    nonce: randomText(),
    code_challenge: base64url(new Uint8Array(digest)),
    code_challenge_method: 'S256',
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}

const randomText = (): string => base64url(crypto.getRandomValues(new Uint8Array(32)))

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

export const run = (): Promise<Comparison> => compare(ours, peer)
