/** The headers of requests from a page and from a worker: the service's preflight responses allow a fixed list of them. */
import { readFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import * as Foyer from 'foyer-sdk'
import { createEmulator } from 'foyer-emulator'
import { consentSurface } from '../../support/consent-surface'
import { openGame } from '../../support/engines/engine-game'
import { CONTENT_ONLY, inEveryEngine } from '../../support/engines/in-every-engine'
import { serveEngineGame } from '../../support/engines/serve-engine-game'
import { type RecordedRequest, recordRequests } from '../../support/recorded-requests'

const API = '/api/v10'
const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  version: string
}
const LIBRARY = `ServiceBot (https://www.npmjs.com/package/foyer-sdk, ${version})`

const form = { headers: { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' }, body: true }
const read = { headers: { accept: 'application/json', authorization: 'Bearer :token' }, body: false }
const write = { headers: { ...read.headers, 'content-type': 'application/json' }, body: true }

/** Every request of `recordRequests`, with the headers that a page sets. */
const IN_A_PAGE: RecordedRequest[] = [
  { request: `GET ${API}/oauth2/keys`, headers: {}, body: false },
  { request: `POST ${API}/oauth2/token`, ...form },
  { request: `GET ${API}/users/@me`, headers: { authorization: 'Bearer :token' }, body: false },
  { request: `GET ${API}/users/@me`, ...read },
  { request: `PUT ${API}/lobbies`, ...write },
  { request: `POST ${API}/lobbies/:id/messages`, ...write },
  { request: `GET ${API}/lobbies/:id/messages?limit=1`, ...read },
  { request: `DELETE ${API}/lobbies/:id/members/@me`, ...read },
  { request: `POST ${API}/oauth2/token`, ...form },
  { request: `POST ${API}/oauth2/token/revoke`, ...form },
]

/** Outside a page, every request also names the library. */
const IN_NODE = IN_A_PAGE.map((each) => ({ ...each, headers: { ...each.headers, 'user-agent': LIBRARY } }))

/** Headers are in order of the alphabet. Sorted, since the keys may be fetched before or after the code is redeemed. */
const sorted = (requests: readonly RecordedRequest[]) =>
  requests.map(({ request, headers, body }) => JSON.stringify([request, headers, body])).sort()

inEveryEngine((engineTest) => {
  engineTest('a page sets exactly the headers that the service allows', async (engine) => {
    const { emulator, url } = await serveEngineGame()
    const page = await openGame(await engine.open(), url)
    const game = `{ applicationId: '${emulator.application.id}', host: '${emulator.url}', surface: consent('ada') }`
    const recorded = await page.evaluate<string>(
      `(${String(recordRequests)})(Foyer, ${game}).then(JSON.stringify)`,
    )
    expect(sorted(JSON.parse(recorded) as RecordedRequest[])).toEqual(sorted(IN_A_PAGE))
  })

  engineTest('a client in a worker calls the service', async (engine) => {
    const { emulator, url } = await serveEngineGame()
    const page = await openGame(await engine.open(), url)
    await page.evaluate("window.signInAs('ada')")
    const options = JSON.stringify({
      applicationId: emulator.application.id,
      service: { host: emulator.url },
    })
    const source = `importScripts('${new URL('/dist/umd/index.umd.js', url).href}')
      const client = new Foyer.Client(${options})
      onmessage = ({ data }) => client.updateToken(data).then(() => client.fetchCurrentUser()).then(
        ({ username }) => postMessage(username), ({ code }) => postMessage(code))`
    const call = `new Promise((resolve) => {
      const worker = new Worker(URL.createObjectURL(new Blob([${JSON.stringify(source)}])))
      worker.onmessage = ({ data }) => resolve(data)
      worker.postMessage(client.session.tokens.accessToken.reveal())
    })`
    expect(await page.evaluate(call)).toBe('ada')
  })
}, CONTENT_ONLY)

test('outside a page, every request also has the user agent of a library', async () => {
  const emulator = await createEmulator()
  onTestFinished(() => emulator.close())
  const surface = consentSurface(emulator, { redirectUri: 'http://127.0.0.1:51234/callback' })
  const recorded = await recordRequests(Foyer, {
    applicationId: emulator.application.id,
    host: emulator.url,
    surface,
  })
  expect(sorted(recorded)).toEqual(sorted(IN_NODE))
})
