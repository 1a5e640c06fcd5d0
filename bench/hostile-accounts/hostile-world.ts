/**
 * The emulated service with its documented limits, a backend in one or several processes of its own, members with open streams, players who sign
 * in, hostile accounts, and strangers with invented codes.
 */
import type { ChildProcess } from 'node:child_process'
import { createEmulator, type Emulator } from 'foyer-emulator'
import { startRedis } from '../../test/support/redis-server'
import { codeFor, GAME } from '../../test/support/session-browser'
import { endProcess, nextMessage, nowText, request, startProcess } from '../lobby-hub/fork-process'

const LOBBIES = 20
const HONEST = 5
const HOSTILE = 5
const FIRST = 300_000_000_000_000_000n
/** ms after which news is taken for lost. */
const LOST = 5000
const SECOND = 1000

export interface Attack {
  /** What each account does. */
  readonly name: string
  readonly accounts: number
  /** ms between two requests of an account. */
  readonly interval: number
  /** Invented codes in a second, by as many addresses as there are accounts, at least one. 0: none. */
  readonly codes: number
}

export type Answers = Readonly<Record<string, number>>

export interface SignIn {
  readonly status: number
  /** ms. */
  readonly took: number
}

export interface HostileWorld {
  /** Starts an attack, and honest sign-ins, one in each `every` ms. */
  readonly attack: (attack: Attack, every: number) => void
  /** Ends the attack. Resolves with the numbers of its requests by status. */
  readonly endAttack: () => Promise<{ answers: Answers; codeAnswers: Answers }>
  /** Resolves with the honest sign-ins when the last one has its answer. */
  readonly signIns: () => Promise<readonly SignIn[]>
  /**
   * Changes a lobby. Every other change is reported by a member instead of the bot. Resolves with the time of the bot's call, and the times
   * until the honest members have the news, in ms.
   */
  readonly change: (index: number) => Promise<{ call: number; news: number[] }>
  /** The application's requests: those answered with 429, and the most in a second, of the bot and of all. */
  readonly calls: () => { refused: number; most: number; mostOfAll: number }
  readonly close: () => Promise<void>
}

interface WorldOptions {
  /** Those of the backend. Several share a Redis. */
  readonly processes: number
  /** Honest players who will sign in. */
  readonly signIns: number
}

export async function openWorld({ processes, signIns }: WorldOptions): Promise<HostileWorld> {
  const calls: Call[] = []
  const players = Array.from({ length: LOBBIES * (HONEST + HOSTILE) + signIns }, (_, index) => ({
    id: playerId(index),
    username: `player_${index}`,
  }))
  const emulator = await createEmulator({
    seed: { users: players },
    onRequest: ({ path, at, status }) =>
      void calls.push({ at, status, isOfBot: !path.startsWith('/api/v10/oauth2/') }),
  })
  const lobbies = await createLobbies(emulator)
  const redis = processes > 1 ? await startRedis() : undefined
  const [hubs, readers, attackers, arrivals] = await Promise.all([
    Promise.all(Array.from({ length: processes }, () => startOwn('hub-process.mjs'))),
    startProcess('reader-process.mjs'),
    startOwn('attacker-process.mjs'),
    startOwn('sign-in-process.mjs'),
  ])
  const urls = await startHubs(hubs, emulator, redis?.path)
  const honest = lobbies.flatMap((id, lobby) =>
    membersOf(lobby, 0, HONEST).map((player, index) => ({
      port: Number(new URL(urls[index % processes] ?? '').port),
      player,
      lobbies: [id],
    })),
  )
  await request(readers, { players: honest })
  const newcomers = players.slice(players.length - signIns)
  const codes = await Promise.all(newcomers.map(({ username }) => codeFor(emulator, username)))
  calls.length = 0
  return {
    attack: ({ accounts, codes: perSecond, ...attack }, every) => {
      const strangers = perSecond > 0 && { codes: { perSecond, addresses: Math.max(1, accounts) } }
      const hostile = hostileAccounts(lobbies).slice(0, accounts)
      attackers.send({ ...attack, ...strangers, urls, origin: GAME, accounts: hostile })
      arrivals.send({ codes, urls, origin: GAME, interval: every })
    },
    endAttack: () => request(attackers, {}),
    signIns: async () => (await request<{ signIns: SignIn[] }>(arrivals, {})).signIns,
    change: (index) => {
      const lobby = index % LOBBIES
      return change({
        hub: hubs[index % processes],
        readers,
        // Of two processes one changes the lobby, and another one hears of it.
        url: `${urls[(index + 1) % processes]}/lobbies`,
        lobby: lobbies[lobby] ?? '',
        reporter: index % 2 === 0 ? undefined : membersOf(lobby, 0, 1)[0],
      })
    },
    calls: () => ({
      refused: calls.filter(({ status }) => status === 429).length,
      most: mostInASecond(calls.filter(({ isOfBot }) => isOfBot)),
      mostOfAll: mostInASecond(calls),
    }),
    close: async () => {
      await Promise.all([readers, ...hubs, attackers, arrivals].map(endProcess))
      await redis?.close()
      await emulator.close()
    },
  }
}

interface Call {
  readonly at: number
  readonly status: number
  /** False for requests of tokens. */
  readonly isOfBot: boolean
}

/** Starts a file of this folder. */
const startOwn = (file: string) => startProcess(`../hostile-accounts/${file}`)

/** Starts the processes of the backend, and resolves with their addresses. */
function startHubs(
  hubs: readonly ChildProcess[],
  { url: host, application }: Emulator,
  redis: string | undefined,
): Promise<string[]> {
  const { id: applicationId, botToken: token, clientSecret: secret } = application
  const options = { host, applicationId, token, secret, origin: GAME, redis, processes: hubs.length }
  return Promise.all(
    hubs.map(async (hub) => `http://127.0.0.1:${(await request<{ port: number }>(hub, options)).port}`),
  )
}

async function createLobbies({ url, application }: Emulator): Promise<string[]> {
  const lobbies: string[] = []
  for (let lobby = 0; lobby < LOBBIES; lobby++)
    lobbies.push(await createLobby(url, application.botToken, membersOf(lobby, 0, HONEST + HOSTILE)))
  return lobbies
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
  readonly hub: ChildProcess | undefined
  readonly readers: ChildProcess
  readonly url: string
  readonly lobby: string
  readonly reporter: string | undefined
}

async function change({ hub, readers, url, lobby, reporter }: Change) {
  if (!hub) throw new Error('no process')
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

const mostInASecond = (calls: readonly Call[]): number =>
  Math.max(
    0,
    ...calls.map(({ at: from }) => calls.filter(({ at }) => at >= from && at < from + SECOND).length),
  )
