/** `oidc-client-ts` with the endpoints in its settings, so that it fetches no discovery document. */
import { UserManager, WebStorageStateStore } from 'oidc-client-ts'
import { askPlayer, ENDPOINTS, onClick, REDIRECT_URI, report, SCOPES, service } from './page'

const manager = new UserManager({
  authority: service.host,
  metadata: ENDPOINTS,
  client_id: service.clientId,
  redirect_uri: REDIRECT_URI,
  scope: SCOPES,
  userStore: new WebStorageStateStore({ store: localStorage }),
})
if (location.pathname === '/callback.html') void manager.signinPopupCallback()
else void report(manager.getUser().then((user) => user && knownPlayer(user.profile.sub)))
onClick(async () => {
  const player = await askPlayer((await manager.signinPopup()).access_token)
  localStorage.setItem('name', player.name ?? '')
  return player
})

/** The library stores no name that is not in the ID token. */
function knownPlayer(id: string) {
  return { id, name: localStorage.getItem('name') ?? undefined }
}
