/** An emulator in which every operation can succeed, with all of its routes, and a way back after each change. */
import { Common } from '@discord/embedded-app-sdk'
import { Hono } from 'hono'
import { vi } from 'vitest'
import type { Emulator } from 'foyer-emulator'
import {
  createDriftWorld,
  type Description,
  leastValue,
  readDescription,
  variantsOf,
} from '../../support/emulator-internals'
import { serveBackend } from './backend'
import { beginSignIn } from './sign-in-client'

const HOST_PAGES: readonly [method: string, path: string][] = [
  ['GET', '/'],
  ['GET', '/_activity'],
  ['GET', '/_activity/'],
  ['POST', '/_activity/'],
  ['GET', '/_activity/assets/:file'],
  ['POST', '/_activity/windows'],
  ['GET', '/_activity/ready'],
  ['GET', '/_activity/events'],
  ['GET', '/_activity/windows/:window/obstacle'],
  ['GET', '/_activity/windows/:window/events'],
  ['POST', '/_activity/windows/:window/frames/:frame'],
  ['DELETE', '/_activity/windows/:window/frames/:frame'],
  ['POST', '/_activity/consents/:consent'],
  ['POST', '/_activity/dialogs/:dialog'],
  ['GET', '/_activity/images/:image'],
  ['POST', '/_activity/players'],
  ['POST', '/_activity/joins'],
]

/** Commands of a public SDK, as its frames send them. */
const frameMessages = [...Object.values(Common.Commands), 'SUBSCRIBE'].map((cmd) => ({
  message: [
    1,
    {
      cmd,
      nonce: 'n',
      args: { client_id: '1', scope: ['identify'], state: 's', channel_id: '9003' },
      evt: 'READY',
    },
  ],
}))

/** Fields of the control plane and of pages, beside those of the API. */
const controlFields = {
  as: 'ada',
  with: 'bruno',
  user: 'ada',
  action: 'expire',
  kind: 'access',
  deny: false,
  rules: [{ effect: { status: 503 } }],
  effect: { status: 503, headers: { 'x-a': 'b' }, body: 1 },
  times: 1,
  match: { path: '/api/*' },
  advance: 1000,
  skew: 0,
  frozen: true,
  options: [{ name: 'x', value: 'y' }],
  focused: 'x',
  values: ['a'],
  snapshot: { format: 1, takenAt: 0, ahead: 0, tables: {} },
  type: 'ENTITLEMENT_CREATE',
  data: {},
  forged: true,
  customId: 'a',
  secret: 'drift',
  platform: 'mobile',
  code: 1000,
  message: '1',
  name: 'one',
  layoutMode: 1,
  orientation: 1,
  thermalState: 1,
  voice: { mute: true },
  globalName: 'x',
  locale: 'de',
  nickname: { guildId: '9001', name: 'x' },
  globalDelay: 0,
  dailyCreates: 1,
  uid: 'x',
  approve: true,
  players: 'ada',
  profile: 'service',
  user_code: 'x',
  xsrf: 'x',
  cmd: 'AUTHORIZE',
  nonce: 'x',
  args: {},
  evt: 'READY',
}

/** Tables and settings by their name, as plain JSON. */
export type WorldState = Readonly<Record<string, unknown>>

/** Each part that differs, with what it lost and what it gained; undefined if nothing does. */
export function changeOf(before: WorldState, after: WorldState): string | undefined {
  const lines = Object.keys(after).flatMap((name) => {
    const [old, fresh] = [before[name], after[name]].map((part) =>
      (Array.isArray(part) ? part : [part]).map((row) => JSON.stringify(row)),
    )
    const lost = old?.filter((row) => !fresh?.includes(row)) ?? []
    const gained = fresh?.filter((row) => !old?.includes(row)) ?? []
    return lost.length + gained.length === 0
      ? []
      : [`${name}: ${lost.join() || 'nothing'} became ${gained.join() || 'nothing'}`]
  })
  return lines.length === 0 ? undefined : lines.join('\n').slice(0, 2000)
}

/** The world, and all routes of the application that is mounted from the others. */
async function openWithRoutes() {
  const registered = vi.spyOn(Hono.prototype, 'route')
  const world = await createDriftWorld()
  const routes =
    registered.mock.contexts.map((app) => (app as Hono).routes).toSorted((a, b) => b.length - a.length)[0] ??
    []
  registered.mockRestore()
  return { world, routes: routes.filter(({ path }) => !path.includes('*')) }
}

export async function createHostileWorld() {
  const { world, routes } = await openWithRoutes()
  const { emulator } = world
  const description = await readDescription('docs/interface/openapi.json')
  const backend = await serveBackend(emulator, () => ({ type: 5 }))
  await emulator.interactions.connect(backend.url)
  await emulator.activity.serve(backend.url)
  emulator.clock({ frozen: true })
  const saved = emulator.snapshot()
  const behaviors = await behaviorsOf(emulator)
  const ids: Record<string, readonly string[]> = { ...world.ids, webhooks: [emulator.application.id] }
  const token = async () => {
    await emulator.interactions.use({ as: 'ada', command: 'drift', channel: '9003' })
    const { id = '', token: fresh = '' } = backend.received.at(-1) ?? {}
    Object.assign(ids, {
      interactions: [id],
      ':application': [fresh],
      '{application_id}': [fresh],
      ':id': [fresh],
      '{id}': [fresh],
    })
  }
  await token()
  const host = new URL(emulator.activity.url ?? '').origin
  Object.assign(ids, await openWindow(host, emulator.activity.launch({ as: 'ada' }).instanceId))
  const { url } = await beginSignIn(emulator)
  const authorize = Object.fromEntries(new URL(url).searchParams)
  const known = { ...world.known, ...controlFields, ...authorize, url, command: 'drift', channel: '9003' }
  const api = world.credentials.flatMap(({ header }) => header ?? [])
  const control = [`Bearer ${emulator.controlToken}`]
  const ofPage = { origin: emulator.url, credentials: api }
  const ofHost = { origin: host, credentials: [] }
  return {
    emulator,
    description,
    vocabulary: { ids, known },
    targets: {
      operations: operationsOf(description, known).map((operation) => ({ ...operation, credentials: api })),
      routes: routes.map(({ method, path }) => ({
        ...targetOf([method, path], ['as', 'channel', 'code']),
        ...ofPage,
        ...(path.startsWith('/_emulator/') ? { credentials: control } : {}),
      })),
      hostPages: HOST_PAGES.map((route) => ({
        ...targetOf(route, ['instance_id', 'as', 'custom_id', 'framed']),
        ...ofHost,
        ...(route[1].includes(':frame') ? { bodies: frameMessages } : {}),
      })),
    },
    /** What refused requests must not change, by its name. */
    state: (): WorldState => ({
      ...emulator.snapshot().tables,
      'clock.frozen': emulator.clock().frozen,
      faults: emulator.faults(),
      'interactions.url': emulator.interactions.url,
    }),
    /** Returns to the beginning, after a request that changed something. */
    async restore(): Promise<void> {
      emulator.faults([])
      emulator.limits('off')
      // The time stands where it stood: a clock that ran on would close lobbies meanwhile, whatever is requested.
      emulator.restore({ ...saved, ahead: saved.takenAt - Date.now() })
      emulator.clock({ frozen: true })
      await behaviors.restore()
      if (emulator.interactions.url !== backend.url) await emulator.interactions.connect(backend.url)
      await emulator.activity.serve(backend.url)
      await token()
    },
    async close(): Promise<void> {
      await emulator.close()
      await backend.close()
    },
  }
}

/** Settings of commands and lobbies, which no snapshot has. */
async function behaviorsOf({ url, controlToken }: Emulator) {
  const headers = { authorization: `Bearer ${controlToken}`, 'content-type': 'application/json' }
  const saved = new Map<string, string>()
  for (const name of ['commands', 'lobbies'])
    saved.set(`${url}/_emulator/${name}`, await (await fetch(`${url}/_emulator/${name}`, { headers })).text())
  return {
    async restore(): Promise<void> {
      for (const [address, body] of saved) {
        const { ok } = await fetch(address, { method: 'PATCH', headers, body })
        if (!ok) throw new Error(`The settings of ${address} do not come back.`)
      }
    },
  }
}

/** Ids of a page with a player's game, by the segment before them. */
async function openWindow(origin: string, instanceId: string): Promise<Record<string, string[]>> {
  const body = JSON.stringify({ instance_id: instanceId, as: 'ada' })
  const response = await fetch(`${origin}/_activity/windows`, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/json' },
    body,
  })
  const { window, frames } = (await response.json()) as { window: string; frames: { id: string }[] }
  return { windows: [window], frames: frames.map(({ id }) => id) }
}

function targetOf([method, path]: readonly [method: string, path: string], query: readonly string[]) {
  return {
    method,
    path: path.replaceAll(/:(\w+)\{[^/]*\}/g, ':$1'),
    query: query.slice(0, 3),
    form: path.startsWith('/oauth2/'),
  }
}

function operationsOf({ operations, resolve }: Description, known: Readonly<Record<string, unknown>>) {
  return operations.map((operation) => {
    const { method, path, query, body } = operation
    const generation = { resolve, known }
    const bodies = body && [
      leastValue(body.schema, generation),
      ...variantsOf(body.schema, generation).map(({ value }) => value),
    ]
    return {
      operation,
      method,
      path: `/api/v10${path}`,
      query: query.map(({ name }) => name),
      bodies,
      form: body?.form === true,
    }
  })
}
