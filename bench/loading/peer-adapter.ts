/**
 * Lets two peers speak to the service, without a further request of the page: the paths of Auth0, which `auth0-spa-js` cannot change, and
 * a token endpoint that accepts credentials and returns JWTs for `keycloak-js`.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Emulator } from 'foyer-emulator'
import { listen, type Listening } from '../../test/support/loopback'

/** Address to which the service returns instead of the game's: Auth0 posts the response to the opener itself. */
const RETURN_PATH = '/callback.html'

/** Auth0's page for `response_mode=web_message`. */
const MESSAGE = `<!doctype html><title>Callback</title><script>
opener.postMessage({ type: 'authorization_response', response: Object.fromEntries(new URLSearchParams(location.search)) }, '*')
</script>`

export async function startAdapter(emulator: Emulator): Promise<Listening> {
  const listening: Listening = await listen(
    createServer(
      (request, response) =>
        void answer(request, response, { emulator, origin: () => `http://localhost:${listening.port}` }),
    ),
  )
  return listening
}

interface Context {
  emulator: Emulator
  origin: () => string
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { emulator, origin }: Context,
): Promise<void> {
  const url = new URL(request.url ?? '/', origin())
  response.setHeader('access-control-allow-origin', request.headers.origin ?? '*')
  response.setHeader('access-control-allow-credentials', 'true')
  response.setHeader('access-control-allow-headers', request.headers['access-control-request-headers'] ?? '*')
  if (url.pathname === RETURN_PATH) response.setHeader('content-type', 'text/html').end(MESSAGE)
  else if (url.pathname === '/authorize') {
    url.searchParams.delete('response_mode')
    url.searchParams.set('redirect_uri', origin() + RETURN_PATH)
    response.writeHead(302, { location: `${emulator.url}/oauth2/authorize${url.search}` }).end()
  } else if (request.method === 'POST' && url.pathname === '/token')
    await pass(response, { form: new URLSearchParams(await text(request)), emulator })
  else if (request.method === 'POST') await redeem(request, response, { emulator, origin })
  else response.writeHead(204).end()
}

/** Redeems a code for `keycloak-js`, which reads every token as a JWT, as Keycloak's are. */
async function pass(
  response: ServerResponse,
  request: { form: URLSearchParams; emulator: Emulator },
): Promise<void> {
  const { status, tokens } = await sendForm(request)
  response.writeHead(status, { 'content-type': 'application/json' }).end(
    JSON.stringify({
      ...tokens,
      access_token: withClaims(tokens.id_token, { access_token: tokens.access_token }),
      refresh_token: tokens.id_token,
    }),
  )
}

/** Redeems a code for `auth0-spa-js`. */
async function redeem(
  request: IncomingMessage,
  response: ServerResponse,
  { emulator, origin }: Context,
): Promise<void> {
  const form = new URLSearchParams(await text(request))
  form.set('redirect_uri', origin() + RETURN_PATH)
  const { status, tokens } = await sendForm({ form, emulator })
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ ...tokens, id_token: withClaims(tokens.id_token, { iss: `${origin()}/` }) }))
}

async function sendForm({ form, emulator }: { form: URLSearchParams; emulator: Emulator }) {
  const response = await fetch(`${emulator.url}/api/v10/oauth2/token`, { method: 'POST', body: form })
  const tokens: { id_token: string; access_token: string } = await response.json()
  return { status: response.status, tokens }
}

/** The signature is then wrong, which neither library checks. Auth0 signs with its domain as the issuer. */
function withClaims(token: string, added: Readonly<Record<string, string>>): string {
  const [header, claims = '', signature] = token.split('.')
  const changed = { ...JSON.parse(Buffer.from(claims, 'base64url').toString()), ...added }
  return [header, Buffer.from(JSON.stringify(changed)).toString('base64url'), signature].join('.')
}
