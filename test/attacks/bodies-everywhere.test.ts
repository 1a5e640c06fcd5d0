/** attack/434 bodies that no client of this project sends, at every door that takes one: each is refused, and none is a fault of the door. */
import { createEmulator, type Emulator } from 'foyer-emulator'
import { createEventHandler, createLobbyHub, defineCommand, memorySessionStore } from 'foyer-sdk/server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sessionRoutes, RELAYED_ROUTES } from '../support/internals'
import { createHandlerOf } from '../support/page-of-backend'
import { GAME, SessionBrowser } from '../support/session-browser'
import { Sender, Signer } from '../unit/interactions/signed-sender'

const DEEP = 20_000
type Body = string | Uint8Array<ArrayBuffer>
type Send = (body: Body) => Promise<Response>

/** Bodies by what is wrong with them. */
const BODIES: Readonly<Record<string, Body>> = {
  'white space': ' \n',
  'a list': '[]',
  'lists in lists': '['.repeat(DEEP) + ']'.repeat(DEEP),
  'objects in objects': `${'{"a":'.repeat(DEEP)}1${'}'.repeat(DEEP)}`,
  'a secret beside what is too deep': `{"secret":"s","content":"x","x":${'['.repeat(DEEP)}${']'.repeat(DEEP)}}`,
  'lists that do not end': '['.repeat(DEEP),
  'objects that do not end': '{"a":'.repeat(DEEP),
  'nothing in JSON': 'null',
  'a text': '"secret"',
  'a number': '7',
  'a number without an end': '1e999',
  'half of an object': '{"secret":',
  'an object, and more': '{"secret":"s","content":"x"}x',
  'two objects': '{"secret":"s"}{"content":"x"}',
  'single quotes': "{'secret':'s','content':'x'}",
  'a comment': '{/**/"secret":"s","content":"x"}',
  'a comma at the end': '{"secret":"s","content":"x",}',
  'names without quotes': '{secret:"s",content:"x"}',
  'a form': 'secret=s&content=x',
  markup: '<lobby secret="s"/>',
  'UTF-16': new Uint8Array([0xff, 0xfe, 0x7b, 0, 0x7d, 0]),
  'bytes that are no text': new Uint8Array([0x80, 0x81, 0xc3, 0x28]),
  'a zero byte': new Uint8Array([0x7b, 0, 0x7d]),
  'a list of right objects': '[{"secret":"s","content":"x","type":"changed","lobby_id":"1","code":"c"}]',
  'a prototype alone': '{"__proto__":{"secret":"s","content":"x","type":"ticket","code":"c"}}',
  'numbers for texts': '{"secret":7,"content":7,"type":7,"lobby_id":1,"code":7,"codeVerifier":7,"token":7}',
  'lists for texts': '{"secret":["s"],"content":["x"],"type":["changed"],"code":["c"],"token":["t"]}',
  'objects with a length': '{"secret":{"length":3},"content":{"length":3},"code":{"length":3},"token":{}}',
  'two names, and the last one wrong': '{"secret":"s","content":"x","secret":7,"content":7,"token":7}',
  'nothing for texts': '{"secret":null,"content":null,"type":null,"code":null,"token":null}',
  'empty texts': '{"secret":"","content":" ","type":" ","code":"","token":""}',
  'half of a character, and no secret': '{"content":"\\ud83d","type":"\\ud83d"}',
}

/** The page asks for what needs no field: any object is right. */
const WITHOUT_FIELDS = new Set(['POST token', 'POST sign-out'])
const isObject = (body: Body): boolean => {
  try {
    const value: unknown = JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body))
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

let emulator: Emulator
beforeAll(async () => {
  emulator = await createEmulator({ seed: { application: { publicClient: false } }, limits: 'off' })
})
afterAll(() => emulator.close())

const json = (headers: Record<string, string>) => ({ 'content-type': 'application/json', ...headers })

/** Sends to a route of a signed-in browser's session. */
async function sessionDoor(method: string, path: string): Promise<Send> {
  const handler = createHandlerOf(emulator, { tokens: 'none', store: memorySessionStore() })
  const browser = new SessionBrowser(handler)
  const start = async () => browser.signIn(emulator)
  await start()
  return async (body) => {
    const response = await browser.send(path, { method, body, headers: json({ origin: GAME }) })
    if (response.status === 401) await start()
    return response
  }
}

/** Sends to the emulator as a player who is in the lobby `{lobby.id}`. */
async function emulatorDoor(method: string, route: string): Promise<Send> {
  const browser = new SessionBrowser(createHandlerOf(emulator))
  const { access_token: token } = await browser.signIn(emulator)
  const headers = json({ authorization: `Bearer ${String(token)}` })
  const api = `${emulator.url}/api/v10`
  const joined = await fetch(`${api}/lobbies`, { method: 'PUT', body: '{"secret":"moon"}', headers })
  const { id }: { id: string } = await joined.json()
  return async (body) => fetch(api + route.replace('{lobby.id}', id), { method, body, headers })
}

const verify = async () => ({ id: '11', expiresAt: Date.now() + 60_000, claims: {} }) as never

async function reportDoor(): Promise<Send> {
  const lobbies = {
    get: async () => expect.fail('nobody reads'),
    removeMember: async () => undefined,
    onChanged: () => () => undefined,
  }
  const open = () => createLobbyHub({ client: { applicationId: emulator.application.id, lobbies }, verify })
  return async (body) => {
    // A hub for each: reports of one player have a budget.
    const hub = open()
    const response = await hub(
      new Request(`${GAME}/lobbies`, { method: 'POST', body, headers: json({ authorization: 'Bearer x' }) }),
    )
    hub.close()
    return response
  }
}

/** Sends to an endpoint of the service’s own requests, signed: only the content is wrong. */
async function signedDoor(kind: 'interactions' | 'events'): Promise<Send> {
  const signer = await Signer.create()
  const command = defineCommand({ name: 'ping', description: 'x' }, () => 'pong')
  const sender = new Sender(signer, { commands: [command] })
  const { publicKey } = signer
  const events = createEventHandler({ publicKey, on: {}, clock: sender.clock })
  return async (body) => {
    const request = await sender.request(body)
    return kind === 'events' ? events(request) : sender.handle(request)
  }
}

const relayed = RELAYED_ROUTES.filter(({ body }) => body)
/** Every door that takes a body from outside. */
const DOORS: readonly (readonly [name: string, open: () => Promise<Send>])[] = [
  ...sessionRoutes()
    .filter((route) => route.startsWith('POST'))
    .map((route) => [route, async () => sessionDoor('POST', `/session/${route.slice(5)}`)] as const),
  ...relayed.map(({ method, route }) => {
    const path = `/session/api${route.replace('{lobby.id}', '1575683824195469312')}`
    return [`relay ${method} ${route}`, async () => sessionDoor(method, path)] as const
  }),
  ...relayed.map(
    ({ method, route }) => [`emulator ${method} ${route}`, async () => emulatorDoor(method, route)] as const,
  ),
  ['reports of players', reportDoor],
  ['interactions', async () => signedDoor('interactions')],
  ['events', async () => signedDoor('events')],
]

/** A link without a channel is right, and so is a revocation without a token. The emulator ignores what it does not know, however deep. */
const mayBeRight = (door: string, name: string): boolean =>
  isObject(BODIES[name] ?? '') &&
  (WITHOUT_FIELDS.has(door) ||
    door.endsWith('channel-linking') ||
    (door === 'POST revoke' && name === 'a prototype alone') ||
    (door.startsWith('emulator') && name === 'a secret beside what is too deep'))

describe('a body that no client sends', () => {
  it.each(DOORS)('is refused by %s', async (door, open) => {
    const send = await open()
    const faults: (string | undefined)[] = []
    for (const [name, body] of Object.entries(BODIES))
      faults.push(faultOf(door, name, (await send(body)).status))
    expect(faults.filter((fault) => fault !== undefined)).toEqual([])
  })

  it('is found where it is accepted, or breaks the door', async () => {
    const answers = [204, 500, 404]
    expect(answers.map((status) => faultOf('reports of players', 'a list', status))).toEqual([
      'a list: 204',
      'a list: 500',
      undefined,
    ])
  })
})

const faultOf = (door: string, name: string, status: number): string | undefined => {
  const isRefused = status >= 400 && status < 500
  return isRefused || (status < 300 && mayBeRight(door, name)) ? undefined : `${name}: ${status}`
}
