/** The emulated service with its documented limits, a lobby hub in a process of its own, members with open streams, and hostile accounts. */
import type { ChildProcess } from 'node:child_process'
import { createEmulator } from 'foyer-emulator'
import { endProcess, nextMessage, nowText, request, startProcess } from '../lobby-hub/fork-process'

const LOBBIES = 20
const HONEST = 5
const HOSTILE = 5
const FIRST = 300_000_000_000_000_000n
/** ms after which news is taken for lost. */
const LOST = 5000
const SECOND = 1000

export interface HostileWorld {
  /** Starts the accounts of an attack; each sends a request in every interval, in ms. */
  readonly attack: (attack: { name: string; accounts: number; interval: number }) => void
  /** Ends the attack. Resolves with the numbers of its requests by status. */
  readonly endAttack: () => Promise<Readonly<Record<string, number>>>
  /**
   * Changes a lobby. Every other change is reported by a member instead of the bot. Resolves with the time of the bot's call, and the times
   * until the honest members have the news, in ms.
   */
  readonly change: (index: number) => Promise<{ call: number; news: number[] }>
  /** The bot's calls: those answered with 429, and the most in a second. */
  readonly calls: () => { refused: number; most: number }
  readonly close: () => Promise<void>
}

export async function openWorld(): Promise<HostileWorld> {
  const calls: { at: number; status: number }[] = []
  const players = Array.from({ length: LOBBIES * (HONEST + HOSTILE) }, (_, index) => ({
    id: playerId(index),
    username: `player_${index}`,
  }))
  const emulator = await createEmulator({
    seed: { users: players },
    onRequest: ({ path, at, status }) =>
      void (path.startsWith('/api/v10/oauth2/') || calls.push({ at, status })),
  })
  const { id: applicationId, botToken: token } = emulator.application
  const lobbies: string[] = []
  for (let lobby = 0; lobby < LOBBIES; lobby++)
    lobbies.push(await createLobby(emulator.url, token, membersOf(lobby, 0, HONEST + HOSTILE)))
  const [hub, readers, attackers] = await Promise.all([
    startProcess('../hostile-accounts/hub-process.mjs'),
    startProcess('reader-process.mjs'),
    startProcess('../hostile-accounts/attacker-process.mjs'),
  ])
  const { port } = await request<{ port: number }>(hub, { host: emulator.url, applicationId, token })
  const honest = lobbies.flatMap((id, lobby) =>
    membersOf(lobby, 0, HONEST).map((player) => ({ port, player, lobbies: [id] })),
  )
  await request(readers, { players: honest })
  calls.length = 0
  const url = `http://127.0.0.1:${port}/lobbies`
  return {
    attack: ({ accounts, ...attack }) =>
      void attackers.send({ ...attack, url, accounts: hostileAccounts(lobbies).slice(0, accounts) }),
    endAttack: async () => (await request<{ answers: Record<string, number> }>(attackers, {})).answers,
    change: (index) => {
      const lobby = index % LOBBIES
      return change({
        hub,
        readers,
        url,
        lobby: lobbies[lobby] ?? '',
        reporter: index % 2 === 0 ? undefined : membersOf(lobby, 0, 1)[0],
      })
    },
    calls: () => ({
      refused: calls.filter(({ status }) => status === 429).length,
      most: mostInASecond(calls.map(({ at }) => at)),
    }),
    close: async () => {
      await Promise.all([readers, hub, attackers].map(endProcess))
      await emulator.close()
    },
  }
}

const playerId = (index: number): string => String(FIRST + BigInt(index))

const membersOf = (lobby: number, from: number, count: number): string[] =>
  Array.from({ length: count }, (_, index) => playerId(lobby * (HONEST + HOSTILE) + from + index))

/** One of each lobby, then the second of each. */
const hostileAccounts = (lobbies: readonly string[]) =>
  Array.from({ length: HOSTILE }, (_, member) =>
    lobbies.map((lobby, index) => ({
      account: member * LOBBIES + index,
      token: membersOf(index, HONEST + member, 1)[0],
      lobby,
      foreign: lobbies[(index + 1) % LOBBIES],
    })),
  ).flat()

async function createLobby(url: string, token: string, members: readonly string[]): Promise<string> {
  const response = await fetch(`${url}/api/v10/lobbies`, {
    method: 'POST',
    headers: { authorization: `Bot ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ metadata: { at: '0' }, members: members.map((id) => ({ id })) }),
  })
  const { id } = (await response.json()) as { id: string }
  return id
}

interface Change {
  readonly hub: ChildProcess
  readonly readers: ChildProcess
  readonly url: string
  readonly lobby: string
  readonly reporter: string | undefined
}

async function change({ hub, readers, url, lobby, reporter }: Change) {
  const at = nowText()
  readers.send({ round: { current: at, expected: HONEST } })
  const arrived = nextMessage<{ times: number[] }>(readers)
  const { took } = await request<{ took: number }>(hub, { lobby, at, isSilent: reporter !== undefined })
  if (reporter !== undefined) {
    const headers = { authorization: `Bearer ${reporter}` }
    await fetch(url, { method: 'POST', headers, body: JSON.stringify({ type: 'changed', lobby_id: lobby }) })
  }
  const lost = new Promise<{ times: number[] }>(
    (resolve) => void setTimeout(resolve, LOST, { times: [LOST] }).unref(),
  )
  const { times } = await Promise.race([arrived, lost])
  return { call: took, news: times }
}

/** Of the times, in ms. */
const mostInASecond = (times: readonly number[]): number =>
  Math.max(0, ...times.map((from) => times.filter((time) => time >= from && time < from + SECOND).length))
