/** `auth0-spa-js`: it speaks only to Auth0's own paths, which the adapter translates. */
import { Auth0Client } from '@auth0/auth0-spa-js'
import { askPlayer, onClick, REDIRECT_URI, SCOPES, service } from './page'

const client = new Auth0Client({
  domain: service.adapter,
  clientId: service.clientId,
  authorizationParams: { redirect_uri: REDIRECT_URI, scope: SCOPES },
})
onClick(async () => {
  await client.loginWithPopup()
  // From the library's cache.
  return askPlayer(await client.getTokenSilently())
})
