/** Two tabs of one store in random order: a call is never sent under another player's name, and never after a sign-out. */
import process from 'node:process'
import type { Client } from 'foyer-sdk'
import { expect, it } from 'vitest'
import { CALLS, CallOwnerWorld, limited, type PlayerName, refused } from '../support/call-owner-world'
import { codeOf } from '../support/settle'

/** A reproducible random number generator (mulberry32). */
function seeded(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

const nameOf = ({ session }: Client): PlayerName | undefined =>
  (session && (session.userId.endsWith('2') ? 'ada' : 'bruno')) || undefined

interface Tab {
  client: Client
  /** Number of sign-outs and changes of the player so far. */
  turn: number
}

/** Plays random steps of two tabs of one store, and reports every call that came under a wrong name or too late. */
async function play(seed: number): Promise<string[]> {
  const random = seeded(seed)
  const model = new CallOwnerWorld()
  const tabs: Tab[] = [model.tab(), model.tab()].map((client) => ({ client, turn: 0 }))
  const wrong: string[] = []
  const held: (() => void)[] = []
  let serial = 0
  for (const tab of tabs)
    tab.client.on('sessionChanged', ({ session, previous }) => {
      if (session?.userId !== previous?.userId) tab.turn++
      if (session) void codeOf(() => model.enterLobby(tab.client))
    })
  model.onCall = ({ written, owner, url }) => {
    // The names of a player who has signed in: no call of the game.
    if (url.endsWith('/users/@me')) return
    const [author = '', index = '', turn = ''] = written.split(' ')
    if (author !== owner) wrong.push(`${written} came as ${owner}`)
    if (Number(turn) !== tabs[Number(index)]?.turn) wrong.push(`${written} came after its session`)
  }
  model.line = (url, init) => {
    const chance = random(6)
    const honest = () =>
      chance === 0 ? limited() : chance === 1 && !url.endsWith('/token') ? refused() : model.answer(url, init)
    return random(2) === 0
      ? new Promise((resolve) => held.push(() => resolve(honest())))
      : Promise.resolve(honest())
  }
  const anyTab = () => tabs[random(2)]?.client ?? model.tab()
  const steps: (() => unknown)[] = [
    ...[0, 1, 2, 3].map(() => () => {
      const index = random(2)
      const { client, turn } = tabs[index] as Tab
      const name = nameOf(client)
      const [, call] = CALLS[random(CALLS.length)] ?? []
      if (name) void codeOf(async () => call?.(client, `${name} ${index} ${turn} ${serial++}`))
    }),
    () => void codeOf(() => model.signIn(anyTab(), random(2) === 0 ? 'ada' : 'bruno')),
    () => void codeOf(() => anyTab().signOut({ revoke: random(2) === 0 })),
    () => void codeOf(() => anyTab().resume()),
    () => void codeOf(() => anyTab().refreshToken()),
    () => model[random(2) === 0 ? 'expire' : 'revoke'](random(2) === 0 ? 'ada' : 'bruno'),
    () => model.clock.advance(random(5000)),
    () => model.clock.advance(random(90) * 3_600_000),
    () => held.splice(random(held.length + 1), 1).forEach((release) => release()),
    () => held.splice(0).forEach((release) => release()),
  ]
  for (let count = 0; count < 60; count++) {
    steps[random(steps.length)]?.()
    for (let turns = random(4); turns > 0; turns--) await new Promise((resolve) => setImmediate(resolve))
  }
  for (const { client } of tabs) client.close()
  return wrong
}

it(
  'no interleaving of two tabs, sign-outs, sign-ins, refreshes, limits and refusals sends a call under another name',
  { timeout: 120_000 },
  async () => {
    const runs = Number(process.env['CALL_OWNER_RUNS'] ?? 6)
    for (let seed = 1; seed <= runs; seed++) expect([seed, await play(seed)]).toEqual([seed, []])
  },
)
