/** A game with a public client of the service's program, unchanged, in place of one with the SDK. */
import { Client } from '@xhayper/discord-rpc'

/** `folder`: of a program that was started with the brand `discord`, the only name for which the client looks. */
export async function startPublicGame(folder: string, clientId: string): Promise<Client> {
  const { XDG_RUNTIME_DIR: before } = process.env
  process.env['XDG_RUNTIME_DIR'] = folder
  const client = new Client({ clientId })
  try {
    await client.connect()
  } finally {
    if (before === undefined) delete process.env['XDG_RUNTIME_DIR']
    else process.env['XDG_RUNTIME_DIR'] = before
  }
  // A program that ends first is no fault of a test.
  client.transport.on('error', () => undefined)
  return client
}
