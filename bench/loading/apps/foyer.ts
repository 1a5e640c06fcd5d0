/** Foyer with its defaults: the session lives in memory. */
import { Client } from 'foyer-sdk'
import { onClick, service } from './page'

const client = new Client({ applicationId: service.clientId, service: { host: service.host } })
onClick(async () => {
  const { userId: id, user } = await client.signIn()
  return { id, name: user.displayName }
})
