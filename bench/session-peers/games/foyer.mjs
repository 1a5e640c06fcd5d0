import { clientSecret, createSessionHandler, memorySessionStore } from '../../../dist/server/index.js'
import { Client } from '../../../dist/index.js'

// What a game writes in its backend and in its page.
export const createBackend = ({ applicationId, secret, service, origin }) =>
  createSessionHandler({
    applicationId,
    service,
    credentials: clientSecret(secret),
    origins: [origin],
    store: memorySessionStore(),
  })

export const createPage = (options, address = '/session') =>
  new Client({ ...options, backendSession: address })
export const signIn = (client) => client.signIn()
export const resume = (client) => client.resume()
export const signOut = (client) => client.signOut()
