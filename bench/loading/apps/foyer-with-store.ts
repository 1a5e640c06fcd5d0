/** Foyer with a store: a player who comes back is signed in. */
import { Client, localStorageStore, type Session } from 'foyer-sdk'
import { onClick, report, service } from './page'

const client = new Client({
  applicationId: service.clientId,
  service: { host: service.host },
  tokenStore: localStorageStore(),
})
const playerOf = ({ userId: id, user }: Session) => ({ id, name: user.displayName })
onClick(async () => playerOf(await client.signIn()))
void report(client.resume().then((session) => session && playerOf(session)))
