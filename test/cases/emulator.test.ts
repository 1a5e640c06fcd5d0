/** A backend deploys its commands to the emulator over HTTP, with the planned number of requests. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createEmulator, type Emulator } from 'foyer-emulator'
import {
  ApplicationClient,
  botToken,
  clientCredentials,
  validateCommands,
  type CredentialsSource,
  type GlobalCommandBody,
} from 'foyer-sdk/server'
import { errorPaths } from '../emulator/commands/command-client.js'

let emulator: Emulator
beforeAll(async () => {
  emulator = await createEmulator({})
})
afterAll(() => emulator.close())

const clientWith = (credentials: CredentialsSource) =>
  new ApplicationClient({
    applicationId: emulator.application.id,
    service: { host: emulator.url },
    credentials,
  })

const hundred: GlobalCommandBody[] = Array.from({ length: 100 }, (_, index) => ({
  name: `c${index}`,
  name_localizations: { de: `d${index}` },
  description: 'Something',
  options: [{ type: 3, name: 'item', description: 'What', choices: [{ name: 'Sword', value: 'sword' }] }],
}))

test('a sync deploys a hundred commands, then changes nothing, then updates the changed ones', async () => {
  const { global } = clientWith(botToken(emulator.application.botToken)).commands
  expect((await global.sync(hundred)).requests).toBe(2)
  expect((await global.sync(hundred)).requests).toBe(1)
  const before = new Set((await global.list()).map(({ version }) => version))
  const changed = hundred.map((command, index) =>
    index < 10 ? { ...command, description: 'Changed' } : command,
  )
  expect((await global.sync(changed)).requests).toBe(2)
  const after = await global.list({ locale: 'de' })
  expect(after.filter(({ version }) => !before.has(version)).length).toBe(10)
  expect(after.filter(({ name_localized }) => name_localized !== undefined).length).toBe(100)
  expect(after.filter(({ type }) => type === 4).map(({ name }) => name)).toEqual(['Launch'])
  expect((await global.sync(hundred, { using: 'steps' })).requests).toBe(11)
})

/** Requests that arrive at the service during `work`. */
async function counted(work: () => Promise<unknown>): Promise<string[]> {
  const before = emulator.requests.length
  await work()
  return emulator.requests.slice(before).map(({ method, status }) => `${method} ${status}`)
}

test('a sync of a hundred commands with ten changes takes two requests under a limit of 50 per second, and one without changes', async () => {
  const { global } = clientWith(botToken(emulator.application.botToken)).commands
  emulator.reset()
  emulator.limits({ profile: 'production' })
  expect(emulator.limits().limits['global']).toMatchObject({ limit: 50, per: 1000 })
  await global.sync(hundred)
  const changed = hundred.map((command, index) =>
    index % 10 === 0 ? { ...command, description: 'Changed' } : command,
  )
  expect(await counted(() => global.plan(hundred))).toEqual(['GET 200'])
  expect(await counted(() => global.sync(changed))).toEqual(['GET 200', 'PUT 200'])
  expect(await counted(() => global.sync(changed))).toEqual(['GET 200'])
  const steps = await counted(() => global.sync(hundred, { using: 'steps' }))
  expect(steps).toEqual(['GET 200', ...Array.from({ length: 10 }, () => 'PATCH 200')])
})

const named = (...names: string[]) => names.map((name) => ({ name, description: 'Something' }))

test('a sync renames commands that swap their names, also in a cycle', async () => {
  const { global } = clientWith(botToken(emulator.application.botToken)).commands
  emulator.reset()
  const made = (await global.overwrite([...named('a', 'b', 'c'), { type: 4, name: 'Launch' }])).filter(
    ({ type }) => type === 1,
  )
  const withIds = (...names: string[]) =>
    named(...names).map((command, index) => ({ ...command, id: made[index]?.id ?? '' }))
  for (const order of [
    ['b', 'c', 'd'],
    ['c', 'd', 'b'],
    ['d', 'c', 'b'],
  ]) {
    await global.sync(withIds(...order), { using: 'steps' })
    expect((await global.plan(withIds(...order))).steps).toEqual([])
  }
})

const ofBot = () => clientWith(botToken(emulator.application.botToken)).commands.global
const names = async () => (await ofBot().list()).filter(({ type }) => type === 1).map(({ name }) => name)

describe('a sync in single steps', () => {
  const wanted = named('a', 'b', 'c', 'd')
  beforeEach(() => emulator.reset())

  test('stops when it is cancelled, and the next run completes it', async () => {
    const caller = new AbortController()
    const onStep = ({ done }: { done: number }) => {
      if (done === 2) caller.abort()
    }
    const stopped = ofBot().sync(wanted, { using: 'steps', signal: caller.signal, onStep })
    await expect(stopped).rejects.toMatchObject({ code: 'aborted' })
    expect(await names()).toEqual(['a', 'b'])
    expect((await ofBot().sync(wanted, { using: 'steps' })).requests).toBe(3)
    expect((await ofBot().sync(wanted, { using: 'steps' })).requests).toBe(1)
  })

  test('creates menu commands fetched elsewhere, with their empty descriptions', async () => {
    const menu = { type: 2 as const, name: 'High Five', description: '' }
    expect((await ofBot().sync([menu], { using: 'steps' })).requests).toBe(2)
    expect((await ofBot().list()).find(({ type }) => type === 2)).toMatchObject(menu)
  })

  test('waits for the duration of a 429 and continues', async () => {
    const match = { method: 'POST', path: '*/commands' }
    const refusal = {
      status: 429,
      headers: { 'retry-after': '1' },
      body: { message: 'Slow down', retry_after: 0.05, global: false },
    }
    emulator.faults({ match, times: 2, effect: refusal })
    const statuses = await counted(() => ofBot().sync(wanted, { using: 'steps' }))
    expect(statuses.filter((each) => each === 'POST 429').length).toBe(2)
    expect(await names()).toEqual(['a', 'b', 'c', 'd'])
  })

  test('with a lost response finds the created command and does not create it twice', async () => {
    emulator.faults({ match: { method: 'POST', path: '*/commands' }, times: 1, effect: { lostAnswer: true } })
    await expect(ofBot().sync(wanted, { using: 'steps' })).rejects.toMatchObject({ retryable: true })
    expect((await ofBot().sync(wanted, { using: 'steps' })).requests).toBe(4)
    expect(await names()).toEqual(['a', 'b', 'c', 'd'])
  })
})

test('a sync works with a token from client credentials', async () => {
  const { id: clientId, clientSecret } = emulator.application
  const { global } = clientWith(clientCredentials({ clientId, clientSecret })).commands
  expect((await global.list()).length).toBeGreaterThan(0)
})

test('an error of the service is reported with its code and its path', async () => {
  const { global } = clientWith(botToken(emulator.application.botToken)).commands
  await expect(global.create({ type: 4, name: 'Other' })).rejects.toMatchObject({
    code: 'too_many_commands',
    apiCode: 30_032,
  })
  await expect(global.get('1')).rejects.toMatchObject({ code: 'unknown_command', status: 404 })
})

test.each([
  ['of one name have two errors: the name and the count', ['Launch', 'Launch'], ['', '[1].name']],
  ['of two names have one error: the count', ['Launch', 'Play'], ['']],
])('two entry points %s, in the SDK and the service', async (_, list, places) => {
  const body = list.map((name) => ({ type: 4, name }))
  const found = validateCommands(body, { scope: 'global' })
  expect(found.map(({ path }) => path).toSorted()).toEqual(places)
  const { id, botToken: token } = emulator.application
  const response = await fetch(`${emulator.url}/api/v10/applications/${id}/commands`, {
    method: 'PUT',
    headers: { authorization: `Bot ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect([
    response.status,
    errorPaths(await response.json())
      .map((path) => path.replace(/^\$\.?/, ''))
      .toSorted(),
  ]).toEqual([400, places])
})
