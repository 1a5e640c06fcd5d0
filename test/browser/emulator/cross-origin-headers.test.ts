/** Rate limit headers that a page on another origin can read, in a real browser. */
import { createServer, type Server } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createEmulator, type Emulator, type HeaderMode } from 'foyer-emulator'
import { launchChromium } from '../../support/chromium'
import { signIn } from '../../emulator/support/sign-in-client.js'

const hour = 3_600_000

let emulator: Emulator
let game: Server
let origin: string
beforeAll(async () => {
  emulator = await createEmulator()
  game = createServer((_, response) =>
    response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>Game</title>'),
  )
  await new Promise<void>((resolve) => {
    game.listen(0, '127.0.0.1', () => resolve())
  })
  const address = game.address()
  origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
})
afterAll(async () => {
  game.close()
  await emulator.close()
})

/** Joins twice with a limit of one, and returns what the page can read of the second response, if anything. */
function joinTwice([url, token]: string[]): string {
  return `(async () => {
    const join = () => fetch('${url}/api/v10/lobbies', {
      method: 'PUT',
      headers: { Authorization: 'Bearer ${token}', 'Content-Type': 'application/json' },
      body: JSON.stringify({ secret: 'lantern' }),
    })
    await join().catch(() => undefined)
    const answer = await join().catch(() => undefined)
    if (answer === undefined) return 'nothing'
    const text = await answer.text()
    const read = ['X-RateLimit-Remaining', 'X-RateLimit-Reset-After', 'Retry-After'].map((name) => answer.headers.has(name))
    return JSON.stringify([answer.status, read, text.includes('retry_after')])
  })()`
}

it('a page reads rate limit headers if visible, the body alone if they are hidden or absent, and nothing of an edge without CORS', async (context) => {
  const browser = await launchChromium(context)
  const page = await browser.newPage()
  await page.goto(origin)
  const { accessToken } = await signIn(emulator)
  const seen = async () => String(await page.evaluate(joinTwice([emulator.url, accessToken])))
  const inMode = (headers: HeaderMode) => {
    emulator.limits({ profile: 'off', join_lobby: { limit: 1, per: hour, headers } })
    return seen()
  }
  expect(await inMode('visible')).toBe('[429,[true,true,true],true]')
  expect(await inMode('hidden')).toBe('[429,[false,false,false],true]')
  expect(await inMode('absent')).toBe('[429,[false,false,false],true]')
  emulator.limits({ edge: { limit: 1, per: hour, headers: 'visible' } })
  await seen()
  expect(await seen()).toBe('[429,[false,false,true],false]')
  emulator.limits({ edge: { headers: 'hidden' } })
  expect(await seen()).toBe('nothing')
  await browser.close()
})
