/** Presences that neither a host window nor a program would show: each door says what to write, before anything is sent. */
import { afterEach, describe, expect, test, vi } from 'vitest'
import { openActivityClient } from '../support/activity-client'
import { useDesktopGame } from '../support/desktop-game'
import { PRESENCE_FIELDS, PRESENCE_TEXTS } from '../support/electron/internals'
import { scriptedHost } from '../support/scripted-host'
import { createTokenService } from '../support/token-service'

const desktop = useDesktopGame()
afterEach(() => vi.unstubAllGlobals())

interface Door {
  set: (presence: unknown) => Promise<unknown>
  sent: () => number
}

async function inActivity() {
  const host = scriptedHost()
  const { client } = openActivityClient(await createTokenService())
  return { host: await client.activity.connect(), sent: () => host.commands('SET_ACTIVITY').length }
}

const DOORS: Readonly<Record<string, () => Promise<Door>>> = {
  'host.setPresence': async () => {
    const { host, sent } = await inActivity()
    return { set: async (presence) => host.setPresence(presence as never), sent }
  },
  'host.setActivity': async () => {
    const { host, sent } = await inActivity()
    return { set: async (presence) => host.setActivity({ activity: presence as never }), sent }
  },
  'client.desktop.setPresence': async () => {
    const program = await desktop.program().start()
    const game = await desktop.start(program)
    return {
      set: async (presence) => game.desktop.setPresence(presence as never),
      sent: () => program.commands('SET_ACTIVITY').length,
    }
  },
}

const MISTAKES: readonly (readonly [presence: object, says: string])[] = [
  [{ secrets: { join: 'moon' } }, 'secrets.join needs a party: { lobbyId, max }, or { id }'],
  [{ details: 'x' }, 'details must have 2 to 128 characters'],
  [{ details: 7 }, 'details must have 2 to 128 characters'],
  [{ largeImage: 'moon' }, 'largeImage is not known. Did you mean assets: { largeImage }?'],
  [{ large_image: 'moon' }, 'largeImage is not known. Did you mean assets: { largeImage }?'],
  [{ assets: { largeImages: 'moon' } }, 'assets.largeImages is not known. Did you mean largeImage?'],
  [{ detail: 'On the moon' }, 'detail is not known. Did you mean details?'],
  [{ startTimestamp: 1 }, 'startTimestamp is not known. Did you mean timestamps: { start }?'],
  [{ joinSecret: 'moon' }, 'joinSecret is not known. Did you mean secrets: { join }?'],
  [{ party: { details: 'On the moon' } }, 'party.details is not known. Did you mean details beside party?'],
  [{ party: { id: 'moon', size: 3 } }, 'party.size must be [current, max]'],
  [{ party: { id: 'moon', size: [3, 2] } }, 'party.size must be [current, max], with 1 <= current <= max'],
  [{ type: 1 }, 'type must be 0, 2, 3 or 5'],
]

describe.each(Object.entries(DOORS))('%s', (_, open) => {
  test('refuses what would not be shown, with what to write', async () => {
    const { set, sent } = await open()
    for (const [presence, says] of MISTAKES) {
      const error: unknown = await set(presence).catch((reason: unknown) => reason)
      expect([presence, String(error)]).toEqual([presence, expect.stringContaining(says)])
    }
    expect(sent()).toBe(0)
  })

  test('refuses each name of an object at the top, and names the object', async () => {
    const { set } = await open()
    for (const [owner, names] of Object.entries(PRESENCE_FIELDS))
      for (const name of owner === '' ? [] : names)
        expect(String(await set({ [name]: 'moon' }).catch((reason: unknown) => reason))).toContain(
          `${name} is not known. Did you mean ${owner}: { ${name} }?`,
        )
  })

  test('refuses each text that is too long', async () => {
    const { set } = await open()
    for (const [path, { min, max }] of Object.entries(PRESENCE_TEXTS)) {
      const long = path
        .split('.')
        .reduceRight<unknown>((value, name) => ({ [name]: value }), 'x'.repeat(max + 1))
      expect(String(await set(long).catch((reason: unknown) => reason))).toContain(
        `${path} must have ${min} to ${max} characters`,
      )
    }
  })
})
