/** The demo's list of the application's lobbies: of the backend and of players, with members, limits and the time until each closes. */
import type { Locator, Page } from 'playwright'
import { beforeEach, describe, expect, it } from 'vitest'
import { useDemo } from '../../support/use-demo'
import { axeFaults, sideways } from '../demo-page'

const opened = useDemo({ fresh: 'demo' })
let page: Page

beforeEach(async () => {
  page = opened.page
  await opened.load('#lobby')
  await lobbies().getByText('No lobby is open').waitFor()
})

const lobbies = () => page.getByRole('region', { name: 'Lobbies of the application' })
const lobby = (kind: 'Player' | 'Server') => lobbies().getByRole('listitem', { name: `${kind} lobby` })
const first = () => page.getByRole('region', { name: 'First player' })
const press = (where: Locator, name: string) => where.getByRole('button', { name, exact: true }).click()

async function joinAsAda(): Promise<void> {
  await press(first(), 'Sign in')
  await first().locator('.player-name').waitFor()
  await press(first(), 'Create or join')
  await first().getByText('1 of 25 members').waitFor()
}

async function createServerLobby(idle = '300'): Promise<void> {
  await lobbies().getByLabel('Idle timeout in seconds').fill(idle)
  await press(lobbies(), 'Create a server lobby')
}

async function add(kind: 'Player' | 'Server', name: string): Promise<void> {
  await lobby(kind).getByRole('combobox').selectOption({ label: name })
  await press(lobby(kind), 'Add')
}

describe("the list of the application's lobbies", () => {
  it('shows the lobby of a player and that of the backend, each as what it is', async () => {
    await joinAsAda()
    await lobby('Player').getByText('1 of 25 members').waitFor()
    await createServerLobby()
    await lobby('Server').getByText('1 of 25 members').waitFor()
    expect(await lobby('Server').textContent()).toMatch(/0 of 1,000 characters of metadata.*Ada Quinn/)
    await press(lobby('Server'), 'Delete')
    await lobby('Server').waitFor({ state: 'detached' })
    await press(first(), 'Leave')
    await lobby('Player').getByText('0 of 25 members').waitFor()
  })

  it('adds and removes members as the backend, which a player in the lobby sees at once', async () => {
    await joinAsAda()
    await lobby('Player').waitFor()
    await add('Player', 'Bruno')
    await first().getByText('2 of 25 members').waitFor()
    await lobby('Player').getByText('2 of 25 members').waitFor()
    expect(
      await lobby('Player')
        .locator('select')
        .evaluate((select) => select === document.activeElement),
    ).toBe(true)
    await press(lobby('Player'), 'Remove Bruno')
    await first().getByText('1 of 25 members').waitFor()
  })

  it('counts down to the end of an idle lobby, which then is gone', async () => {
    await createServerLobby('600')
    await lobby('Server')
      .getByText(/Closes in (?:10 min 0 s|9 min 5\d s) if nobody uses it, of 10 min/)
      .waitFor()
    const headers = { origin: new URL(opened.demo.url).origin }
    await fetch(new URL('faults/sleep', opened.demo.url), { method: 'POST', headers, body: '{"ms":500000}' })
    await lobby('Server')
      .getByText(/Closes in 1 min (?:3\d|40) s/)
      .waitFor()
    await fetch(new URL('faults/sleep', opened.demo.url), { method: 'POST', headers, body: '{"ms":100000}' })
    await lobbies().getByText('No lobby is open').waitFor()
    expect(await lobby('Server').count()).toBe(0)
  })

  it('refuses a timeout outside of the limits, and creates nothing', async () => {
    await createServerLobby('4')
    await lobbies().getByRole('alert').getByText('a whole number of seconds from 5 to 604,800').waitFor()
    expect(await lobby('Server').count()).toBe(0)
    // Chromium reports the 400 of the page's own server.
    opened.complaints = opened.complaints.filter((text) => !text.includes('status of 400'))
  })

  it('says what a server lobby and a player lobby allow, without a fault that axe-core finds, at every width', async () => {
    await createServerLobby()
    await lobby('Server').waitFor()
    await lobbies().getByText('Server lobby or player lobby?').click()
    expect(
      await lobbies()
        .getByRole('row', { name: /^Leaving/ })
        .textContent(),
    ).toContain('a player cannot leave')
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      expect(await axeFaults(page)).toEqual([])
    }
    await page.setViewportSize({ width: 320, height: 640 })
    expect(await sideways(page)).toBe(0)
  })
})
