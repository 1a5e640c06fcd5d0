/** Launch links through the system's own tools: `xdg-open` starts the game, or a second process that reaches the first. */
import { describe, expect, onTestFinished, test } from 'vitest'
import { missingDesktop } from '../support/electron/desktop'
import { REAL } from '../support/electron/pack-game'
import type { Game } from '../support/electron/running-game'
import type { Sandbox } from '../support/electron/sandbox'
import { useSandbox } from '../support/electron/use-sandbox'
import { startPublicGame } from '../support/public-game'
import { skipIfMissing } from '../support/skip-if-missing'

const SECRET = 'moon-42'
// A real Electron has no key store on a bare machine, so that the player would have to sign in again.
const needsStandIn = { skip: REAL !== undefined, meta: { skipReason: 'needs the stand-in for Electron' } }
const createSandbox = useSandbox()

/** Bruno's game, which is one with a public client, can be joined. */
async function showBruno({ emulator }: Sandbox): Promise<void> {
  const program = await emulator.localProgram({ as: 'bruno', brand: 'discord' })
  const game = await startPublicGame(program.folder, emulator.application.id)
  onTestFinished(() => game.destroy())
  await game.user?.setActivity({ state: 'On the moon', partyId: 'p1', joinSecret: SECRET })
}

const launches = (game: Game) =>
  game.main<number>("({ log }) => log.filter(({ step }) => step === 'link.launched').length")

describe('a launch link', skipIfMissing(missingDesktop()), () => {
  test('reaches the game that runs, through a second process that exits', async () => {
    const sandbox = await createSandbox({ schemeName: 'com.example.mygame', launches: true })
    const game = await sandbox.start()
    const link = `service-${sandbox.emulator.application.id}://`
    expect(await game.main('({ scheme }) => scheme.launch')).toEqual({
      scheme: link.slice(0, -3),
      registered: true,
    })
    const own = await game.pid
    sandbox.open(link)
    await expect.poll(() => launches(game)).toBe(1)
    expect(await (await sandbox.attach()).pid).toBe(own)
  })

  test('and a sign-in link of the same scheme reach the same game, told apart', async () => {
    const sandbox = await createSandbox({ launches: true, options: { roads: ['scheme'] } })
    const game = await sandbox.start()
    sandbox.open(`service-${sandbox.emulator.application.id}://`)
    await expect.poll(() => launches(game)).toBe(1)
    expect(await game.page('signIn()')).toMatchObject({ userId: expect.stringMatching(/^\d+$/) })
    const { redirect } = await sandbox.browser.visit()
    expect(redirect).toContain(`service-${sandbox.emulator.application.id}:/authorize/callback?`)
  })

  test(
    'starts a game that does not run for an accepted invitation, which then joins its lobby',
    needsStandIn,
    async () => {
      const sandbox = await createSandbox({
        schemeName: 'com.example.mygame',
        launches: true,
        options: { localProgram: true },
      })
      const first = await sandbox.start()
      await first.page('signIn()')
      await sandbox.crash()
      await showBruno(sandbox)
      const program = await sandbox.startProgram('ada')
      program.accept('bruno')
      const game = await sandbox.attach()
      expect(await launches(game)).toBe(1)
      await expect.poll(() => game.main('({ secrets }) => secrets')).toEqual([SECRET])
      await game.page('client.resume()')
      await game.page('(client.desktop.followInvitations(), 0)')
      await expect.poll(() => game.page('client.lobbies.size')).toBe(1)
      expect(await game.page('[...client.lobbies][0].members.length')).toBe(1)
    },
  )
})
