/** The shop of the examples: its backend ends at each point of its work, its page sells in the host window. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { createEmulator, type Emulator } from 'foyer-emulator'
import { expect, onTestFinished, test } from 'vitest'
import { launchChromium } from '../support/chromium'
import { setEmulatorVariables } from '../support/example-emulator'
import { copyExample, serveExample } from '../support/example-project'
import { signIn } from '../emulator/support/sign-in-client.js'

const [DICE, ROLLS] = ['1288100000000000001', '1288100000000000002'] as const
const END = pathToFileURL(fileURLToPath(new URL('../support/end-at-point.mjs', import.meta.url))).href

interface Backend {
  readonly url: string
  readonly ended: Promise<unknown>
}

/** Starts the backend of the example, which ends at a point. */
async function start(root: string, emulator: Emulator, variables: object = {}): Promise<Backend> {
  const { url, application } = emulator
  const env = {
    ...process.env,
    NODE_ENV: 'production',
    PORT: '0',
    ITEMS: join(root, 'items'),
    FOYER_HOST: url,
    FOYER_APPLICATION_ID: application.id,
    FOYER_BOT_TOKEN: application.botToken,
    FOYER_PUBLIC_KEY: application.publicKey,
    ...variables,
  }
  const child: ChildProcess = spawn(process.execPath, ['--import', END, 'server.js'], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const listening = once(child.stdout ?? child, 'data')
  const failed = ended.then(() => Promise.reject(new Error('The backend ended before it listened.')))
  failed.catch(() => undefined)
  const [text] = await Promise.race([listening, failed])
  return { url: /http:\S+(?=\/)/.exec(String(text))?.[0] ?? '', ended }
}

const itemsOf = (root: string) => readdirSync(join(root, 'items')).filter((name) => name.endsWith('.json'))

test.each(['before read', 'after read', 'after claim', 'after grant', 'after consume'])(
  'a backend that is killed %s grants once when it has started again',
  async (END_AT) => {
    const emulator = await createEmulator()
    onTestFinished(() => emulator.close())
    const root = copyExample('shop')
    const { accessToken } = await signIn(emulator, 'ada')
    const ask = async ({ url }: Backend) =>
      (
        await fetch(`${url}/api/items`, {
          method: 'POST',
          headers: { authorization: `Bearer ${accessToken}` },
        })
      ).json()
    const { id } = emulator.activity.purchase({ as: 'ada', sku: ROLLS, test: false })

    const killed = await start(root, emulator, { END_AT })
    await expect(ask(killed)).rejects.toThrow('fetch failed')
    expect(await killed.ended).toEqual([null, 'SIGKILL'])
    const isGranted = END_AT === 'after grant' || END_AT === 'after consume'
    expect(itemsOf(root)).toEqual(isGranted ? [`${id}.json`] : [])

    const backend = await start(root, emulator)
    expect([await ask(backend), await ask(backend)]).toEqual([[ROLLS], [ROLLS]])
    expect(itemsOf(root)).toEqual([`${id}.json`])
    expect(emulator.activity.entitlements('ada')).toMatchObject([{ id, consumed: true }])

    // Its event comes too, and so does that of the next purchase, which no page reports.
    await emulator.webhooks.connect(`${backend.url}/events`)
    const next = emulator.activity.purchase({ as: 'ada', sku: ROLLS, test: false })
    await expect.poll(() => itemsOf(root).toSorted()).toEqual([`${id}.json`, `${next.id}.json`].toSorted())
    emulator.activity.refund({ entitlement: id })
    await expect.poll(() => itemsOf(root)).toEqual([`${next.id}.json`])
  },
)

test('the page sells in the host window, and shows what the backend has granted', async () => {
  const emulator = await createEmulator({ activityPort: 0 })
  onTestFinished(() => emulator.close())
  setEmulatorVariables(emulator)
  const root = copyExample('shop')
  const backend = await start(root, emulator, { NODE_ENV: 'development' })
  process.env['BACKEND_PORT'] = new URL(backend.url).port
  onTestFinished(() => void delete process.env['BACKEND_PORT'])
  await emulator.activity.serve(await serveExample(root))
  const browser = await launchChromium()
  onTestFinished(() => browser.close())
  const page = await (await browser.newContext()).newPage()
  await page.goto(emulator.activity.launch({ as: 'ada' }).url)
  await page.getByRole('button', { name: 'Approve' }).click()
  const game = page.frameLocator('iframe[title="The game, as Ada Quinn sees it"]')
  await game.getByText('You have 0 × Golden dice and 0 × Ten extra rolls and').waitFor()
  for (const count of [1, 2]) {
    await game.getByRole('button', { name: 'Buy Ten extra rolls: €0.99' }).click()
    await page.getByRole('button', { name: 'Buy' }).click()
    await game.getByText(`You have 0 × Golden dice and ${count} × Ten extra rolls and`).waitFor()
  }
  const names = itemsOf(root)
  const stored = names.map((name) => JSON.parse(readFileSync(join(root, 'items', name), 'utf8')).skuId)
  expect(stored).toEqual([ROLLS, ROLLS])
  expect(stored).not.toContain(DICE)
})
