/** A stream of lobby updates, a game in the frame of an Activity, and a client in a worker, in every engine. */
import { createServer } from 'node:http'
import { expect } from 'vitest'
import { expectOutcome, openGame } from '../../support/engines/engine-game'
import { CONTENT_ONLY, closeAfterTest, inEveryEngine } from '../../support/engines/in-every-engine'
import { serveEngineGame } from '../../support/engines/serve-engine-game'
import { LobbyGame } from '../../support/lobby-game'
import { listen } from '../../support/loopback'

const ADA = '175928847299117063'

inEveryEngine((engineTest) => {
  engineTest('a stream of lobby updates reaches the page', async (engine) => {
    const { emulator, url } = await serveEngineGame()
    const events = createServer((_, response) => {
      response
        .writeHead(200, { 'content-type': 'text/event-stream', 'access-control-allow-origin': '*' })
        .write(':\n\n')
      emulator.subscribe(
        ({ name, data }) => void response.write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`),
      )
    })
    let connections = 0
    events.on('request', () => (connections += 1))
    const stream = await listen(events)
    closeAfterTest(stream)
    const page = await openGame(await engine.open(), url)
    const options = JSON.stringify({
      applicationId: emulator.application.id,
      service: { host: emulator.url },
    })
    const updates = `lobbyUpdates: Foyer.lobbyStream('http://127.0.0.1:${stream.port}/')`
    await page.evaluate(
      `(window.player = new Foyer.Client({ ...${options}, ${updates} })).signIn({ surface: consent('ada') }).then(() => null)`,
    )
    const id = await page.evaluate<string>("player.createOrJoinLobby('moon').then((lobby) => lobby.id)")
    await expect.poll(() => connections).toBe(1)
    const game = new LobbyGame(emulator)
    const bruno = await game.player('bruno')
    await bruno.createOrJoinLobby('moon')
    await expect.poll(() => page.evaluate(`player.lobbies.get('${id}').members.length`)).toBe(2)
    game.close()
  })

  engineTest('a player meets another in a lobby, sends a message and leaves', async (engine) => {
    const { emulator, url } = await serveEngineGame()
    const page = await openGame(await engine.open(), url)
    await page.evaluate("window.signInAs('ada')")
    await page.evaluate("client.createOrJoinLobby('moon').then((lobby) => void (window.lobby = lobby))")
    const game = new LobbyGame(emulator)
    const bruno = await game.player('bruno')
    const theirs = await bruno.createOrJoinLobby('moon')
    expect(theirs.members).toHaveLength(2)
    await page.evaluate("lobby.send('Hello').then(() => null)")
    const [message] = await theirs.fetchMessages({ limit: 1 })
    expect(message).toMatchObject({ content: 'Hello' })
    await page.evaluate('lobby.leave().then(() => null)')
    expect((await bruno.createOrJoinLobby('moon')).members).toHaveLength(1)
    game.close()
  })

  engineTest('a game in the frame of an Activity connects to its host and signs in', async (engine) => {
    const { emulator, url } = await serveEngineGame()
    await emulator.activity.serve(url)
    const launched = emulator.activity.launch({ as: ['ada'] })
    const page = await engine.open()
    await page.goto(launched.url)
    const frame = await page.frame()
    await expectOutcome(frame, 'nobody')
    expect(await frame.evaluate('client.activity.connect().then(({ instanceId }) => instanceId)')).toBe(
      launched.instanceId,
    )
    await frame.evaluate('void (window.work = client.signIn().then(({ userId }) => userId))')
    await page.press('Approve')
    expect(await frame.evaluate('window.work')).toBe(ADA)
  })

  engineTest(
    'a game that is launched from the chat connects to its host, two frames deep, and signs in',
    async (engine) => {
      const { emulator, url } = await serveEngineGame()
      await emulator.activity.serve(url)
      const page = await engine.open()
      await page.goto(`${emulator.url}/chat`)
      await page.press('Launch')
      const host = await page.frame()
      const game = await host.frame()
      await expectOutcome(game, 'nobody')
      await game.evaluate(
        'void (window.work = client.activity.connect().then(() => client.signIn()).then(({ userId }) => userId))',
      )
      await host.press('Approve')
      expect(await game.evaluate('window.work')).toBe(ADA)
    },
  )

  engineTest('the classic script runs in a worker', async (engine) => {
    const { url } = await serveEngineGame()
    const page = await openGame(await engine.open(), url)
    const message =
      "new Promise((resolve) => { new Worker('/worker.js').onmessage = ({ data }) => resolve(data) })"
    expect(await page.evaluate(message)).toBe('disconnected undefined')
  })
}, CONTENT_ONLY)
