/** A session handler in an application of Express: mounted at its path, and asked with a slash at the end. */
import { createServer } from 'node:http'
import { createEmulator } from 'foyer-emulator'
import { clientSecret, createSessionHandler, memorySessionStore, toNodeListener } from 'foyer-sdk/server'
import express from 'express'
import { expect, it, onTestFinished } from 'vitest'
import { listen } from '../support/loopback'
import { codeFor, GAME } from '../support/session-browser'

it.each([
  ['mounted at its path', '/session', '/session/sign-in'],
  ['behind all paths', '/', '/session/sign-in'],
  ['with a slash at the end', '/session', '/session/sign-in/'],
])('a player signs in at a handler %s', async (_, mount, path) => {
  const emulator = await createEmulator({
    seed: { application: { publicClient: false } },
    idTokens: { forEveryGrant: true },
  })
  onTestFinished(() => emulator.close())
  const { id: applicationId, clientSecret: secret } = emulator.application
  const options = { applicationId, service: { host: emulator.url }, credentials: clientSecret(secret) }
  const session = createSessionHandler({ ...options, origins: [GAME], store: memorySessionStore() })
  const app = express()
  app.use(mount, toNodeListener(session))
  const { port, close } = await listen(createServer(app))
  onTestFinished(close)
  const headers = { origin: GAME, 'content-type': 'application/json' }
  const body = JSON.stringify(await codeFor(emulator))
  expect((await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body })).status).toBe(200)
})
