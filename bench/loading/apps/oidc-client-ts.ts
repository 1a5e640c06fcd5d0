/** `oidc-client-ts` with the endpoints in its settings, so that it fetches no discovery document. */
import { UserManager, WebStorageStateStore } from 'oidc-client-ts'
import { ENDPOINTS, onClick, REDIRECT_URI, report, SCOPES, service } from './page'

const manager = new UserManager({
  authority: service.host,
  metadata: ENDPOINTS,
  client_id: service.clientId,
  redirect_uri: REDIRECT_URI,
  scope: SCOPES,
  userStore: new WebStorageStateStore({ store: localStorage }),
})
if (location.pathname === '/callback.html') void manager.signinPopupCallback()
else void report(manager.getUser().then((user) => user?.profile.sub))
onClick(async () => (await manager.signinPopup()).profile.sub)
