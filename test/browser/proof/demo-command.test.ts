/** The demo's command: ports, complaints, and what is left behind. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import { startDemo, stopDemo } from '../demo-process'

describe('npm run demo', () => {
  it('takes the next port when the preferred one is in use, and frees it at the end', async () => {
    const other = createServer().listen(0, 'localhost')
    await once(other, 'listening')
    const address = other.address()
    const port = typeof address === 'object' && address ? address.port : 0
    const demo = await startDemo('--port', String(port))
    try {
      expect(Number(new URL(demo.url).port)).toBeGreaterThan(port)
      const preset: unknown = await (await fetch(new URL('preset.json', demo.url))).json()
      expect(preset).toEqual({
        host: expect.any(String),
        applicationId: expect.any(String),
        name: expect.any(String),
        redirectUris: expect.arrayContaining([new URL('callback.html', demo.url).href]),
        players: expect.any(Array),
        activity: expect.any(String),
        ahead: 0,
        run: expect.any(String),
      })
    } finally {
      other.close()
      expect(await stopDemo(demo)).toBe(0)
    }
    await expect(fetch(demo.url)).rejects.toThrow('fetch failed')
  })

  it('serves the callback page that the package ships', async () => {
    const demo = await startDemo('--port', '0')
    try {
      const page = await (await fetch(new URL('callback.html', demo.url))).text()
      expect(page).toBe(readFileSync('dist/callback/callback.html', 'utf8'))
      expect(await (await fetch(new URL('callback.js', demo.url))).text()).not.toMatch(
        /^(?:import|export)\b/m,
      )
    } finally {
      await stopDemo(demo)
    }
  })

  it('says in one line what is wrong with its options', async () => {
    await expect(startDemo('--port', '99999')).rejects.toThrow(/The demo ended with 1: 99999 is no port/)
  })
})
