/** Every decided case of commands and their permissions, over HTTP: verdict and field. */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createEmulator, type Emulator } from 'foyer-emulator'
import { EDGES, TOO_MANY_LOCALES } from '../../cases/edges.js'
import { asApplication, asPlayer, Caller, errorPaths, fields, list } from './command-client.js'

interface Case {
  id: string
  endpoint: string
  body: unknown
  expect: 'accept' | 'reject'
  path?: string | null
  headers?: Record<string, string>
  params?: Record<string, string>
  why: string
}

const guildId = '290926798626357999'
const all: Case[] = JSON.parse(
  readFileSync(new URL('../../cases/data/commands.json', import.meta.url), 'utf8'),
)
const cases = all.filter(({ endpoint }) => !endpoint.includes('/lobbies'))

/** The type that a PATCH edits, where the body does not contain it. */
const edited: Record<string, unknown> = {
  'amb.name-10': { type: 2, name: 'existing' },
  'amb.scope-16': { type: 4, name: 'existing' },
}

let emulator: Emulator
let bot: Caller

beforeAll(async () => {
  emulator = await createEmulator({
    limits: 'off',
    seed: {
      application: { integrationTypes: [0, 1] },
      guilds: [
        {
          id: guildId,
          name: 'Test',
          ownerId: '175928847299117063',
          roles: [{ id: '1000', name: 'r' }],
          channels: [{ id: '1001', name: 'c' }],
        },
      ],
    },
    commands: { dailyCreates: null },
  })
  bot = new Caller(emulator)
})
afterAll(() => emulator.close())
beforeEach(async () => {
  emulator.reset()
  for (const { id } of list((await bot.get('/commands')).body)) await bot.delete(`/commands/${String(id)}`)
})

async function callerOf({ headers, endpoint }: Case): Promise<Caller> {
  const permissions = endpoint.endsWith('permissions')
  const kind = headers?.['authorization'] ?? (permissions ? 'Bearer x' : 'Bot x')
  if (kind.startsWith('Bot ')) return bot
  return permissions ? asPlayer(emulator, 'ada') : asApplication(emulator)
}

async function send(one: Case, caller: Caller) {
  const { id, endpoint, body, params } = one
  const guild = params?.['guild_id'] ?? guildId
  const at = endpoint.includes('guild') ? `/guilds/${guild}/commands` : '/commands'
  const [method = ''] = endpoint.split(' ')
  if (!endpoint.includes('permissions') && method !== 'PATCH') return caller.call(at, { method, body })
  const created = await bot.post(at, edited[id] ?? { name: 'existing', description: 'There before' })
  const path = `${at}/${String(fields(created.body)['id'])}`
  return caller.call(method === 'PATCH' ? path : `${path}/permissions`, { method, body })
}

const open: (Omit<Case, 'expect'> & { recommended: string; open_question: string })[] = JSON.parse(
  readFileSync(new URL('../../cases/data/ambiguous.json', import.meta.url), 'utf8'),
)

describe('the open command cases over HTTP', () => {
  const ours = open.filter(({ endpoint }) => !endpoint.includes('/lobbies'))
  it.each(ours.map((one) => [`${one.id} ${one.recommended}: ${one.open_question}`, one] as const))(
    '%s',
    async (_, one) => {
      const testedCase: Case = { ...one, expect: 'accept', why: '' }
      const response = await send(testedCase, await callerOf(testedCase))
      const verdict = response.status < 300 && response.rule === null ? 'accept' : `${response.status} reject`
      expect(verdict).toBe(one.recommended === 'reject' ? '400 reject' : 'accept')
    },
  )
})

describe('the decided command cases over HTTP', () => {
  it('include 222 about commands', () => {
    expect(cases).toHaveLength(222)
  })

  it.each(cases.map((one) => [`${one.id} ${one.expect}: ${one.why}`, one] as const))('%s', async (_, one) => {
    const response = await send(one, await callerOf(one))
    const verdict = response.status < 300 && response.rule === null ? 'accept' : `${response.status} reject`
    const ofToken = one.path === '$headers.authorization'
    expect(verdict).toBe(one.expect === 'accept' ? 'accept' : ofToken ? '403 reject' : '400 reject')
    const wanted = one.expect === 'accept' || ofToken || typeof one.path !== 'string' ? [] : [one.path]
    expect(errorPaths(response.body)).toEqual(expect.arrayContaining(wanted))
  })
})

describe('the edge cases of command validation over HTTP', () => {
  it.each(EDGES)('$id: $endpoint $body', async (one) => {
    const testedCase: Case = { id: one.id, endpoint: one.endpoint, body: one.body, expect: 'accept', why: '' }
    const response = await send(testedCase, await callerOf(testedCase))
    expect(response.status < 300).toBe(one.paths.length === 0)
    expect(
      errorPaths(response.body)
        .map((path) => path.replace(/^\$\.?/, ''))
        .toSorted(),
    ).toEqual([...one.paths].toSorted())
  })
})

it('translations into 35 locales are refused over HTTP', async () => {
  const one: Case = {
    id: '35',
    endpoint: 'POST global command',
    body: TOO_MANY_LOCALES,
    expect: 'reject',
    why: '',
  }
  const response = await send(one, await callerOf(one))
  expect([response.status, errorPaths(response.body)[0]]).toEqual([400, '$.name_localizations'])
})
