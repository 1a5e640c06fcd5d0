/** A backend that holds the tokens, in every engine: pages without any token, refreshes, sign-outs, and sessions that the backend ended. */
import { expect } from 'vitest'
import { expectOutcome, openGame } from '../../../support/engines/engine-game'
import { CONTENT_ONLY, inEveryEngine } from '../../../support/engines/in-every-engine'
import { type EngineGame, serveEngineGame } from '../../../support/engines/serve-engine-game'

const ADA = 'signed in 175928847299117063'
const WHO =
  "client.backend.fetch('/whoami').then((response) => response.json()).then(({ id }) => 'signed in ' + id)"
const ACCESS_TOKEN = 'client.session.tokens.accessToken.reveal()'

const accepted = (game: EngineGame) => game.tokenRequests().filter(({ status }) => status === 200).length

const codeOf = (call: string) => `${call}.then(() => 'no error', ({ code }) => code)`

inEveryEngine((engineTest) => {
  engineTest(
    'a page without any token plays through the backend, after a popup and after a reload',
    async (engine) => {
      const game = await serveEngineGame({ hasBackend: true, tokens: 'none' })
      const page = await openGame(await engine.open(), game.url)
      const popup = await page.popupAfter('#popup')
      await popup.press('Ada')
      await popup.press('Approve')
      await expectOutcome(page, ADA)
      await openGame(page, game.url, ADA)
      expect(await page.evaluate(WHO)).toBe(ADA)
      const talk =
        "client.createOrJoinLobby('moon').then((lobby) => lobby.send('Hello').then(() => lobby.fetchMessages()))"
      expect(await page.evaluate(`${talk}.then(([{ content }]) => content)`)).toBe('Hello')
      game.emulator.faults([{ match: { path: '*/users/@me' }, effect: { status: 401, body: {} }, times: 3 }])
      expect(await page.evaluate('calls(3)')).toEqual(['ok', 'ok', 'ok'])
      expect(accepted(game)).toBe(2)
      expect(await page.evaluate(codeOf(`Promise.resolve().then(() => ${ACCESS_TOKEN})`))).toBe('unsupported')
      // The page itself asks the service for its public keys only.
      const names = "performance.getEntriesByType('resource').map(({ name }) => name)"
      const isAsked = `name.startsWith('${game.emulator.url}/api/') && !name.endsWith('/oauth2/keys')`
      expect(await page.evaluate(`${names}.filter((name) => ${isAsked})`)).toEqual([])
      await page.evaluate('client.signOut()')
      await openGame(page, game.url)
    },
  )

  engineTest(
    'a popup that the backend begins and ends signs in, without a code in the page',
    async (engine) => {
      const game = await serveEngineGame({ hasBackend: true, tokens: 'none' })
      const page = await openGame(await engine.open(), game.url)
      await page.evaluate(`void document.querySelector('#cancel').addEventListener('click', () => {
      const popup = open('/session/start?return_to=/signed-in.html')
      new BroadcastChannel('signed-in').onmessage = () => client.resume().then(({ userId }) => {
        popup.close()
        document.querySelector('#outcome').textContent = 'signed in ' + userId
      })
    })`)
      const popup = await page.popupAfter('#cancel')
      await popup.press('Ada')
      await popup.press('Approve')
      await expectOutcome(page, ADA)
      expect(await page.evaluate(WHO)).toBe(ADA)
      expect(game.requests.filter((path) => path.startsWith('/session/sign-in'))).toEqual([])
    },
  )

  engineTest(
    'ten calls after a refusal lead to one refresh, and a sign-out ends the session of the backend',
    async (engine) => {
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
    },
  )

  engineTest('a session that the backend ended ends in the page, with the reason', async (engine) => {
    const game = await serveEngineGame({ hasBackend: true })
    const page = await openGame(await engine.open(), game.url)
    await page.evaluate("signInAs('ada')")
    await page.evaluate(
      "fetch('/session/sign-out', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' })",
    )
    expect(await page.evaluate('client.refreshToken().catch(({ code }) => code)')).toBe('session_expired')
    expect(await page.evaluate('events.at(-1)')).toBe('nobody session_expired')
  })

  engineTest('the service revokes the tokens of a sign-out that asks for it', async (engine) => {
    const game = await serveEngineGame({ hasBackend: true })
    const page = await openGame(await engine.open(), game.url)
    await page.evaluate("signInAs('ada')")
    const token = await page.evaluate(ACCESS_TOKEN)
    expect(await page.evaluate('client.signOut({ revoke: true })')).toEqual({ revoked: true })
    const response = await fetch(`${game.emulator.url}/api/v10/users/@me`, {
      headers: { authorization: `Bearer ${String(token)}` },
    })
    expect(response.status).toBe(401)
  })
}, CONTENT_ONLY)
