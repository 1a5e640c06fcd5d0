/** A game's client in the test's own process, at a token service that stands there too. */
import { Client, type ClientOptions } from 'foyer-sdk'
import { onTestFinished } from 'vitest'
import { CLIENT_ID, HOST, type TokenService } from './token-service'

/** Closed when the test is over. */
export function createClientAt({ fetch, clock }: TokenService, options: Partial<ClientOptions> = {}): Client {
  const client = new Client({ applicationId: CLIENT_ID, service: { host: HOST }, fetch, clock, ...options })
  onTestFinished(() => client.close())
  return client
}
