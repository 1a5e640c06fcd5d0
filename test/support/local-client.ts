/** A game's client in the test process, connected to a token service in the same process. */
import { Client, type ClientOptions } from 'foyer-sdk'
import { onTestFinished } from 'vitest'
import { CLIENT_ID, HOST, type TokenService } from './token-service'

/** The client is closed after the test. */
export function createClientAt({ fetch, clock }: TokenService, options: Partial<ClientOptions> = {}): Client {
  const client = new Client({ applicationId: CLIENT_ID, service: { host: HOST }, fetch, clock, ...options })
  onTestFinished(() => client.close())
  return client
}
