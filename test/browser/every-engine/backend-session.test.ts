/** Players of a confidential application: the game's backend signs them in, and the page holds no refresh token. */
import { expect } from 'vitest'
import { expectOutcome, openGame } from '../../support/engines/engine-game'
import { CONTENT_ONLY, inEveryEngine } from '../../support/engines/in-every-engine'
import { type EngineGame, serveEngineGame } from '../../support/engines/serve-engine-game'

const ADA = 'signed in 175928847299117063'
const BRUNO = 'signed in 211842960158326785'
const WHO = "client.backend.fetch('/whoami').then((response) => response.json()).then(({ id }) => 'signed in ' + id)"
const ACCESS_TOKEN = 'client.session.tokens.accessToken.reveal()'

const accepted = (game: EngineGame) => game.tokenRequests().filter(({ status }) => status === 200).length

inEveryEngine((engineTest) => {
  engineTest('a popup and a redirect sign in through the backend, and a reload continues the session of its cookie', async (engine) => {
    const game = await serveEngineGame({ hasBackend: true })
    const page = await openGame(await engine.open(), game.url)
    const popup = await page.popupAfter('#popup')
    await popup.press('Ada')
    await popup.press('Approve')
    await expectOutcome(page, ADA)
    expect(await page.evaluate(WHO)).toBe(ADA)
    await openGame(page, game.url, ADA)
    expect(await page.evaluate(WHO)).toBe(ADA)

    await page.click('#redirect')
    await page.press('Bruno')
    await page.press('Approve')
    await expectOutcome(page, BRUNO)
    expect(await page.url()).toBe(game.url)
    expect(game.tokenRequests().map(({ status }) => status)).toEqual([200, 200])
    expect(await page.evaluate('document.cookie + JSON.stringify({ ...localStorage, ...sessionStorage })')).not.toMatch(/session|token/i)
    expect(await page.evaluate('client.session.tokens.refreshToken === undefined')).toBe(true)
  })
})

inEveryEngine((engineTest) => {
  engineTest('ten calls after a refusal lead to one refresh, and a sign-out ends the session of the backend', async (engine) => {
    const game = await serveEngineGame({ hasBackend: true })
    const page = await openGame(await engine.open(), game.url)
    expect(await page.evaluate("signInAs('ada')")).toBe(ADA.slice(10))
    const before = await page.evaluate(ACCESS_TOKEN)
    game.emulator.faults([{ match: { path: '*/users/@me' }, effect: { status: 401 }, times: 10 }])
    expect(await page.evaluate('calls(10)')).toEqual(Array(10).fill('ok'))
    expect(await page.evaluate(ACCESS_TOKEN)).not.toBe(before)
    expect(accepted(game)).toBe(2)
    await page.evaluate('client.signOut()')
    await openGame(page, game.url)
  })

  engineTest('a session that the backend ended ends in the page, with the reason', async (engine) => {
    const game = await serveEngineGame({ hasBackend: true })
    const page = await openGame(await engine.open(), game.url)
    await page.evaluate("signInAs('ada')")
    await page.evaluate("fetch('/session/sign-out', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' })")
    expect(await page.evaluate('client.refreshToken().catch(({ code }) => code)')).toBe('session_expired')
    expect(await page.evaluate('events.at(-1)')).toBe('nobody session_expired')
  })

  engineTest('the service revokes the tokens of a sign-out that asks for it', async (engine) => {
    const game = await serveEngineGame({ hasBackend: true })
    const page = await openGame(await engine.open(), game.url)
    await page.evaluate("signInAs('ada')")
    const token = await page.evaluate(ACCESS_TOKEN)
    expect(await page.evaluate('client.signOut({ revoke: true })')).toEqual({ revoked: true })
    const response = await fetch(`${game.emulator.url}/api/v10/users/@me`, { headers: { authorization: `Bearer ${String(token)}` } })
    expect(response.status).toBe(401)
  })
}, CONTENT_ONLY)
