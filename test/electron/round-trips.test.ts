/** A sign-in from a window to the system browser and back, with the built main process, the built preload script and real system tools. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Desk, type DeskOptions, packGame, requireDesktopTools } from '../support/electron/desk'
import type { Packed } from '../support/packed'

const ADA = '175928847299117063'
const SCHEME: DeskOptions = { schemeName: 'mygame', options: { roads: ['scheme'] } }

let packed: Packed
let desk: Desk | undefined

async function setDesk(options: DeskOptions = {}): Promise<Desk> {
  desk = await Desk.set(packed, options)
  return desk
}

beforeAll(() => {
  requireDesktopTools()
  packed = packGame()
})
afterAll(() => packed[Symbol.dispose]())
afterEach(async () => {
  await desk?.close()
  desk = undefined
})

describe('a sign-in', () => {
  test.each(['main.mjs', 'main.cjs'] as const)('comes back by loopback: %s', async (module) => {
    const { start, visit } = bind(await setDesk({ module }))
    const game = await start()
    expect(await game.page('signIn()')).toEqual({ userId: ADA })
    expect(await game.page('client.session.userId')).toBe(ADA)
    expect(await game.page('client.status')).toBe('ready')
    expect(await game.main('({ client }) => client.session.userId')).toBe(ADA)
    const { redirect = '', page } = await visit()
    expect(redirect).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback\?/)
    expect(page).toContain('Go back to the game')
  })
})

/** The methods of a desk, to be taken apart. */
function bind(on: Desk) {
  return { start: () => on.start(), visit: (seen?: number) => on.visit(seen), open: (link: string) => on.open(link) }
}
