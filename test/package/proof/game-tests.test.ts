/** A game's own tests with the fixtures of `foyer-emulator/vitest` and `foyer-emulator/playwright`, in projects of their own. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { findChromium } from '../../support/chromium'
import { link } from '../../support/packed-package'
import { skipIfMissing } from '../../support/skip-if-missing'
import { createViteProject, type ViteProject } from '../../support/vite-project'
import { blocks, ROOT } from '../markdown-pages'

function createProject(packages: readonly string[]): ViteProject {
  const project = createViteProject()
  onTestFinished(() => project[Symbol.dispose]())
  for (const name of packages) link(name, project.root)
  return project
}

/** Runs a test runner in the project, as `npx` would. */
function run(
  { root }: ViteProject,
  script: string,
  args: readonly string[],
): { status: number | null; output: string } {
  const { VITEST: _, NODE_ENV: __, ...rest } = process.env
  const env = { ...rest, NO_COLOR: '1', FORCE_COLOR: '0' }
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, 'node_modules', script), ...args],
    {
      cwd: root,
      env,
      encoding: 'utf8',
    },
  )
  return { status, output: stdout + stderr }
}

const VITEST = `import { Client } from 'foyer-sdk'
import { gameTest, test } from 'foyer-emulator/vitest'
import { describe, expect } from 'vitest'

const open = (settings) => new Client(settings)

test('two players meet', async ({ players, emulator }) => {
  const [ada, ben] = await players(2, open)
  expect([ada.session.userId, ben.session.userId]).toEqual(emulator.users.slice(0, 2).map(({ id }) => id))
  const { id } = await ada.createOrJoinLobby('moon')
  expect((await ben.createOrJoinLobby('moon')).members).toHaveLength(2)
  emulator.advance(60_000)
  emulator.clock({ frozen: true })
  emulator.limits('off')
  emulator.faults({ match: {}, times: 99, effect: { status: 503 } })
})
test('the next test finds nothing of it', async ({ players, emulator }) => {
  expect([emulator.requests, emulator.faults(), emulator.clock()]).toEqual([[], [], expect.objectContaining({ ahead: 0, frozen: false })])
  expect(Object.keys(emulator.limits().limits).length).toBeGreaterThan(5)
  const [ada] = await players(1, open)
  expect((await ada.createOrJoinLobby('moon')).members).toHaveLength(1)
})
test('a function that returns no client', async ({ players }) => {
  await expect(players(1, () => undefined)).rejects.toThrow('Return a client for each player')
})

test('more players than there are', async ({ players }) => {
  await expect(players(99, open)).rejects.toMatchObject({ code: 'unknown_user' })
})
const prepared = gameTest({ limits: 'off', prepare: (emulator) => emulator.advance(5000) })
describe('with a state of its own', () => {
  prepared('begins with it', ({ emulator }) => expect(emulator.clock().ahead).toBe(5000))
  prepared('begins with it again', ({ emulator }) => expect(emulator.clock().ahead).toBe(5000))
})
`

const FAILING_VITEST = `import { Client } from 'foyer-sdk'
import { test } from 'foyer-emulator/vitest'

test('fails', async ({ players }) => {
  const [ada] = await players(1, (settings) => new Client(settings))
  const members = [{ id: ada.session.userId }]
  const lobby = await ada.lobbies.add({ id: '123456789012345678', application_id: ada.applicationId, members })
  await lobby.send('Hello')
})
`

const startVitest = () => createProject(['vitest'])

describe('foyer-emulator/vitest', () => {
  test('signs players in by the real exchange, and each test begins anew', () => {
    const project = startVitest()
    project.write('game.test.js', VITEST)
    const { status, output } = run(project, 'vitest/vitest.mjs', ['run', '--testTimeout=100000'])
    expect(output).toContain('6 passed')
    expect(status).toBe(0)
  })

  test('a failed test prints the requests with the rule that refused one', () => {
    const project = startVitest()
    project.write('game.test.js', FAILING_VITEST)
    const { status, output } = run(project, 'vitest/vitest.mjs', ['run', '--testTimeout=100000'])
    expect(status).toBe(1)
    expect(output).toMatch(/200 {2}POST +\/api\/v10\/oauth2\/token/)
    expect(output).toMatch(/404 {2}POST +\/api\/v10\/lobbies\/123456789012345678\/messages .*ms {2}\S+/)
  })
})

function runBot(code: string): ReturnType<typeof run> {
  const project = startVitest()
  project.write('bot.test.ts', code)
  return run(project, 'vitest/vitest.mjs', ['run', '--testTimeout=100000'])
}

describe('the test of a bot in the manual', () => {
  const text = readFileSync(join(ROOT, 'docs/testing.md'), 'utf8')
  const bot = blocks({ text }).find(({ code }) => code.includes('createInteractionHandler('))?.code ?? ''

  test('passes', () => {
    const { status, output } = runBot(bot)
    expect(output).toContain('1 passed')
    expect(status).toBe(0)
  })

  test.each([
    ['a suggestion', 'name.startsWith(text)', 'name.endsWith(text)'],
    ['the reply to a command', 'gives a ${', 'takes a ${'],
    ['a button', 'interaction.update(', 'interaction.reply('],
    ['the form', 'interaction.showModal(form.definition)', "'Write to us'"],
    ['the reply to a form', '`Reported:', '`Ignored:'],
    ['the key', '    publicKey,', "    publicKey: publicKey.replaceAll('a', 'b'),"],
  ])('fails if %s of the bot is broken', (_, part, broken) => {
    expect(bot).toContain(part)
    const { status, output } = runBot(bot.replace(part, broken))
    expect(output).toContain('1 failed')
    expect(status).toBe(1)
  })
})

const found = await findChromium()
/** The times are long: the machine may be busy, and a test of this file ends them all. */
const CONFIG = `export default { testMatch: '*.spec.js', workers: 2, reporter: 'line', outputDir: 'results',
  timeout: 200_000, expect: { timeout: 90_000 },
  use: { launchOptions: { executablePath: ${JSON.stringify('path' in found ? found.path : '')} } } }\n`
const SPEC = `import { expect, test } from 'foyer-emulator/playwright'

for (const round of [1, 2])
  test('two players are signed in, round ' + round, async ({ players, emulator }) => {
    expect(emulator.requests).toEqual([])
    const [ada, ben] = await players(2, '/?room=moon')
    await expect(ada.page.locator('#outcome')).toHaveText(ada.id)
    await expect(ben.page.locator('#outcome')).toHaveText(ben.id)
    expect(ada.page.url()).toContain('?room=moon')
    emulator.faults({ match: { path: '/api/v10/users/@me', method: 'GET' }, effect: { status: 403 } })
    await ada.page.locator('#user').click()
    await expect(ada.page.locator('#outcome')).toHaveText('http_403')
    emulator.advance(round * 1000)
    emulator.faults({ match: {}, times: 99, effect: { status: 503 } })
  })
`
const FAILING_SPEC = `import { expect, test } from 'foyer-emulator/playwright'

test('fails', async ({ players }) => {
  const [ada] = await players(1)
  await expect(ada.page.locator('#outcome')).toHaveText('nobody', { timeout: 2000 })
})
`

const startPlaywright = () => {
  const project = createProject(['@playwright/test', 'vite'])
  project.write('playwright.config.js', CONFIG)
  return project
}

describe('foyer-emulator/playwright', skipIfMissing('reason' in found ? found.reason : undefined), () => {
  test('signs players in as persons do, in workers with an emulator each', () => {
    const project = startPlaywright()
    project.write('game.spec.js', SPEC)
    const { status, output } = run(project, '@playwright/test/cli.js', ['test'])
    expect(output).toContain('2 passed')
    expect(status).toBe(0)
  })

  test('a failed test has the requests attached', () => {
    const project = startPlaywright()
    project.write('game.spec.js', FAILING_SPEC)
    const { status, output } = run(project, '@playwright/test/cli.js', ['test'])
    expect(status).toBe(1)
    expect(output).toContain('requests to the emulator')
    expect(output).toMatch(/303 {2}GET +\/oauth2\/authorize/)
  })
})
