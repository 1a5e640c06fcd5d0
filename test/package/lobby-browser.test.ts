/** The lobby browser of the manual, with the real Pinia and Vue: one player announces a room, and another one finds and joins it. */
import { compileFunction } from 'node:vm'
import { createEmulator } from 'foyer-emulator'
import { Client, type FoyerError, type Lobby } from 'foyer-sdk'
import * as pinia from 'pinia'
import ts from 'typescript'
import { expect, onTestFinished, test } from 'vitest'
import * as vue from 'vue'
import { consentSurface } from '../support/consent-surface'
import { blocks, pages } from './markdown-pages'

interface LobbyStore {
  rooms: { name: string; secret: string; by: string }[]
  members: string[]
  lobby: Lobby | null
  error: FoyerError | null
  browse: () => Promise<void>
  join: (room: { name: string; secret: string }) => Promise<void>
  create: (name: string) => Promise<void>
  leave: () => Promise<void>
}

/** `createLobbyStore` as the page prints it. */
function printedStore(): (client: Client) => (from: pinia.Pinia) => LobbyStore {
  const page = pages().find(({ path }) => path === 'docs/frameworks.md')
  const code = blocks({ text: page?.text ?? '' }).find((block) =>
    block.code.includes('createLobbyStore'),
  )?.code
  const { outputText } = ts.transpileModule(code ?? '', {
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
  })
  const modules: Record<string, unknown> = { pinia, vue }
  const exported = {}
  compileFunction(outputText, ['exports', 'require'])(exported, (name: string) => modules[name])
  return Reflect.get(exported, 'createLobbyStore') as ReturnType<typeof printedStore>
}

test('a room of one player is in the list of another, and is shown until a sign-out or a leave', async () => {
  const emulator = await createEmulator()
  onTestFinished(() => emulator.close())
  const open = async (as: string) => {
    const client = new Client({ applicationId: emulator.application.id, service: { host: emulator.url } })
    onTestFinished(() => client.close())
    await client.signIn({
      surface: consentSurface(emulator, { as, redirectUri: 'http://127.0.0.1/callback' }),
    })
    const store = printedStore()(client)(pinia.createPinia())
    await store.browse()
    return { client, store }
  }
  const [ada, bruno] = [await open('ada'), await open('bruno')]
  await ada.store.create('Moon')
  const hall = await bruno.client.createOrJoinLobby('hall')
  await hall.send('not a room')
  await expect.poll(() => bruno.store.rooms).toMatchObject([{ name: 'Moon', by: 'ada' }])
  const [room = { name: '', secret: '' }] = bruno.store.rooms
  await bruno.store.join(room)
  expect(bruno.store.lobby?.id).toBe(ada.store.lobby?.id)
  expect(bruno.store.members).toHaveLength(2)
  await bruno.client.signOut()
  expect([bruno.store.lobby, bruno.store.members]).toEqual([null, []])
  expect(ada.store.lobby?.endReason).toBeNull()
  await ada.store.create('Mars')
  expect([...ada.client.lobbies].map(({ id }) => id)).toEqual([expect.anything(), ada.store.lobby?.id])
  await ada.store.leave()
  expect([ada.store.lobby, ada.store.members]).toEqual([null, []])
  expect([ada.store.error, bruno.store.error]).toEqual([null, null])
})

test('a refusal of the hall is shown with its seconds, leaves the room as it is, and ends with the next try', async () => {
  const emulator = await createEmulator()
  onTestFinished(() => emulator.close())
  const client = new Client({ applicationId: emulator.application.id, service: { host: emulator.url } })
  onTestFinished(() => client.close())
  await client.signIn({
    surface: consentSurface(emulator, { as: 'ada', redirectUri: 'http://127.0.0.1/callback' }),
  })
  await client.createOrJoinLobby('moon', { metadata: { name: 'Moon' } })
  emulator.faults([
    { match: { path: '*/lobbies' }, effect: { status: 429, body: { retry_after: 30 } }, times: 1 },
  ])
  const store = printedStore()(client)(pinia.createPinia())
  await store.browse()
  expect([store.error?.message, store.lobby?.metadata]).toEqual([
    'rate limited: join_lobby. Try again in 30 s',
    { name: 'Moon' },
  ])
  await client.clearRateLimitBlocks()
  await store.browse()
  expect([store.error, store.lobby?.endReason]).toEqual([null, null])
})
