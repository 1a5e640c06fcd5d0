/** Beginning a sign-in: the SDK, synchronous up to the URL, beside the usual sequence of WebCrypto calls. Runs in Node and in a page. */
import { Client } from 'foyer-sdk'
import { compare, type Comparison, type Round } from '../measure'

const HOST = 'https://service.example'
const APPLICATION = '1234567890123456789'
const REDIRECT_URI = 'https://game.example/callback.html'
const SCOPES = 'openid sdk.social_layer'
/** A client keeps this many attempts at once. */
const ATTEMPTS = 8

/** `createAuthorizationCodeVerifier`, then `authorize` with its challenge, up to the moment where the page would open. */
const ours: Round = async (operations) => {
  const clients = Array.from({ length: operations / ATTEMPTS }, () => new Client({ applicationId: APPLICATION, service: { host: HOST } }))
  const attempts: Promise<unknown>[] = []
  const never = new Promise<string>(() => {})
  let opened = 0
  const open = (url: string): Promise<string> => {
    opened += url.length > 0 ? 1 : 0
    return never
  }
  const surface = { redirectUri: () => REDIRECT_URI, open }
  const begin = performance.now()
  for (const client of clients) {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const { challenge } = client.createAuthorizationCodeVerifier()
      attempts.push(client.authorize({ scopes: SCOPES, codeChallenge: challenge }, { surface }))
    }
  }
  const time = performance.now() - begin
  if (opened !== operations) throw new Error(`${opened} of ${operations} pages were opened.`)
  // Ends what was begun, outside the measured time.
  const settled = Promise.allSettled(attempts)
  for (const client of clients) client.close()
  await settled
  return time
}

/** Random verifier, state and nonce, the digest awaited, the URL built: what a client on WebCrypto does. */
const peer: Round = async (operations) => {
  let opened = 0
  const begin = performance.now()
  for (let operation = 0; operation < operations; operation++) opened += (await beginWithWebCrypto()).length > 0 ? 1 : 0
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
