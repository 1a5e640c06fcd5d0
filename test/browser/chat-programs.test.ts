/** The service's program of a player on the emulator's chat page: presence, requests, accepted invitations and its end, in real Chromium. */
import { createEmulator } from 'foyer-emulator'
import { expect, onTestFinished, test } from 'vitest'
import { launchChromium } from '../support/chromium'
import { startPublicGame } from '../support/public-game'

const SCREENSHOTS = process.env['FOYER_SCREENSHOTS']
/** A name that a game may show: text that is markup, and long. */
const HOSTILE = '<img src=x onerror=alert(1)> '.repeat(4).slice(0, 128)

test('a player asks to join, accepts an invitation and quits the program', async () => {
  const emulator = await createEmulator()
  const [adas, brunos] = [
    await emulator.localProgram({ as: 'ada', brand: 'discord' }),
    await emulator.localProgram({ as: 'bruno', brand: 'discord' }),
  ]
  const ada = await startPublicGame(adas.folder, emulator.application.id)
  const bruno = await startPublicGame(brunos.folder, emulator.application.id)
  const browser = await launchChromium()
  onTestFinished(async () => {
    await browser.close()
    await Promise.all([ada.destroy(), bruno.destroy()])
    await emulator.close()
  })
  const told: unknown[] = []
  ada.on(
    'ACTIVITY_JOIN_REQUEST',
    (data: unknown) => void told.push(`ada: ${Object(data).user.username} asks`),
  )
  bruno.on('ACTIVITY_JOIN', (data: unknown) => void told.push(`bruno: ${Object(data).secret}`))
  await ada.subscribe('ACTIVITY_JOIN_REQUEST')
  await bruno.subscribe('ACTIVITY_JOIN')

  const page = await browser.newPage({ viewport: { width: 1280, height: 1000 } })
  await page.goto(`${emulator.url}/chat`)
  await page.getByLabel('Player', { exact: true }).selectOption({ label: 'Bruno' })
  const people = page.getByRole('region', { name: 'People here' })
  const row = (name: string) => people.getByRole('listitem').filter({ hasText: name })
  const button = (name: string) => people.getByRole('button', { name, exact: true })
  await button('Quit the program').waitFor()
  expect([await button('Ask to join').count(), await button('Accept invitation').count()]).toEqual([0, 0])

  await ada.user?.setActivity({
    details: 'On the moon',
    partyId: 'p1',
    partySize: 1,
    partyMax: 4,
    joinSecret: 'moon-42',
  })
  await row('Ada Quinn').getByText('On the moon, 1 of 4').waitFor()
  for (const scheme of SCREENSHOTS ? (['light', 'dark'] as const) : []) {
    await page.emulateMedia({ colorScheme: scheme })
    await page.screenshot({ path: `${SCREENSHOTS}/programs-${scheme}.png` })
  }
  await row('Ada Quinn').getByRole('button', { name: 'Ask to join' }).click()
  await expect.poll(() => told).toEqual(['ada: bruno asks'])
  await row('Ada Quinn').getByRole('button', { name: 'Accept invitation' }).click()
  await expect.poll(() => told).toEqual(['ada: bruno asks', 'bruno: moon-42'])

  await ada.user?.setActivity({ details: HOSTILE, partyId: 'p1', joinSecret: 'moon-42' })
  await row('Ada Quinn').getByText(HOSTILE.slice(0, 20)).waitFor()
  expect(await people.locator('img[src="x"]').count()).toBe(0)
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)

  await row('Bruno').getByRole('button', { name: 'Quit the program' }).click()
  await button('Quit the program').waitFor({ state: 'detached' })
  expect([brunos.games, await button('Accept invitation').count()]).toEqual([0, 0])
  await button('Ask to join').waitFor()
  await ada.user?.clearActivity()
  await button('Ask to join').waitFor({ state: 'detached' })
})
