/** A browser with cookies in front of a session handler: sends what a browser would send, and keeps what it would keep. */
import { createHash, randomBytes } from 'node:crypto'
import type { Emulator } from 'foyer-emulator'

export const GAME = 'http://localhost:5173'
const REDIRECT = `${GAME}/callback.html`

type Answer = Readonly<Record<string, unknown>>

export class SessionBrowser {
  readonly cookies = new Map<string, string>()
  /** Every `Set-Cookie` that arrived. */
  readonly setCookies: string[] = []
  readonly #handler: (request: Request) => Promise<Response>
  readonly #origin: string

  constructor(handler: (request: Request) => Promise<Response>, { origin = GAME }: { origin?: string } = {}) {
    this.#handler = handler
    this.#origin = origin
  }

  async send(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers)
    if (!headers.has('cookie'))
      headers.set('cookie', Array.from(this.cookies, ([name, value]) => `${name}=${value}`).join('; '))
    const response = await this.#handler(
      new Request(this.#origin + path, { redirect: 'manual', ...init, headers }),
    )
    for (const line of response.headers.getSetCookie()) this.#keep(line)
    return response
  }

  /** A POST of a page. */
  post(name: string, body: object = {}, headers: Record<string, string> = {}): Promise<Response> {
    const sent = {
      'content-type': 'application/json',
      origin: this.#origin,
      'sec-fetch-site': 'same-origin',
      ...headers,
    }
    return this.send(`/session/${name}`, { method: 'POST', body: JSON.stringify(body), headers: sent })
  }

  async ask(name: string, body?: object): Promise<Answer> {
    const response = await this.post(name, body)
    return { status: response.status, ...((await response.json()) as Answer) }
  }

  async signIn(emulator: Emulator, as = 'ada'): Promise<Answer> {
    return this.ask('sign-in', await codeFor(emulator, as))
  }

  #keep(line: string): void {
    this.setCookies.push(line)
    const [pair = ''] = line.split(';')
    const at = pair.indexOf('=')
    if (line.includes('Max-Age=0')) this.cookies.delete(pair.slice(0, at))
    else this.cookies.set(pair.slice(0, at), pair.slice(at + 1))
  }
}

/** A code as a page receives it, with the verifier and the nonce that the page made. */
export async function codeFor(emulator: Emulator, as = 'ada') {
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

/** Name of the cookie of a game's session on this machine. */
export const sessionCookieOf = (applicationId: string): string =>
  `foyer-session-${applicationId}-${new URL(GAME).port}`

export const hashOf = (token: unknown): string =>
  createHash('sha256').update(String(token)).digest('base64url')
