/** What every game of this benchmark has in common: the service, a button, and the time at which the player is signed in. */

export interface Service {
  readonly host: string
  readonly clientId: string
  /** Address of the adapter for `auth0-spa-js` and `keycloak-js`. */
  readonly adapter: string
}

interface GamePage extends Window {
  service: Service
  /** Epoch ms at which the page has a session, and the player's id. */
  signedIn?: { at: number; player: string }
  /** Why a sign-in failed. */
  failure?: string
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

/** Awaits a session; a page without one reports nothing. */
export async function report(session: Promise<string | undefined>): Promise<void> {
  try {
    const player = await session
    if (player !== undefined) window.signedIn = { at: Date.now(), player }
  } catch (error) {
    window.failure = String(error)
  }
}

export function onClick(signIn: () => Promise<string | undefined>): void {
  document.querySelector('button')?.addEventListener('click', () => void report(signIn()))
}
