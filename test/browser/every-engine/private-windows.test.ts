/** Sessions in private windows, and what remains of them after the last one closes. */
import type { Engine, Profile } from '../../support/engines/engine'
import { expectOutcome, openGame } from '../../support/engines/engine-game'
import { createFolder, inEveryEngine } from '../../support/engines/in-every-engine'
import { serveEngineGame } from '../../support/engines/serve-engine-game'

const ADA = 'signed in 175928847299117063'
const STORES = ['localStorageStore', 'indexedDbStore']

type Launch = (profile: Profile) => Promise<Engine>

/** Opens the game in a browser of its own, with each store that outlives a page. */
async function inBrowser(
  launch: Launch,
  { profile, url }: { profile: Profile; url: string },
  outcome: string,
): Promise<void> {
  const browser = await launch(profile)
  const page = await browser.open()
  for (const store of STORES) await openGame(page, `${url}?store=${store}`, outcome)
  await browser.close()
}

/** Signs in by a popup with each store, and reloads. */
async function signInAndReload(
  launch: Launch,
  { profile, url }: { profile: Profile; url: string },
): Promise<void> {
  const browser = await launch(profile)
  const page = await browser.open()
  for (const store of STORES) {
    await openGame(page, `${url}?store=${store}`)
    const popup = await page.popupAfter('#popup')
    await popup.press('Ada')
    await popup.press('Approve')
    await expectOutcome(page, ADA)
    await page.reload()
    await expectOutcome(page, ADA)
  }
  await browser.close()
}

inEveryEngine((engineTest) => {
  engineTest(
    'a private window signs in and keeps the session through a reload; nothing of it remains',
    async (_, launch) => {
      const { url } = await serveEngineGame()
      const folder = await createFolder()
      await signInAndReload(launch, { profile: { folder, isPrivate: true }, url })
      await inBrowser(launch, { profile: { folder, isPrivate: true }, url }, 'nobody')
      await inBrowser(launch, { profile: { folder }, url }, 'nobody')
    },
  )

  engineTest(
    'a session in an ordinary window remains when the browser starts again, and no private window has it',
    async (_, launch) => {
      const { url } = await serveEngineGame()
      const folder = await createFolder()
      await signInAndReload(launch, { profile: { folder }, url })
      await inBrowser(launch, { profile: { folder, isPrivate: true }, url }, 'nobody')
      await inBrowser(launch, { profile: { folder }, url }, ADA)
    },
    { notIn: { WebKit: 'a session that is automated stores nothing' } },
  )
})
