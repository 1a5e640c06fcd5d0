// `npm test` starts the emulator of the service and the Worker, and signs two players in by the real exchange.
import { gameTest } from 'foyer-emulator/vitest'
import { Client, lobbyStream } from 'foyer-sdk'
import { expect } from 'vitest'
import { runWorker } from '../run-worker.js'

const ORIGIN = 'http://localhost:5173'
const test = gameTest({ seed: 'seed.json' })

/** `fetch` of a page of the game: it sends the page's origin, and keeps its cookie. */
function pageFetch() {
  let cookie = ''
  return async (url: string, init: RequestInit) => {
    const request = new Request(url, init)
    request.headers.set('origin', ORIGIN)
    request.headers.set('cookie', cookie)
    const response = await fetch(request)
    cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? cookie
    return response
  }
}

test('two players meet in a lobby, also after the object was ended, and one leaves', async ({
  emulator,
  players,
}) => {
  const { id, clientSecret, botToken, publicKey } = emulator.application
  const worker = await runWorker({
    bindings: {
      FOYER_HOST: emulator.url,
      FOYER_APPLICATION_ID: id,
      FOYER_PUBLIC_KEY: publicKey,
      FOYER_CLIENT_SECRET: clientSecret,
      FOYER_BOT_TOKEN: botToken,
      ORIGIN,
    },
  })
  const [ada, bruno] = await players(2, (settings) => {
    const backendSession = `${worker.url}/session`
    const lobbyUpdates = lobbyStream(`${worker.url}/lobbies`)
    return new Client({ ...settings, backendSession, lobbyUpdates, fetch: pageFetch() })
  })
  expect(ada.session?.user.displayName).toBe('Ada Quinn')
  const seen: string[] = []
  ada.on('lobbyMessage', ({ message }) => seen.push(message.content))
  const lobby = await ada.createOrJoinLobby('moon')
  const same = await bruno.createOrJoinLobby('moon')
  await expect.poll(() => lobby.members.length).toBe(2)
  await same.send('before')
  await expect.poll(() => seen).toEqual(['before'])

  await worker.restart()
  await same.send('after')
  await expect.poll(() => seen, { timeout: 20_000 }).toEqual(['before', 'after'])
  expect(lobby.members.length).toBe(2)

  await same.leave()
  await expect.poll(() => lobby.members.map((member) => member.id)).toEqual([ada.session?.userId])
  await worker.close()
}, 60_000)
