/** Two processes deploy commands at once, with a lock in a real Redis server, against the emulator. */
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { createEmulator, type Emulator } from 'foyer-emulator'
import { ApplicationClient, botToken, CommandType, type CommandOverwriteBody } from 'foyer-sdk/server'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { missingRedis, type RedisServer, startRedis } from '../../support/redis-server'
import { skipIfMissing } from '../../support/skip-if-missing'

const needsRedis = skipIfMissing(missingRedis())

const SCRIPT = fileURLToPath(new URL('../../support/deploy-process.mjs', import.meta.url))
const listOf = (prefix: string, description = 'Something'): CommandOverwriteBody[] =>
  Array.from({ length: 12 }, (_, index) => ({ name: `${prefix}${index}`, description }))
const namesOf = (commands: readonly { name: string }[]) => commands.map(({ name }) => name).toSorted()

interface Message {
  ready?: true
  /** Completed steps so far. */
  done?: number
  /** Sent at the end: number of requests, and of steps of the plan. */
  requests?: number
  steps?: number
}

/** A process that deploys commands. */
class Deployment {
  readonly process: ChildProcess = fork(SCRIPT, { execArgv: [] })
  readonly #messages: Message[] = []

  /** Resolves with the first message, past or future, that is expected. */
  until(isExpected: (message: Message) => boolean): Promise<Message> {
    return new Promise((resolve, reject) => {
      const receive = (message: Message) => isExpected(message) && resolve(message)
      this.#messages.forEach(receive)
      this.process.on('message', receive)
      this.process.once('exit', (code) => reject(new Error(`The process has ended with ${code}.`)))
    })
  }

  constructor() {
    this.process.on('message', (message: Message) => this.#messages.push(message))
  }

  /** Resolves with the result of the sync. */
  result(): Promise<Pick<Message, 'requests' | 'steps'>> {
    return this.until(({ requests }) => requests !== undefined)
  }
}

describe('two processes that sync commands at once', needsRedis, () => {
  let redis: RedisServer
  let emulator: Emulator
  let deployments: Deployment[]

  beforeEach(async () => {
    redis = await startRedis()
    emulator = await createEmulator({ port: 0 })
    deployments = [new Deployment(), new Deployment()]
    for (const deployment of deployments) await deployment.until(({ ready }) => ready === true)
  })
  afterEach(async () => {
    for (const { process: child } of deployments) child.kill('SIGKILL')
    await emulator.close()
    await redis.close()
  })

  const begin = (index: number, commands: readonly CommandOverwriteBody[]): Deployment => {
    const deployment = deployments[index]
    if (!deployment) throw new Error(`No process ${index}.`)
    const { id: applicationId, botToken: token } = emulator.application
    deployment.process.send({ host: emulator.url, applicationId, token, redis: redis.path, commands })
    return deployment
  }
  const deployed = async (): Promise<string[]> => {
    const { id: applicationId, botToken: token } = emulator.application
    const client = new ApplicationClient({
      applicationId,
      service: { host: emulator.url },
      credentials: botToken(token),
    })
    const commands = await client.commands.global.list()
    client.close()
    // A sync keeps the entry point, which every application here has.
    return namesOf(commands.filter(({ type }) => type === CommandType.CHAT_INPUT))
  }

  test('with the same list: one of them changes the commands, the other one finds nothing to do', async () => {
    const commands = listOf('same')
    const results = await Promise.all([0, 1].map((index) => begin(index, commands).result()))
    const [loser, winner] = results.toSorted((a, b) => (a.requests ?? 0) - (b.requests ?? 0))
    expect(loser).toMatchObject({ requests: 1, steps: 0 })
    expect(winner?.steps).toBeGreaterThanOrEqual(12)
    expect(await deployed()).toEqual(namesOf(commands))
  })

  test('with different lists: leave one of them, whole', async () => {
    const lists = [listOf('left'), listOf('right')]
    await Promise.all(lists.map((commands, index) => begin(index, commands).result()))
    expect(lists.map(namesOf)).toContainEqual(await deployed())
  })

  test('of which one is killed in the middle: the other one waits until no request of it can arrive, and completes the list', async () => {
    const commands = listOf('killed')
    const first = begin(0, commands)
    await first.until(({ done = 0 }) => done >= 3)
    const second = begin(1, commands)
    first.process.kill('SIGKILL')
    const killedAt = performance.now()
    await second.until(({ done = 0 }) => done >= 1)
    // The lock was renewed 2.5 s ago at most, and ends 11 s after that.
    expect(performance.now() - killedAt).toBeGreaterThan(8000)
    const { steps = 0 } = await second.result()
    expect(steps).toBeLessThan(12)
    expect(await deployed()).toEqual(namesOf(commands))
  })
})
