// @vitest-environment happy-dom
/** A component that gives `useLobby` another secret with each render stays in one lobby, and is told once what to write. */
import { createElement, type ReactNode, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { type ClientOptions, memoryStore } from 'foyer-sdk'
import { FoyerProvider, type LobbyHookResult, useLobby } from 'foyer-sdk/react'
import { afterEach, beforeEach, expect, it, type MockInstance, onTestFinished, vi } from 'vitest'

const HOST = 'https://service.test'
const ME = '1287654321098765433'
const RECORD = JSON.stringify({
  v: 1,
  id: 'a'.repeat(43),
  epoch: 0,
  issuer: HOST,
  clientId: ME,
  userId: ME,
  asked: ['openid'],
  obtainedAt: Date.now(),
  accessToken: 'abc',
  scopes: ['openid'],
  expiresAt: 9e12,
})

let joins: unknown[]
let inConsole: MockInstance
let shown: LobbyHookResult | undefined
beforeEach(() => {
  joins = []
  shown = undefined
  inConsole = vi.spyOn(console, 'warn').mockReturnValue(undefined)
})
afterEach(() => void vi.restoreAllMocks())

const lobby = (id: string) =>
  Response.json({ id, application_id: ME, metadata: null, members: [{ id: ME, metadata: null, flags: 0 }] })

/** The service, as far as a lobby needs it. */
const fetch: ClientOptions['fetch'] = async (_, { method = 'GET', body }) => {
  if (method === 'PUT') {
    joins.push(body)
    return lobby(String(1000 + joins.length))
  }
  if (method === 'POST')
    return Response.json({
      id: '1287654321098765434',
      lobby_id: '1001',
      content: 'Hello',
      author: { id: ME, username: 'ada', global_name: null },
    })
  return method === 'GET' ? Response.json([]) : new Response(null, { status: 204 })
}

async function mount(Component: () => ReactNode): Promise<void> {
  const tokenStore = memoryStore()
  await tokenStore.set(`foyer:session:${HOST} ${ME} default`, RECORD)
  const options = { applicationId: ME, service: { host: HOST }, tokenStore, fetch, keepLobbies: false }
  const root = createRoot(document.createElement('div'))
  onTestFinished(() => root.unmount())
  root.render(createElement(FoyerProvider, { options, children: createElement(Component) }))
}

const ignore = (): void => undefined
const REMEDY = 'keep it with const [secret] = useState(() => crypto.randomUUID())'

it('is in one lobby, and is told once', async () => {
  const findings: unknown[] = []
  const listener = (event: Event) => findings.push((event as CustomEvent).detail)
  window.addEventListener('foyer:finding', listener)
  onTestFinished(() => window.removeEventListener('foyer:finding', listener))
  let renders = 0
  let again = ignore
  await mount(() => {
    const [, setTurn] = useState(0)
    again = () => setTurn((turn) => turn + 1)
    shown = useLobby(`room-${++renders}`, { interval: 0 })
    return null
  })
  await vi.waitFor(() => expect(shown).toMatchObject({ status: 'joined', error: null }))
  const before = renders
  again()
  await vi.waitUntil(() => renders > before)
  expect(shown).toMatchObject({ status: 'joined', lobby: { id: '1001' } })
  expect(await shown?.send('Hello')).toMatchObject({ content: 'Hello' })
  expect(joins).toHaveLength(1)
  expect(inConsole.mock.calls).toEqual([
    ['foyer-sdk: lobby.changing_secret', { remedy: expect.stringContaining(REMEDY) as unknown }],
  ])
  expect(findings).toMatchObject([{ step: 'lobby.changing_secret' }])
})

it('does not hold back a secret that the game changes', async () => {
  let enter: (room: string) => void = ignore
  await mount(() => {
    const [room, setRoom] = useState('m')
    enter = setRoom
    shown = useLobby(room, { interval: 0 })
    return null
  })
  for (const room of ['mo', 'moo', 'moon', 'moons']) {
    await vi.waitFor(() => expect(shown?.status).toBe('joined'))
    const { id } = shown?.lobby ?? {}
    enter(room)
    await vi.waitFor(() => expect(shown?.lobby?.id).not.toBe(id))
  }
  await vi.waitFor(() => expect(shown?.status).toBe('joined'))
  expect(joins).toContain('{"secret":"moons"}')
  expect(inConsole).not.toHaveBeenCalled()
})
