/** Every decided case about commands and their permissions, over HTTP: the right verdict, and the right field. */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createEmulator, type Emulator } from 'foyer-emulator'
import { asApplication, asPlayer, Caller, errorPaths, fields, list } from './support.js'

interface Case {
  id: string
  endpoint: string
  body: unknown
  expect: 'accept' | 'reject'
  path?: string
  headers?: Record<string, string>
  params?: Record<string, string>
  why: string
}

const guildId = '290926798626357999'
const all: Case[] = JSON.parse(readFileSync(new URL('../../cases/data/commands.json', import.meta.url), 'utf8'))
const cases = all.filter(({ endpoint }) => !endpoint.includes('/lobbies'))

/** What a PATCH is for, where the body alone does not say it. */
const edited: Record<string, unknown> = { 'amb.name-10': { type: 2, name: 'existing' }, 'amb.scope-16': { type: 4, name: 'existing' } }

let emulator: Emulator
let bot: Caller

beforeAll(async () => {
  emulator = await createEmulator({
    seed: {
      application: { integrationTypes: [0, 1, 2] },
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
  const made = await bot.post(at, edited[id] ?? { name: 'existing', description: 'There before' })
  const path = `${at}/${String(fields(made.body)['id'])}`
  return caller.call(method === 'PATCH' ? path : `${path}/permissions`, { method, body })
}

const open: (Omit<Case, 'expect'> & { recommended: string; open_question: string })[] = JSON.parse(
  readFileSync(new URL('../../cases/data/ambiguous.json', import.meta.url), 'utf8'),
)

describe('open cases', () => {
  const ours = open.filter(({ endpoint }) => !endpoint.includes('/lobbies'))
  it.each(ours.map((one) => [`${one.id} ${one.recommended}: ${one.open_question}`, one] as const))('%s', async (_, one) => {
    const answer = await send({ ...one, expect: 'accept', why: '' }, await callerOf({ ...one, expect: 'accept', why: '' }))
    if (one.recommended === 'reject') expect([answer.status, answer.rule]).toEqual([400, expect.any(String)])
    else expect([answer.rule, answer.status < 300]).toEqual([null, true])
  })
})

describe('decided cases', () => {
  it('are 222 about commands', () => {
    expect(cases).toHaveLength(222)
  })

  it.each(cases.map((one) => [`${one.id} ${one.expect}: ${one.why}`, one] as const))('%s', async (_, one) => {
    const answer = await send(one, await callerOf(one))
    if (one.expect === 'accept') {
      expect(answer.rule).toBeNull()
      expect([200, 201]).toContain(answer.status)
      return
    }
    expect(answer.rule).toEqual(expect.any(String))
    if (one.path === '$headers.authorization') {
      expect(answer.status).toBe(403)
      return
    }
    expect(answer.status).toBe(400)
    expect(errorPaths(answer.body)).toContain(one.path)
  })
})
