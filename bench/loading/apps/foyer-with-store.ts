/** Foyer with a store: a player who comes back is signed in. */
import { Client, localStorageStore } from 'foyer-sdk'
import { onClick, report, service } from './page'

const client = new Client({
  applicationId: service.clientId,
  service: { host: service.host },
  tokenStore: localStorageStore(),
})
onClick(async () => (await client.signIn()).userId)
void report(client.resume().then((session) => session?.userId))
