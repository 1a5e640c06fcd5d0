/** What every game of this benchmark has in common: the service, a button, and the time at which the player is signed in. */

export interface Service {
  readonly host: string
  readonly clientId: string
  /** Address of the adapter for `auth0-spa-js` and `keycloak-js`. */
  readonly adapter: string
}

interface GamePage extends Window {
  service: Service
  /** Epoch ms at which the page has a session and can greet the player, and who that is. */
  signedIn?: { at: number; player: Player }
  /** Why a sign-in failed. */
  failure?: string
}

/** What every game shows of its player. */
export interface Player {
  readonly id: string | undefined
  readonly name: string | undefined
}

declare const window: GamePage

export const service = window.service
export const SCOPES = 'openid sdk.social_layer'
export const REDIRECT_URI = `${location.origin}/callback.html`
export const ENDPOINTS = {
  issuer: service.host,
  authorization_endpoint: `${service.host}/oauth2/authorize`,
  token_endpoint: `${service.host}/api/v10/oauth2/token`,
  jwks_uri: `${service.host}/api/v10/oauth2/keys`,
}

/** The player of an access token, as Foyer asks for it: the ID token has no name. */
export async function askPlayer(accessToken: string | undefined): Promise<Player> {
  const headers = { authorization: `Bearer ${accessToken}` }
  const response = await fetch(`${service.host}/api/v10/users/@me`, { headers, cache: 'no-store' })
  const { id, global_name: name }: { id: string; global_name: string } = await response.json()
  return { id, name }
}

/** Awaits a session; a page without one reports nothing. */
export async function report(session: Promise<Player | null | undefined>): Promise<void> {
  try {
    const player = await session
    if (player) window.signedIn = { at: Date.now(), player }
  } catch (error) {
    window.failure = String(error)
  }
}

export function onClick(signIn: () => Promise<Player | undefined>): void {
  document.querySelector('button')?.addEventListener('click', () => void report(signIn()))
}
