/** The whole road of a player: a slash in the chat, the game's backend, the Activity, and a lobby with somebody else in it. */
import { createEmulator } from 'foyer-emulator'
import { ApplicationClient, botToken, createInteractionHandler, defineCommand } from 'foyer-sdk/server'
import { expect, onTestFinished, test } from 'vitest'
import { launchChromium } from '../support/chromium'
import { serveLobbyGame } from '../support/lobby-activity'
import { serveRequests } from '../support/serve-requests'

test('two players come from the chat into one Activity, and see and hear each other in its lobby', async () => {
  const emulator = await createEmulator({ commands: { globalDelay: 0 } })
  const { id: applicationId, publicKey, botToken: token } = emulator.application
  const service = { host: emulator.url }
  const client = new ApplicationClient({ applicationId, service, credentials: botToken(token) })
  const play = defineCommand({ type: 4, name: 'Play', handler: 1 }, (interaction) =>
    interaction.launchActivity(),
  )
  const backend = await serveRequests(createInteractionHandler({ publicKey, commands: [play], service }))
  const game = await serveLobbyGame(emulator)
  const browser = await launchChromium()
  onTestFinished(async () => {
    await browser.close()
    client.close()
    await Promise.all([emulator.close(), backend.close(), game.close()])
  })
  await client.commands.global.sync([play.definition])
  await emulator.interactions.connect(backend.url)
  await emulator.activity.serve(game.url)

  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
  await page.goto(`${emulator.url}/chat`)
  const hostOf = (name: string) => page.frameLocator(`iframe[title="The Activity, as ${name} sees it"]`)
  const gameOf = (name: string) => hostOf(name).frameLocator(`iframe[title="The game, as ${name} sees it"]`)

  await page.getByRole('combobox', { name: /^Message to/ }).fill('/play')
  await page.getByRole('option', { name: /Play/ }).click()
  await hostOf('Ada Quinn').getByRole('button', { name: 'Approve' }).click()
  await gameOf('Ada Quinn').locator('body[data-ready=yes]').waitFor()
  expect(await gameOf('Ada Quinn').locator('#members').innerText()).toBe('ada')

  await page.getByLabel('Player', { exact: true }).selectOption({ label: 'Bruno' })
  await page.getByRole('list', { name: 'Messages' }).getByRole('button', { name: 'Join' }).click()
  await hostOf('Bruno').getByRole('button', { name: 'Approve' }).click()
  await gameOf('Bruno').locator('body[data-ready=yes]').waitFor()
  for (const name of ['Ada Quinn', 'Bruno']) {
    await expect.poll(() => gameOf(name).locator('#members').innerText()).toBe('ada\nbruno')
  }

  await gameOf('Ada Quinn').getByRole('button', { name: 'Say hello' }).click()
  await gameOf('Bruno').getByText('hello from ada').waitFor()
  await gameOf('Bruno').getByRole('button', { name: 'Say hello' }).click()
  await gameOf('Ada Quinn').getByText('hello from bruno').waitFor()
  expect(emulator.activity.instances()).toHaveLength(1)
  expect(emulator.requests.filter(({ status }) => status === 429)).toEqual([])
})
