/** An invitation that is accepted in the chat opens the game's page, in real Chromium. */
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createEmulator } from 'foyer-emulator'
import { expect, onTestFinished, test } from 'vitest'
import { launchChromium } from '../support/chromium'
import { listen } from '../support/loopback'
import { serveRemoteGame } from '../support/remote-game'

/** The game of the player who invites. */
const script = (settings: object) => `
await new Promise((resolve) => document.head.append(Object.assign(document.createElement('script'), { src: '/foyer.js', onload: resolve })))
const client = new Foyer.Client(${JSON.stringify(settings)})
const host = await client.activity.connect()
await client.signIn({ args: { scopes: 'openid relationships.read rpc.activities.write' } })
Object.assign(window, { client, host, player: 'ada' })
`

const PAGE = `<!doctype html><title>Game</title><script src="/foyer.js"></script><script>
var invitation = new Foyer.Client({ applicationId: '1', service: { host: 'http://localhost:9' } }).takeInvitation()
</script>`

/** The game's page, which takes the invitation. */
async function servePage(): Promise<{ url: string; requests: string[]; close: () => Promise<void> }> {
  const library = await readFile('dist/umd/index.umd.js')
  const requests: string[] = []
  const server = createServer(({ url = '' }, response) => {
    requests.push(url)
    if (url === '/foyer.js') response.writeHead(200, { 'content-type': 'text/javascript' }).end(library)
    else response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE)
  })
  const { port, close } = await listen(server)
  return { url: `http://localhost:${port}/`, requests, close }
}

test('a player who is not in the Activity accepts an invitation and gets the page of the game with its secret', async () => {
  const page = await servePage()
  const emulator = await createEmulator({ activityPort: 0, seed: { application: { joinUrl: page.url } } })
  const service = { host: emulator.url }
  const game = await serveRemoteGame({ script: script({ applicationId: emulator.application.id, service }) })
  const browser = await launchChromium()
  onTestFinished(async () => {
    await browser.close()
    await Promise.all([emulator.close(), game.close(), page.close()])
  })
  await emulator.activity.serve(game.url)
  const context = await browser.newContext({ viewport: { width: 1280, height: 1000 } })
  const ada = await context.newPage()
  await ada.goto(emulator.activity.launch({ as: 'ada' }).url)
  await ada.getByRole('button', { name: 'Approve' }).click()
  const [, bruno] = emulator.users
  await game.run(`host.setPresence({ party: { id: 'moon' }, secrets: { join: 'moon & 4711' } })`)
  await game.run(`host.inviteFriends()`)
  const dialog = ada.getByRole('alertdialog')
  await dialog.getByLabel('Bruno').check()
  await dialog.getByRole('button', { name: 'Invite' }).click()

  const chat = await context.newPage()
  await chat.goto(`${emulator.url}/chat?as=${bruno?.id}`)
  await chat.getByLabel('Player', { exact: true }).selectOption({ label: 'Bruno' })
  await chat.getByRole('button', { name: 'Ada Quinn', exact: true }).click()
  const [tab] = await Promise.all([
    chat.waitForEvent('popup'),
    chat.getByRole('button', { name: 'Accept invitation' }).click(),
  ])
  await tab.waitForLoadState()
  expect(page.requests[0]).toBe('/_service/join?secret=moon+%26+4711')
  expect(await tab.evaluate('({ invitation, referrer: document.referrer, opener })')).toEqual({
    invitation: { secret: 'moon & 4711' },
    referrer: '',
    opener: null,
  })
  expect(tab.url()).toBe(page.url)
  expect(await chat.locator('iframe').count()).toBe(0)
})
