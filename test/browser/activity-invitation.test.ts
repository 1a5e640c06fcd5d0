/** From the chat to two players in one lobby, by invitation, with a presence that shows the party, in real Chromium. */
import { createEmulator } from 'foyer-emulator'
import { ApplicationClient, botToken, createInteractionHandler, defineCommand } from 'foyer-sdk/server'
import { expect, onTestFinished, test } from 'vitest'
import { launchChromium } from '../support/chromium'
import { serveRemoteGame } from '../support/remote-game'
import { serveRequests } from '../support/serve-requests'

/** The game of both players: those who come by invitation enter the lobby of the inviter, the others make their own. */
const script = (settings: object) => `
await new Promise((resolve) => document.head.append(Object.assign(document.createElement('script'), { src: '/foyer.js', onload: resolve })))
const client = new Foyer.Client(${JSON.stringify(settings)})
const lobbies = [], layouts = []
client.on('activityLobby', ({ lobby }) => {
  lobbies.push(lobby)
  void lobby.send('I am here')
})
client.on('lobbyMessage', () => void client.createOrJoinLobby('moon-4711'))
const host = await client.activity.connect()
window.player = (await host.getActivityInstanceConnectedParticipants()).participants.length === 1 ? 'ada' : 'bruno'
const session = await client.signIn({ args: { scopes: 'openid sdk.social_layer rpc.activities.write' } })
Object.assign(window, { client, host, lobbies, layouts })
`

/** On the usual port the game has an origin of its own. On any other port the host page proxies it. */
test.for([
  ['the usual port, if that is free', undefined],
  ['another port', 0],
] as const)(
  'two players meet in one lobby by invitation, with the host page on %s',
  async ([, activityPort]) => {
    const emulator = await createEmulator({ commands: { globalDelay: 0 }, activityPort })
    const { id: applicationId, publicKey, botToken: token } = emulator.application
    const service = { host: emulator.url }
    const bot = new ApplicationClient({ applicationId, service, credentials: botToken(token) })
    const play = defineCommand({ type: 4, name: 'Play', handler: 1 }, (interaction) =>
      interaction.launchActivity(),
    )
    const backend = await serveRequests(createInteractionHandler({ publicKey, commands: [play], service }))
    const game = await serveRemoteGame({ script: script({ applicationId, service }) })
    const browser = await launchChromium()
    onTestFinished(async () => {
      await browser.close()
      bot.close()
      await Promise.all([emulator.close(), backend.close(), game.close()])
    })
    await bot.commands.global.sync([play.definition])
    await emulator.interactions.connect(backend.url)
    await emulator.activity.serve(game.url)
    const [ada, bruno] = emulator.users

    const page = await browser.newPage({ viewport: { width: 1280, height: 1000 } })
    await page.goto(`${emulator.url}/chat`)
    const hostOf = (name: string) => page.frameLocator(`iframe[title="The Activity, as ${name} sees it"]`)
    await page.getByRole('combobox', { name: /^Message to/ }).fill('/play')
    await page.getByRole('option', { name: /Play/ }).click()
    await hostOf('Ada Quinn').getByRole('button', { name: 'Approve' }).click()

    const lobbyId = await game.run<string>(`(async () => {
    const lobby = await client.createOrJoinLobby('moon-4711')
    const { id } = lobby
    await lobby.watch({ interval: 1000 })
    await host.setPresence({ details: 'On the moon', party: { lobbyId: id, max: 4 }, secrets: { join: 'moon-4711' } })
    return id
  })()`)
    expect(JSON.stringify(lobbyId)).toMatch(/^"\d+"$/)
    const presence = page.getByRole('region', { name: 'People here' }).getByText('Example Game: On the moon')
    expect(await presence.innerText()).toBe('Example Game: On the moon, 1 of 4')
    expect(await game.run('host.players')).toMatchObject([
      { id: ada?.id, name: 'Ada Quinn', avatarUrl: expect.stringContaining(emulator.url) },
    ])

    await game.run('host.inviteFriends()')
    const dialog = hostOf('Ada Quinn').getByRole('alertdialog')
    await dialog.getByLabel('Bruno').check()
    await dialog.getByRole('button', { name: 'Invite' }).click()
    await page.getByLabel('Player', { exact: true }).selectOption({ label: 'Bruno' })
    await page.getByRole('button', { name: 'Ada Quinn', exact: true }).click()
    await page.getByRole('button', { name: 'Accept invitation' }).click()
    await hostOf('Bruno').getByRole('button', { name: 'Approve' }).click()

    await game.run('host.followInvitations() && 0', 'bruno')
    await expect.poll(() => game.run('lobbies.map(({ id }) => id)', 'bruno')).toEqual([lobbyId])
    expect(await game.run('client.activity.launch.referrerId', 'bruno')).toBe(ada?.id)
    expect(await game.run<string[]>('lobbies[0].members.map(({ id }) => id)', 'bruno')).toEqual([
      ada?.id,
      bruno?.id,
    ])
    await expect
      .poll(() => emulator.activity.presence('ada'))
      .toMatchObject({ party: { id: lobbyId, size: [2, 4] } })
    await page.getByRole('button', { name: 'general', exact: true }).first().click()
    await expect.poll(() => presence.innerText()).toBe('Example Game: On the moon, 2 of 4')
    await expect.poll(() => game.run('host.players.map(({ name }) => name)')).toEqual(['Ada Quinn', 'Bruno'])
  },
)
