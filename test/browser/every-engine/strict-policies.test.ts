/** Strict policies in every engine: the classic script and the callback page work under them. */
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
    const game = await serveEngineGame({
      headers: { 'content-security-policy': TRUSTED_TYPES },
      before: RECORD,
    })
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
    const [, policy = ''] =
      /Content-Security-Policy"\s+content="([^"]+)"/i.exec(
        readFileSync('dist/callback/callback.html', 'utf8'),
      ) ?? []
    expect(policy).toContain("default-src 'none'")
    const game = await serveEngineGame({
      callbackHeaders: { 'content-security-policy': `${policy}; report-uri /report` },
    })
    const page = await openGame(await engine.open(), game.url)
    const popup = await page.popupAfter('#popup')
    await popup.press('Deny')
    await expectOutcome(page, 'access_denied')
    await page.goto(`${game.url}callback.html`)
    await expect
      .poll(() => page.evaluate("document.querySelector('#status').textContent"))
      .toContain('Nothing to do here')
    // The report of the icon comes before the page of a later navigation.
    await openGame(page, game.url)
    expect(game.requests).not.toContain('/report')
    expect(game.requests.filter((path) => path.startsWith('/callback.js'))).not.toEqual([])
  })
})
