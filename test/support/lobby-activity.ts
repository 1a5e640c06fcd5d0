/** A game that runs as an Activity: it signs in through its host window, joins the other players in a lobby, and sends a message. */
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { Emulator } from 'foyer-emulator'
import type * as FoyerModule from 'foyer-sdk'
import { listen } from './loopback'

interface Settings {
  applicationId: string
  service: { host: string; activityOrigins: string[] }
}

/** Runs in the frame. */
function game(settings: Settings): void {
  const { Client } = (window as unknown as { Foyer: typeof FoyerModule }).Foyer
  const client = new Client(settings)
  const page = document
  const show = (id: string, lines: readonly string[]) => {
    const list = page.querySelector(`#${id}`)
    list?.replaceChildren(
      ...lines.map((line) => Object.assign(document.createElement('li'), { textContent: line })),
    )
  }
  const said: string[] = []
  const names = new Map<string, string>()
  const meet = async () => {
    const participants = await client.activity.fetchParticipants()
    for (const { id, username } of participants) names.set(id, username)
    const { members } = await client.activity.joinLobby()
    show('members', members.map(({ id }) => names.get(id) ?? id).sort())
  }
  const play = async () => {
    await client.activity.connect()
    await client.signIn()
    const lobby = await client.activity.joinLobby()
    client.on('lobbyMessage', ({ message }) => {
      show('said', (said.push(message.content), said))
      void meet()
    })
    await lobby.watch({ interval: 1000 })
    await meet()
    const { username } = await client.fetchCurrentUser()
    await lobby.send(`${username} is here`)
    document
      .querySelector('#hello')
      ?.addEventListener('click', () => void lobby.send(`hello from ${username}`))
    document.body.dataset['ready'] = 'yes'
  }
  play().catch((error: unknown) => show('said', [String(error)]))
}

const HTML = `<!doctype html><html lang="en"><title>Moon Base</title><h1>Moon Base</h1><button id="hello">Say hello</button>
<ul id="members"></ul><ul id="said"></ul><script src="foyer.js"></script><script src="game.js"></script></html>`

export async function serveLobbyGame(
  emulator: Emulator,
): Promise<{ url: string; close: () => Promise<void> }> {
  const settings = (): Settings => ({
    applicationId: emulator.application.id,
    service: { host: emulator.url, activityOrigins: [new URL(emulator.activity.url ?? '').origin] },
  })
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const send = (type: string, body: string | Buffer) =>
      response.writeHead(200, { 'content-type': type }).end(body)
    if (pathname === '/') send('text/html', HTML)
    else if (pathname === '/game.js')
      send('text/javascript', `(${String(game)})(${JSON.stringify(settings())})`)
    else if (pathname === '/foyer.js')
      readFile('dist/umd/index.umd.js').then(
        (body) => send('text/javascript', body),
        () => response.writeHead(500).end(),
      )
    else response.writeHead(404).end()
  })
  const { port, close } = await listen(server)
  return { url: `http://localhost:${port}/`, close }
}
