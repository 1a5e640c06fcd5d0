/** The smaller classic script in a real Chromium: a sign-in by popup, and calls of what it lacks. */
import { readFileSync } from 'node:fs'
import type { Client } from 'foyer-sdk'
import { expect, it } from 'vitest'
import { useBrowserGame } from '../support/browser-game'
import { approve, popupAfter } from '../support/consent-page'

const chromium = useBrowserGame()
const FILE = 'foyer.core.umd.js'

declare const client: Client

it('foyer.core.umd.js signs in by popup, keeps a session, and names the full script when a call needs it', async () => {
  const replaced = { '/foyer.js': readFileSync(`dist/umd/${FILE}`, 'utf8') }
  const { page } = await chromium.open({ replaced })
  await approve(await popupAfter(page, '#popup'))
  await page.locator('#outcome', { hasText: 'signed in' }).waitFor()
  const refused = await page.evaluate(() =>
    Promise.all(
      [client.createOrJoinLobby('moon'), client.fetchCurrentUser(), client.activity.connect()].map((call) =>
        call.then(
          () => 'done',
          ({ code, message }: { code: string; message: string }) => `${code}. ${message}`,
        ),
      ),
    ),
  )
  const lacks = `unsupported. unsupported: ${FILE}. It has sign-in and sessions only: load index.umd.js`
  expect(refused).toEqual([lacks, lacks, lacks])
  const refreshed = await page.evaluate(async () => (await client.refreshToken()).accessToken.reveal() !== '')
  expect(refreshed).toBe(true)
})
