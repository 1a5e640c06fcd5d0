/** Sign-ins that cannot succeed, in every engine: they end with a code before the player consents. */
import { createServer } from 'node:http'
import { networkInterfaces } from 'node:os'
import { expect } from 'vitest'
import type { Engine, EnginePage } from '../../support/engines/engine'
import { expectOutcome, openGame } from '../../support/engines/engine-game'
import { closeAfterTest, inEveryEngine } from '../../support/engines/in-every-engine'
import { type EngineGame, serveEngineGame } from '../../support/engines/serve-engine-game'
import { listen } from '../../support/loopback'

const ADA = 'signed in 175928847299117063'
const WITH_POPUPS = 'allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox'

/** Opens the game in a frame of a page on another site. */
async function openFramed(
  engine: Engine,
  sandbox?: string,
): Promise<{ game: EngineGame; page: EnginePage; frame: EnginePage }> {
  const game = await serveEngineGame()
  const body = `<!doctype html><title>Portal</title><iframe width="600" height="300" ${sandbox === undefined ? '' : `sandbox="${sandbox}"`} src="${game.url}"></iframe>`
  const portal = await listen(
    createServer((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(body)),
  )
  closeAfterTest(portal)
  const page = await engine.open()
  await page.goto(`http://127.0.0.1:${portal.port}/`)
  const frame = await page.frame()
  await expectOutcome(frame, 'nobody')
  return { game, page, frame }
}

/** An address of this machine that is not loopback: plain http there is no secure context. */
const externalAddress = () =>
  Object.values(networkInterfaces())
    .flat()
    .find((one) => one?.family === 'IPv4' && !one.internal)?.address

inEveryEngine((engineTest) => {
  for (const [name, sandbox] of [
    ['without a sandbox', undefined],
    ['whose sandbox allows popups', WITH_POPUPS],
    [
      'whose sandbox applies to its popups and allows forms',
      'allow-scripts allow-same-origin allow-popups allow-forms',
    ],
  ] as const) {
    engineTest(`a frame of another site ${name} signs in by a popup`, async (engine) => {
      const { page, frame } = await openFramed(engine, sandbox)
      const popup = await frame.popupAfter('#popup')
      await popup.press('Ada')
      await popup.press('Approve')
      await expectOutcome(frame, ADA)
      await expect.poll(() => page.windows()).toBe(1)
    })
  }

  engineTest(
    'a frame whose sandbox applies to its popups without forms spends no consent; a cancel closes the popup',
    async (engine) => {
      const { game, page, frame } = await openFramed(engine, 'allow-scripts allow-same-origin allow-popups')
      const popup = await frame.popupAfter('#popup')
      await popup.press('Ada')
      await popup.press('Approve')
      await frame.evaluate('client.abortAuthorize()')
      await expectOutcome(frame, 'aborted')
      await expect.poll(() => page.windows()).toBe(1)
      expect(game.tokenRequests()).toEqual([])
    },
  )

  engineTest('a frame of another site without allow-popups ends as popup_blocked', async (engine) => {
    const { page, frame } = await openFramed(engine, 'allow-scripts allow-same-origin')
    await frame.click('#popup')
    await expectOutcome(frame, 'popup_blocked')
    expect(await page.windows()).toBe(1)
  })

  engineTest('a frame with an opaque origin ends as unsupported, and no popup opens', async (engine) => {
    const { page, frame } = await openFramed(
      engine,
      'allow-scripts allow-popups allow-popups-to-escape-sandbox',
    )
    await frame.click('#popup')
    await expectOutcome(frame, 'unsupported')
    expect(await page.windows()).toBe(1)
  })

  engineTest('a page over plain http ends as unsupported, and no popup opens', async (engine) => {
    const address = externalAddress()
    if (!address) throw new Error('This machine has no address but loopback.')
    const { url } = await serveEngineGame({ host: '0.0.0.0' })
    const page = await openGame(await engine.open(), url.replace('localhost', address))
    expect(await page.evaluate('[isSecureContext, typeof crypto.subtle]')).toEqual([false, 'undefined'])
    await page.click('#popup')
    await expectOutcome(page, 'unsupported')
    expect(await page.evaluate('messages.at(-1)')).toContain('https')
    expect(await page.windows()).toBe(1)
  })
})
