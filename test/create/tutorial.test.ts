/** The tutorial: the code of each step, from its page, in a browser with two players, in its own test, and built. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { blocks } from '../package/markdown-pages'
import { launchChromium } from '../support/chromium'
import { approve } from '../support/consent-page'
import { serveExample } from '../support/example-project'
import { link, pack, run } from '../support/packed-package'

const TEXT = readFileSync('docs/tutorial.md', 'utf8')
/** Sections by the number in their heading, from 1. */
const STEPS = TEXT.split(/^## \d\. /m).slice(1)
const FILE = /^(?:\/\/|<!--) ([\w./-]+)(, continued)?(?: -->)?\n/

interface FileBlock {
  step: number
  file: string
  isContinued: boolean
  code: string
}

const fileBlocks: FileBlock[] = STEPS.flatMap((text, index) =>
  blocks({ text }).flatMap(({ language, code }) => {
    if (language === 'sh') return []
    const [line = '', file = '', continued] = FILE.exec(code) ?? []
    return { step: index + 1, file, isContinued: continued !== undefined, code: code.slice(line.length) }
  }),
)

/** Packages that the tutorial installs. */
const INSTALLED = [...TEXT.matchAll(/^npm install (.+)$/gm)].flatMap(([, words = '']) =>
  words.split(' ').filter((word) => !word.startsWith('--')),
)

let browser: Browser
beforeAll(async () => {
  browser = await launchChromium()
})
afterAll(() => browser.close())

/** The folder of a reader who has done all steps up to one. */
function folderAfter(step: number): string {
  const packed = pack('.')
  onTestFinished(() => packed[Symbol.dispose]())
  for (const name of INSTALLED.filter((each) => each !== 'foyer-sdk')) link(name, packed.project)
  writeFileSync(join(packed.project, 'package.json'), JSON.stringify({ name: 'rps', type: 'module' }))
  writeStep(packed.project, step)
  return packed.project
}

/** Writes the files as they are after a step. */
function writeStep(folder: string, step: number): void {
  const files = new Map<string, string>()
  for (const { file, isContinued, code } of fileBlocks.filter((block) => block.step <= step))
    files.set(file, isContinued ? `${files.get(file) ?? ''}\n${code}` : code)
  for (const [file, code] of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), code)
  }
}

async function expectSignIn(url: string, player: string): Promise<Page> {
  const context = await browser.newContext()
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const failures: string[] = []
  page.on('pageerror', (error) => failures.push(error.message))
  onTestFinished(() => expect(failures).toEqual([]))
  await page.goto(url)
  await pressSignIn(page, player)
  return page
}

async function pressSignIn(page: Page, player: string): Promise<void> {
  const [popup] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('button', { name: 'Sign in' }).click(),
  ])
  await approve(popup, player)
  await expectStatus(page, `Welcome, ${player}!`)
}

/** Resolves once the status has a text. */
const expectStatus = (page: Page, text: string) =>
  page.getByRole('status').filter({ hasText: text }).waitFor()

async function expectLobby(page: Page, word?: string): Promise<void> {
  if (word !== undefined) await page.getByLabel('Word').fill(word)
  await page.getByRole('button', { name: 'Play' }).click()
  await expectStatus(page, 'Wait for your friend. Then choose.')
}

async function linkOf(page: Page): Promise<string> {
  await page.locator('#link[href]').waitFor()
  return (await page.locator('#link').getAttribute('href')) ?? ''
}

/** Two players of the game after a step, in one lobby. */
async function twoPlayers(step: number): Promise<{ ada: Page; bruno: Page }> {
  const url = await serveExample(folderAfter(step))
  const [ada, bruno] = [await expectSignIn(url, 'Ada Quinn'), await expectSignIn(url, 'Bruno')]
  await expectLobby(ada, 'moon')
  await expectLobby(bruno, 'moon')
  return { ada, bruno }
}

test('every block of the tutorial names its file, and only a file that is there is continued', () => {
  expect(STEPS).toHaveLength(8)
  expect(fileBlocks.filter(({ file }) => file === '')).toEqual([])
  const begun = new Set<string>()
  for (const { file, isContinued } of fileBlocks) {
    expect([file, begun.has(file)]).toEqual([file, isContinued])
    begun.add(file)
  }
  expect(INSTALLED).toContain('foyer-sdk')
})

describe('a reader of the tutorial', () => {
  test('signs in after step 2', async () => {
    await expectSignIn(await serveExample(folderAfter(2)), 'Ada Quinn')
  })

  test('is in a lobby, leaves it and is in another one after step 3', async () => {
    const ada = await expectSignIn(await serveExample(folderAfter(3)), 'Ada Quinn')
    await expectLobby(ada, 'moon')
    await ada.getByRole('button', { name: 'Leave' }).click()
    await expectLobby(ada, 'sun')
  })

  test('chats and wins after step 4', async () => {
    const { ada, bruno } = await twoPlayers(4)
    await ada.getByLabel('Message').fill('Hello, Ben!')
    await ada.getByRole('button', { name: 'Send' }).click()
    await bruno.getByText('Hello, Ben!').waitFor()
    await ada.getByRole('button', { name: 'Rock' }).click()
    await bruno.getByRole('button', { name: 'Scissors' }).click()
    await expectStatus(ada, 'You win!')
    await expectStatus(bruno, 'You lose.')
    expect(await bruno.locator('#chat li').count()).toBe(1)
  })

  test('invites a friend after step 5', async () => {
    const url = await serveExample(folderAfter(5))
    const ada = await expectSignIn(url, 'Ada Quinn')
    await expectLobby(ada, 'moon')
    const bruno = await expectSignIn(await linkOf(ada), 'Bruno')
    expect(await bruno.getByLabel('Word').inputValue()).toBe('moon')
    await expectLobby(bruno)
  })

  test('is told by the form that no link can carry a word with <', async () => {
    const ada = await expectSignIn(await serveExample(folderAfter(5)), 'Ada Quinn')
    await ada.getByLabel('Word').fill('I <3 you')
    await ada.getByRole('button', { name: 'Play' }).click()
    expect(await ada.getByLabel('Word').evaluate((input) => input.matches(':invalid'))).toBe(true)
    expect(await ada.locator('#game').isVisible()).toBe(false)
    await expectLobby(ada, 'I love you')
  })

  test('is still there after a reload, after step 6', async () => {
    const { ada, bruno } = await twoPlayers(6)
    await ada.reload()
    await expectStatus(ada, 'Wait for your friend. Then choose.')
    await bruno.getByRole('button', { name: 'Rock' }).click()
    await ada.getByRole('button', { name: 'Rock' }).click()
    await expectStatus(ada, 'A draw.')
  })

  test('has a green test after step 7', () => {
    expect(run('npx', ['vitest', 'run'], folderAfter(7))).toContain('1 passed')
  })

  test('has files to upload after step 8', () => {
    const folder = folderAfter(8)
    run('npx', ['vite', 'build'], folder)
    expect(
      ['index.html', 'callback.html', 'callback.js'].filter(
        (name) => !existsSync(join(folder, 'dist', name)),
      ),
    ).toEqual([])
  })
})
