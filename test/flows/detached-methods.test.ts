/** Methods of public objects work when they are taken off their object, as `const { use } = emulator.interactions` does. */
import { createEmulator, type Emulator } from 'foyer-emulator'
import { Client } from 'foyer-sdk'
import * as server from 'foyer-sdk/server'
import { afterAll, beforeAll, expect, test } from 'vitest'

let emulator: Emulator
let objects: Record<string, object>

beforeAll(async () => {
  emulator = await createEmulator({ activityUrl: 'http://127.0.0.1:9/' })
  const { id: applicationId, botToken, clientSecret, publicKey } = emulator.application
  const service = { host: emulator.url }
  const application = new server.ApplicationClient({
    applicationId,
    service,
    credentials: server.botToken(botToken),
  })
  const verify = server.createPlayerVerifier({ applicationId, service })
  const client = new Client({ applicationId, service })
  objects = {
    emulator,
    'emulator.activity': emulator.activity,
    'emulator.interactions': emulator.interactions,
    'emulator.gateway': emulator.gateway,
    'emulator.webhooks': emulator.webhooks,
    'emulator.localProgram': await emulator.localProgram({ as: 'ada' }),
    client,
    ...groupsOf('client', client),
    application,
    ...groupsOf('application', application),
    user: new server.UserClient({ applicationId, service, accessToken: 'a-token' }),
    'application.commands.global': application.commands.global,
    'application.commands.guild': application.commands.guild('1'),
    session: server.createSessionHandler({
      applicationId,
      service,
      credentials: server.clientSecret(clientSecret),
      origins: ['https://game.test'],
      store: server.memorySessionStore(),
    }),
    hub: server.createLobbyHub({ client: application, verify }),
    tickets: server.createPlayerTickets({ applicationId, verify, purposes: ['match'] }),
    interactions: server.createInteractionHandler({ publicKey, commands: [] }),
    'memory of sessions': server.memorySessionStore(),
    'memory of purchases': server.memoryPurchaseStore(),
    'memory of replays': server.createReplayMemory(),
  }
})
afterAll(() => emulator.close())

/** The groups of a client, such as `lobbies`. */
const groupsOf = (name: string, owner: object): Record<string, object> =>
  Object.fromEntries(
    Object.entries(owner).flatMap(([key, value]) =>
      typeof value === 'object' && value !== null ? [[`${name}.${key}`, value]] : [],
    ),
  )

/** Names of all methods, inherited ones too. */
function methodsOf(object: object): string[] {
  const names = new Set<string>()
  for (
    let type: object | null = object;
    type && type !== Object.prototype && type !== Function.prototype;
    type = Object.getPrototypeOf(type)
  )
    for (const name of Object.getOwnPropertyNames(type)) if (name !== 'constructor') names.add(name)
  return [...names].filter((name) => typeof Reflect.get(object, name) === 'function')
}

/** They end an object, so that later calls would say no more. */
const isEnd = (name: string) => /^(close|stop|quit|reset)$/.test(name)

/** The error of a call without arguments, also of one that rejects at once. */
async function errorOf(method: unknown, owner: object | undefined): Promise<string> {
  try {
    const result: unknown = typeof method === 'function' && Reflect.apply(method, owner, [])
    await Promise.race([Promise.resolve(result), Promise.resolve()])
    return ''
  } catch (error) {
    return error instanceof TypeError ? error.message : ''
  }
}

test('every method works without its object', async () => {
  const lost: string[] = []
  let methods = 0
  for (const [owner, object] of Object.entries(objects))
    for (const name of methodsOf(object).filter((each) => !isEnd(each))) {
      const method: unknown = Reflect.get(object, name)
      methods += 1
      if ((await errorOf(method, undefined)) !== (await errorOf(method, object)))
        lost.push(`${owner}.${name}`)
    }
  expect(lost).toEqual([])
  expect(methods).toBeGreaterThan(150)
})
