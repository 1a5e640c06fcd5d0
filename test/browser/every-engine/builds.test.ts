/** Both builds in every engine: the classic script under a strict policy, the unbundled modules, and modules that a deploy removed. */
import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { expectOutcome, openGame } from '../../support/engines/engine-game'
import { inEveryEngine } from '../../support/engines/in-every-engine'
import { serveEngineGame } from '../../support/engines/serve-engine-game'

const ADA = 'signed in 175928847299117063'
/** Lists the violations of the page's policy. */
const RECORD =
  "window.violations = []; document.addEventListener('securitypolicyviolation', (event) => violations.push(event.violatedDirective))"
const STRICT =
  "default-src 'none'; script-src 'self'; img-src data:; connect-src 'self' http://127.0.0.1:*; base-uri 'none'; form-action 'none'"
const TRUSTED_TYPES = `${STRICT}; require-trusted-types-for 'script'; trusted-types 'none'`

inEveryEngine((engineTest) => {
  engineTest('the classic script signs in under a strict policy with Trusted Types', async (engine) => {
    const game = await serveEngineGame({ headers: { 'content-security-policy': TRUSTED_TYPES }, before: RECORD })
    const page = await openGame(await engine.open(), `${game.url}?store=indexedDbStore`)
    const popup = await page.popupAfter('#popup')
    await popup.press('Ada')
    await popup.press('Approve')
    await expectOutcome(page, ADA)
    expect(await page.evaluate('calls(2)')).toEqual(['ok', 'ok'])
    expect(await page.evaluate('violations')).toEqual([])
    // The engine has Trusted Types, and the policy is in force.
    await page.evaluate("(() => { try { document.body.innerHTML = 'text' } catch { /* recorded */ } })()")
    await expect.poll(() => page.evaluate('violations')).toEqual(['require-trusted-types-for'])
  })

  engineTest('the callback page violates its own policy nowhere, not by an icon either', async (engine) => {
    const [, policy = ''] = /Content-Security-Policy"\s+content="([^"]+)"/i.exec(readFileSync('dist/callback/callback.html', 'utf8')) ?? []
    expect(policy).toContain("default-src 'none'")
    const game = await serveEngineGame({ callbackHeaders: { 'content-security-policy': `${policy}; report-uri /report` } })
    const page = await openGame(await engine.open(), game.url)
    const popup = await page.popupAfter('#popup')
    await popup.press('Deny')
    await expectOutcome(page, 'access_denied')
    await page.goto(`${game.url}callback.html`)
    await expect.poll(() => page.evaluate("document.querySelector('#status').textContent")).toContain('Nothing to do here')
    // The report of the icon comes before the page of a later navigation.
    await openGame(page, game.url)
    expect(game.requests).not.toContain('/report')
    expect(game.requests.filter((path) => path.startsWith('/callback.js'))).not.toEqual([])
  })

  engineTest('the unbundled modules sign in by popup and redirect', async (engine) => {
    const game = await serveEngineGame({ build: 'modules' })
    const page = await openGame(await engine.open(), `${game.url}?store=localStorageStore`)
    const popup = await page.popupAfter('#popup')
    await popup.press('Ada')
    await popup.press('Approve')
    await expectOutcome(page, ADA)
    await page.click('#redirect')
    await page.press('Bruno')
    await page.press('Approve')
    await expectOutcome(page, 'signed in 211842960158326785')
  })

  engineTest('a sign-in for which a deploy removed the files closes its popup, spends no consent and says to reload', async (engine) => {
    // Chromium can lose a close() during a navigation: here every engine loses the first one.
    const before = `const { open } = window
      window.open = (...given) => {
        const popup = (window.popup = open(...given))
        let calls = 0
        return { close: () => void (calls++ && popup.close()), get closed() { return popup.closed } }
      }`
    const game = await serveEngineGame({ build: 'modules', before })
    const page = await openGame(await engine.open(), game.url)
    game.removeFiles()
    await page.click('#popup')
    await expectOutcome(page, 'reload_required')
    await expect.poll(() => page.evaluate('popup.closed')).toBe(true)
    await expect.poll(() => page.windows()).toBe(1)
    expect(game.tokenRequests()).toEqual([])
    expect(await page.evaluate('messages.at(-1)')).toMatch(/reload/i)
  })

  engineTest('a redirect after a deploy removed the files comes back to the new ones, with a session', async (engine) => {
    const game = await serveEngineGame({ build: 'modules' })
    const page = await openGame(await engine.open(), `${game.url}?store=indexedDbStore`)
    game.removeFiles()
    await page.click('#redirect')
    await page.press('Ada')
    game.restoreFiles()
    await page.press('Approve')
    await expectOutcome(page, ADA)
    expect(game.tokenRequests()).toHaveLength(1)
  })

  engineTest(
    'a player who consents after a deploy removed the files has a session, for what it needs was loaded at the click',
    async (engine) => {
      const game = await serveEngineGame({ build: 'modules' })
      const files = () => game.requests.filter((path) => /^\/(dist|node_modules)\//.test(path))
      /** Opens the game in a fresh profile; resolves when its popup shows the consent page. */
      const openConsent = async () => {
        const page = await openGame(await engine.open(), `${game.url}?store=indexedDbStore`)
        const popup = await page.popupAfter('#popup')
        await popup.press('Ada')
        return { page, popup }
      }
      const before = await openConsent()
      await before.popup.press('Approve')
      await expectOutcome(before.page, ADA)
      // What only explains a sign-in to the log is loaded later, or not at all, and may be missing.
      const needed = [...new Set(files())].filter((path) => !path.endsWith('/callback-checks.js'))
      const count = files().length

      const { page, popup } = await openConsent()
      await expect.poll(() => needed.filter((path) => !files().slice(count).includes(path))).toEqual([])
      game.removeFiles()
      await popup.press('Approve')
      await expectOutcome(page, ADA)
      expect(game.tokenRequests()).toHaveLength(2)
    },
  )
})
