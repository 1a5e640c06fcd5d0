/** Requests that are not those of the Fetch API, as Node, Express and others give them: every function of a backend that takes a request says what to do. */
import { createServer } from 'node:http'
import express from 'express'
import * as server from 'foyer-sdk/server'
import { describe, expect, it, onTestFinished } from 'vitest'
import { listen } from '../support/loopback'

const applicationId = '1287654321098765433'
const service = { host: 'https://service.test' }
const publicKey = 'ab'.repeat(32)
const verify = server.createPlayerVerifier({ applicationId, service })
const client = new server.ApplicationClient({ applicationId, service, credentials: server.botToken('x') })
const session = server.createSessionHandler({
  applicationId,
  service,
  credentials: server.clientSecret('x'),
  origins: ['https://game.test'],
  store: server.memorySessionStore(),
})

/** Calls that are given a request, by the exported function that brings them. */
const CALLS: Record<string, (reports: unknown[]) => Record<string, (request: never) => Promise<unknown>>> = {
  createSessionHandler: () => ({ handler: session, verify: session.verify }),
  createLobbyHub: () => ({ handler: server.createLobbyHub({ client, verify }) }),
  createPlayerTickets: () => ({
    handler: server.createPlayerTickets({ applicationId, verify, purposes: ['match'] }),
  }),
  createPlayerVerifier: () => ({ verify }),
  createInteractionHandler: (reports) => ({
    handler: server.createInteractionHandler({
      publicKey,
      commands: [],
      onError: (error) => reports.push(error),
    }),
  }),
  createEventHandler: (reports) => ({
    handler: server.createEventHandler({ publicKey, on: {}, onError: (error) => reports.push(error) }),
  }),
  verifyInteraction: () => ({ verify: (request) => server.verifyInteraction(request, publicKey) }),
  verifyActivityRequest: () => ({ verify: (request) => server.verifyActivityRequest(request, publicKey) }),
}

/** Exported functions that are given no request. */
const OTHERS = new Set([
  // Takes Node's own request, and gives a handler that of the Fetch API.
  'toNodeListener',
  'allChannelsId',
  'everyoneId',
  'avatarUrl',
  'measureCommand',
  'printStep',
  'undiciTransport',
  'botToken',
  'clientCredentials',
  'clientSecret',
  'createPurchaseDesk',
  'createReplayMemory',
  'formatPrice',
  'memoryLobbyBroker',
  'defineCommand',
  'defineModal',
  'launchActivity',
  'localize',
  'localizedFields',
  'memoryPurchaseStore',
  'memorySessionStore',
  'requesterLocale',
  'resolveCommandPermission',
  'respondToPlayerError',
  'validateCommand',
  'validateCommands',
  'validateLobby',
  'validateLobbyMember',
  'validateLobbyMembers',
  'validateMessage',
  'validateModal',
  'validatePermissions',
])

const isClass = (value: object) => /^class\b/.test(Function.prototype.toString.call(value))

/** The request that a router of Express gives to its routes. */
async function requestOfExpress(): Promise<unknown> {
  const app = express()
  const given = new Promise((resolve) => {
    app.use((request, response) => {
      resolve(request)
      response.end()
    })
  })
  const { port, close } = await listen(createServer(app))
  onTestFinished(close)
  await fetch(`http://127.0.0.1:${port}/session/token`, { method: 'POST', body: '{}' })
  return given
}

it('every exported function is known to take a request, or to take none', () => {
  const functions = Object.entries(server).flatMap(([name, value]) =>
    typeof value === 'function' && !isClass(value) && !OTHERS.has(name) ? [name] : [],
  )
  expect(functions.toSorted()).toEqual(Object.keys(CALLS).toSorted())
})

describe.each([
  ['a request of Express', requestOfExpress],
  [
    'the context of Hono',
    async () => ({ req: { raw: new Request('https://game.test/') }, json: () => undefined }),
  ],
  ['nothing', async () => undefined],
])('%s', (_, foreign) => {
  it.each(Object.entries(CALLS))('%s says how to come by a request of the Fetch API', async (__, callsOf) => {
    const request = await foreign()
    const reports: unknown[] = []
    for (const [name, call] of Object.entries(callsOf(reports))) {
      const result = await call(request as never).catch((error: unknown) => error)
      const [reported] = reports
      const error = reported instanceof Error ? reported.cause : result
      expect([name, error]).toEqual([
        name,
        expect.objectContaining({
          code: 'invalid_argument',
          message: expect.stringContaining('give the handler to toNodeListener(…)') as string,
        }),
      ])
      // A handler that reports its errors has answered.
      expect(reported === undefined || (result instanceof Response && result.status === 500)).toBe(true)
    }
  })
})
