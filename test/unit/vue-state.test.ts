/** A client and its secrets in the state of Vue, which makes a proxy of each plain object. */
import { Client, Secret } from 'foyer-sdk'
import { expect, it } from 'vitest'
import { reactive, ref } from 'vue'
import { ManualClock } from '../support/manual-clock'

/** A client whose events the test emits. */
class EmittingClient extends Client {
  announce(): void {
    this.emit('log', { level: 'info', step: 'of the client', data: {} })
  }
}

const createClient = () =>
  new EmittingClient({
    applicationId: '1082700000000000001',
    service: { host: 'https://service.test' },
    clock: new ManualClock(),
    fetch: async () => Response.error(),
  })

it.each<[string, (client: Client) => object]>([
  ['reactive() of Vue', (client) => reactive(client)],
  ['ref() of Vue', (client) => Object(ref(client).value)],
])('a client in %s works, and its events arrive', async (_, wrap) => {
  const client = createClient()
  const proxy = wrap(client) as Client
  const steps: string[] = []
  proxy.on('log', ({ step }) => steps.push(step))
  expect([
    proxy.session,
    proxy.status,
    Array.from(proxy.lobbies, ({ id }) => id),
    proxy.rateLimits,
    proxy.applicationId,
  ]).toEqual([null, 'disconnected', [], [], '1082700000000000001'])
  expect(await proxy.resume()).toBeNull()
  proxy.pauseRefresh()()
  await expect(proxy.lobbies.fetchGuilds()).rejects.toMatchObject({ code: 'signed_out' })
  await expect(proxy.signIn()).rejects.toMatchObject({ code: 'unsupported' })
  expect(await proxy.signOut()).toEqual(await client.signOut())
  client.announce()
  expect(steps).toContain('of the client')
  proxy.close()
  await expect(client.signIn()).rejects.toMatchObject({ code: 'closed' })
})

it('a secret in the state of Vue can be revealed', () => {
  const state = reactive({ session: { tokens: { accessToken: new Secret('the-token') } } })
  expect(state.session.tokens.accessToken.reveal()).toBe('the-token')
})
