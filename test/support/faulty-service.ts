/** An OAuth server over HTTP with keys of its own: correct by default, and wrong in the one way that a test sets. Every player approves at once. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { CompactSign } from 'jose'
import { listen } from './loopback'
import { createKey, type SigningKey, USER_ID } from './token-issuer'

export interface ServiceFault {
  /** Changes the parameters of the callback. */
  callback?: (parameters: URLSearchParams) => void
  /** Changes claims of the ID token; undefined omits one. */
  claims?: Record<string, unknown>
  /** Changes the signed ID token. */
  idToken?: (token: string) => string
  /** Replaces fields of the token response. */
  tokens?: Record<string, unknown>
  /** Response to a token request in place of the tokens. */
  tokenResponse?: { status: number; type?: string; body: string }
  /** Publishes keys other than the one that signs. */
  rotated?: boolean
  /** Status of the keys endpoint. */
  keysStatus?: number
  /** Leaves out the headers that let a page of another origin read the token response. */
  withoutCors?: boolean
}

export interface FaultyService {
  url: string
  close: () => Promise<void>
}

export async function startFaultyService(fault: ServiceFault): Promise<FaultyService> {
  const [key, other] = await Promise.all([createKey('ES256', 'k1'), createKey('ES256', 'k2')])
  const nonces = new Map<string, string>()
  const service = { url: '', close: async () => {} }
  const routes: Record<string, (request: IncomingMessage, url: URL) => Promise<Reply>> = {
    '/oauth2/authorize': async (_, { searchParams }) => authorize(searchParams),
    '/api/v10/oauth2/keys': async () =>
      json(fault.keysStatus ?? 200, { keys: [(fault.rotated ? other : key).jwk] }),
    '/api/v10/oauth2/token': async (request) => redeem(new URLSearchParams(await text(request))),
  }

  function authorize(asked: URLSearchParams): Reply {
    nonces.set('code-1', asked.get('nonce') ?? '')
    const parameters = new URLSearchParams({
      code: 'code-1',
      state: asked.get('state') ?? '',
      iss: service.url,
    })
    fault.callback?.(parameters)
    return { status: 302, headers: { location: `${asked.get('redirect_uri')}?${parameters}` }, body: '' }
  }

  async function redeem(form: URLSearchParams): Promise<Reply> {
    if (fault.tokenResponse) {
      const { status, type = 'application/json', body } = fault.tokenResponse
      return { status, headers: { 'content-type': type }, body }
    }
    const now = Math.floor(Date.now() / 1000)
    const honest = {
      iss: service.url,
      sub: USER_ID,
      aud: form.get('client_id'),
      exp: now + 3600,
      iat: now,
      nonce: nonces.get('code-1'),
    }
    const signed = await sign(key, { ...honest, ...fault.claims })
    const pair = {
      access_token: 'access-1',
      refresh_token: 'refresh-1',
      id_token: fault.idToken?.(signed) ?? signed,
    }
    return json(200, {
      ...pair,
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'openid sdk.social_layer',
      ...fault.tokens,
    })
  }

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    const route = routes[url.pathname]
    const cors = fault.withoutCors && url.pathname.endsWith('/token') && request.method === 'POST' ? {} : CORS
    const notFound: Reply = { status: request.method === 'OPTIONS' ? 204 : 404, headers: {}, body: '' }
    const reply = route && request.method !== 'OPTIONS' ? route(request, url) : Promise.resolve(notFound)
    reply.then(
      (result) => send(response, result, cors),
      () => response.writeHead(500).end(),
    )
  })
  const { port, close } = await listen(server)
  return Object.assign(service, { url: `http://127.0.0.1:${port}`, close })
}

interface Reply {
  status: number
  headers: Record<string, string>
  body: string
}

const CORS = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' }

function json(status: number, body: unknown): Reply {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
}

function send(
  response: ServerResponse,
  { status, headers, body }: Reply,
  cors: Record<string, string>,
): void {
  response.writeHead(status, { ...cors, ...headers }).end(body)
}

function sign({ alg, privateKey, jwk }: SigningKey, claims: Record<string, unknown>): Promise<string> {
  const header = { alg, kid: jwk.kid, typ: 'JWT' }
  return new CompactSign(new TextEncoder().encode(JSON.stringify(claims)))
    .setProtectedHeader(header)
    .sign(privateKey)
}
