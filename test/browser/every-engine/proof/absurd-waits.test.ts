/** A service that demands an absurd wait, in every engine: no tab waits that long. */
import { expect } from 'vitest'
import type { EnginePage } from '../../../support/engines/engine'
import { openGame } from '../../../support/engines/engine-game'
import { CONTENT_ONLY, inEveryEngine } from '../../../support/engines/in-every-engine'
import { serveEngineGame } from '../../../support/engines/serve-engine-game'

const MINUTE = 60_000

inEveryEngine((engineTest) => {
  engineTest(
    'after a 429 with an absurd wait, calls of all tabs recover within five minutes, without a reload',
    async (engine) => {
      const { emulator, url } = await serveEngineGame()
      const tabs = [await openGame(await engine.open(), url)]
      tabs.push(await openGame(await (tabs[0] as EnginePage).openTab(), url))
      for (const tab of tabs) await tab.evaluate("window.signInAs('ada')")
      const signedIn = emulator.requests.length
      const body = { message: 'Slow down', retry_after: 65_000, global: true }
      emulator.faults({
        match: { path: '/api/v10/users/@me' },
        effect: { status: 429, headers: { 'retry-after': '65000' }, body },
      })
      for (const minutes of [0, 4, 5]) {
        for (const tab of tabs) await tab.evaluate(`window.offset = ${minutes * MINUTE}`)
        const expected = minutes < 5 ? 'rate_limited' : 'ok'
        for (const tab of tabs) expect(await tab.evaluate('calls(1)')).toEqual([expected])
      }
      const sent = emulator.requests
        .slice(signedIn)
        .filter(({ method, path }) => method === 'GET' && path === '/api/v10/users/@me')
      expect(sent.map(({ status }) => status)).toEqual([429, 200, 200])
    },
  )
}, CONTENT_ONLY)
