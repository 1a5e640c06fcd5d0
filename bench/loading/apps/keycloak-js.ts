/** `keycloak-js`, which leaves the page for the consent and comes back to it. */
import Keycloak from 'keycloak-js'
import { askPlayer, ENDPOINTS, onClick, REDIRECT_URI, report, SCOPES, service } from './page'

const keycloak = new Keycloak({
  clientId: service.clientId,
  oidcProvider: { ...ENDPOINTS, token_endpoint: `${service.adapter}/token` },
})
const ready = keycloak.init({ checkLoginIframe: false, responseMode: 'query', pkceMethod: 'S256' })
// The adapter puts the service's access token, which is no JWT, into one.
void report(
  ready.then((isSignedIn) => (isSignedIn ? askPlayer(keycloak.tokenParsed?.['access_token']) : undefined)),
)
onClick(async () => {
  await ready
  await keycloak.login({ redirectUri: REDIRECT_URI, scope: SCOPES })
  return undefined
})
