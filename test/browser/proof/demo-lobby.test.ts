/** The demo's lobby screen and the life of its session, as a stranger tries them: two players, one page, a real browser. */
import type { Locator, Page } from 'playwright'
import { beforeEach, describe, expect, it } from 'vitest'
import { useDemo } from '../../support/use-demo'
import { axeFaults, sideways } from '../demo-page'

// Chromium reports every refusal that a page receives.
const opened = useDemo({ fresh: 'emulator', allowed: /status of 4(?:01|03|29)/ })
const open = (fragment = '#lobby') => opened.load(fragment)
let page: Page

beforeEach(() => {
  page = opened.page
})

const slotOf = (name: 'First' | 'Second') => page.getByRole('region', { name: `${name} player` })
const press = (where: Page | Locator, name: string) =>
  where.getByRole('button', { name, exact: true }).click()
const limits = () => page.getByRole('region', { name: 'Limits' })
const gauge = (bucket: string) => limits().locator(`[data-bucket="${bucket}"]`)

const life = () => page.getByRole('region', { name: 'Lifecycle' })
const storage = () => page.getByRole('region', { name: 'Storage and events' })
const player = () => page.getByRole('region', { name: 'Session' }).locator('.player-name')

async function meet(): Promise<{ first: Locator; second: Locator }> {
  await open()
  const [first, second] = [slotOf('First'), slotOf('Second')]
  for (const one of [first, second]) {
    await press(one, 'Sign in')
    await one.locator('.player-name').waitFor()
    // Who is not listening yet would miss the other one's coming.
    const listens = page.waitForResponse((response) => response.url().endsWith('faults/events'))
    await press(one, 'Create or join')
    await listens
    await one.getByText('of 25 members').waitFor()
  }
  await first.getByText('2 of 25 members').waitFor()
  await second.getByText('2 of 25 members').waitFor()
  return { first, second }
}

async function say(who: Locator, text: string): Promise<void> {
  await who.getByLabel('Message', { exact: true }).fill(text)
  await who.getByLabel('Message', { exact: true }).press('Enter')
}

/** Resolves when a place has shown words, for however short a time: it is looked at with each change. */
const shows = (place: Locator, words: RegExp): Promise<void> =>
  place.evaluate(
    (element, source) =>
      new Promise<void>((seen) => {
        const look = () => new RegExp(source).test(element.textContent ?? '') && seen()
        new MutationObserver(look).observe(element, { subtree: true, childList: true, characterData: true })
        look()
      }),
    words.source,
  )

/** True where the plot has an area: at its first sample, a minute ago, and at its last. Reads a copy, since reading slows a canvas down. */
function isDrawn(element: SVGElement | HTMLElement): { first: boolean; last: boolean } {
  const { width, height } = element as HTMLCanvasElement
  const copy = new OffscreenCanvas(width, 1).getContext('2d', { willReadFrequently: true })
  copy?.drawImage(element as HTMLCanvasElement, 0, 1 - height)
  const bottom = copy?.getImageData(0, 0, width, 1).data ?? []
  return { first: bottom[4 + 3] !== 0, last: bottom[4 * (width - 2) + 3] !== 0 }
}

async function signIn(): Promise<void> {
  const [popup] = await Promise.all([page.waitForEvent('popup'), page.click('#sign-in-button')])
  await popup.getByRole('button', { name: 'Approve' }).click()
  await player().waitFor()
}

describe('the lobby screen', () => {
  it('brings two players together by a secret, who hear each other at once', async () => {
    const { first, second } = await meet()
    expect(await first.locator('.player-name').textContent()).toBe('Ada Quinn')
    expect(await second.locator('.player-name').textContent()).toBe('Bruno')
    await say(first, 'Shall we take the harbour?')
    await second.getByRole('log').getByText('Shall we take the harbour?').waitFor()
    await say(second, 'I bring the lanterns.')
    await first.getByRole('log').getByText('I bring the lanterns.').waitFor()
    expect(await first.locator('.message').count()).toBe(2)
    await press(second, 'Leave')
    await first.getByText('1 of 25 members').waitFor()
  })

  it('links a lobby of the backend to a channel chosen from lists, by keyboard and without a fault that axe-core finds', async () => {
    await open()
    const first = slotOf('First')
    await press(first, 'Sign in')
    await first.locator('.player-name').waitFor()
    const place = page.getByRole('region', { name: 'Linked channel' })
    const status = place.getByRole('status')
    await press(place, 'Create one')
    await expect.poll(() => place.getByLabel('Lobby of the backend').inputValue()).toMatch(/^\d+$/)
    await press(place, 'Load the guilds')
    await place.getByRole('option', { name: 'The Tavern' }).waitFor({ state: 'attached' })
    expect(await place.getByLabel('Channel').locator('option').allTextContents()).toEqual([
      'general',
      'announcements (cannot be linked)',
      'backstage',
      'cellar (cannot be linked)',
    ])
    await place.getByLabel('Guild').selectOption('Playtesters')
    await expect
      .poll(() => place.getByLabel('Channel').locator('option').allTextContents())
      .toEqual(['general'])
    await press(place, 'Link')
    await place.getByRole('alert').getByText('missing_permission').waitFor()
    await place.getByLabel('Guild').selectOption('The Tavern')
    await expect.poll(() => place.getByLabel('Channel').locator('option').count()).toBe(4)
    await place.getByLabel('Channel').focus()
    await page.keyboard.type('back')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await status.getByText('The lobby is linked to #backstage.').waitFor()
    expect(await axeFaults(page)).toEqual([])
    await press(place, 'Invitation to the guild')
    await status.getByText(/Invitation, valid once: http.*\/invite\//).waitFor()
    await press(place, 'Unlink')
    await expect.poll(() => status.textContent()).toBe('')
    await press(first, 'Sign out')
    await place.getByText('Sign the first player in').waitFor()
  })

  it('shows the history to who comes later, and keeps two secrets apart', async () => {
    const { first, second } = await meet()
    await say(first, 'Before you came.')
    await press(second, 'Leave')
    await press(second, 'Create or join')
    await second.getByRole('log').getByText('Before you came.').waitFor()
    await press(second, 'Leave')
    await press(page, 'New secret')
    await press(second, 'Create or join')
    await second.getByText('1 of 25 members').waitFor()
    await second.getByText('No messages yet.').waitFor()
    expect(await first.locator('.message').count()).toBe(1)
  })

  it('changes metadata for both, and says what is too long before anything is sent', async () => {
    const { first, second } = await meet()
    await first.getByText('Metadata', { exact: true }).click()
    await first.getByLabel('Metadata of this player in it').fill('team: red')
    await first.getByText('7 of 1,000 characters').waitFor()
    await press(first, 'Save the metadata')
    await second.locator('.member', { hasText: 'team: red' }).waitFor()
    await first.getByLabel('Metadata of the lobby').fill(`map: ${'x'.repeat(998)}`)
    await first.getByText('1,001 of 1,000 characters: too many').waitFor()
    await press(first, 'Save the metadata')
    expect(await first.getByRole('alert').textContent()).toMatch(/invalid_argument.*metadata/)
  })

  it('shows which of two edits at once was overwritten, and that updateMetadata keeps both', async () => {
    const { second } = await meet()
    const edits = page.getByRole('region', { name: 'Two edits at once' })
    const requests = edits.getByRole('listitem')
    await press(edits, 'Both edit now')
    await edits.getByText(/won, whose request came last: the edit of (?:Ada Quinn|Bruno) is lost/).waitFor()
    expect(await requests.filter({ hasText: 'PATCH' }).count()).toBe(2)
    expect(await requests.filter({ hasText: 'overwritten' }).count()).toBe(1)
    expect(await requests.filter({ hasText: 'still there' }).count()).toBe(1)
    await second.getByText('Metadata', { exact: true }).click()
    await expect.poll(() => second.getByLabel('Metadata of the lobby').inputValue()).toContain('edits: 1')
    await press(edits, 'Both edit with updateMetadata')
    await edits.getByText('Both edits are there, and the lobby counts 3.').waitFor()
    expect(await requests.filter({ hasText: 'overwritten' }).count()).toBe(0)
    expect(await requests.filter({ hasText: 'PATCH' }).count()).toBe(2)
    await expect.poll(() => second.getByLabel('Metadata of the lobby').inputValue()).toContain('edits: 3')
    expect(await axeFaults(page)).toEqual([])
    await page.setViewportSize({ width: 320, height: 640 })
    expect(await sideways(page)).toBe(0)
    await press(second, 'Leave')
    await edits.getByText('Both players have to be in the same lobby.').waitFor()
    expect(await edits.getByRole('button', { name: 'Both edit now' }).isDisabled()).toBe(true)
  })

  it('sends more at once than a second allows: the rest waits, and nobody is refused', async () => {
    await meet()
    await gauge('global 0').waitFor()
    await Promise.all([shows(gauge('global 0'), /Waiting[1-9]/), press(page, 'Send 80 messages')])
    await limits().getByText('messages sent in').waitFor()
    expect(await limits().locator('.outcome').textContent()).toMatch(/^80 messages sent in .+, 0 refused/)
    await gauge('send_message 0').getByText('80 of 3,000 in 2 h').waitFor()
    await expect
      .poll(() => gauge('send_message 0').locator('canvas').evaluate(isDrawn))
      .toEqual({ first: false, last: true })
  })

  it('explains the eleventh join in words, which never left the page', async () => {
    const { first } = await meet()
    await press(page, 'Join 11 times')
    const alert = first.getByRole('alert')
    await alert.getByText('rate_limited').waitFor()
    expect(await alert.textContent()).toMatch(
      /A player may join 10 times in 60 seconds\. Try again in \d+ (?:s|min)/,
    )
    const joins = gauge('join_lobby 0')
    await joins.getByText('10 of 10 in 1 min').waitFor()
    await expect
      .poll(() => joins.locator('dd').allTextContents())
      .toEqual([expect.stringMatching(/^in \d/), '0', '0', '1'])
  })

  it('waits when the service refuses, counts the 429, and the message arrives', async () => {
    const { first, second } = await meet()
    await press(page, 'Make the service refuse')
    await limits().getByText('The emulator refuses the next message').waitFor()
    await Promise.all([
      shows(first, /Waiting \d s for the limit send_message/),
      say(first, 'Better late than never.'),
    ])
    await second.getByRole('log').getByText('Better late than never.').waitFor()
    const refusals = gauge('send_message 0').locator('div', { hasText: '429' }).locator('dd')
    await refusals.filter({ hasText: '1' }).waitFor()
    expect(await first.getByRole('alert').count()).toBe(0)
  })

  it('keeps both players through a reload, out of the lobby that the page has left', async () => {
    await meet()
    await page.reload()
    await page.locator('main:not([aria-busy])').waitFor()
    await slotOf('First').getByText('Ada Quinn').waitFor()
    await slotOf('Second').getByText('Bruno').waitFor()
    await press(slotOf('First'), 'Create or join')
    await slotOf('First').getByText('1 of 25 members').waitFor()
    expect(await slotOf('First').locator('.member').allTextContents()).toEqual(['Ada Quinnyou'])
  })

  it('keeps the secret covered until somebody asks for it', async () => {
    await open()
    const secret = page.getByLabel('Secret of the lobby')
    expect(await secret.getAttribute('type')).toBe('password')
    await press(page, 'Reveal or hide the secret')
    expect(await secret.getAttribute('type')).toBe('text')
  })
})

describe("the session's life", () => {
  it.each(['Session storage', 'Local storage', 'IndexedDB'])('survives a reload in %s', async (store) => {
    await open('')
    await storage().getByRole('radio', { name: store }).check()
    await signIn()
    await page.reload()
    expect(await player().textContent()).toBe('Ada Quinn')
    await life().getByText('It survives a reload.').waitFor()
    await storage().getByRole('log').getByText('session restored from the store').waitFor()
  })

  it('is another player under another profile', async () => {
    await open('')
    await storage().getByRole('radio', { name: 'Local storage' }).check()
    await signIn()
    await open('?profile=alice')
    await life().getByText('Nobody is signed in.').waitFor()
    await open('')
    expect(await player().textContent()).toBe('Ada Quinn')
  })

  it('is refreshed on request, goes stale asleep, and is renewed by the next call', async () => {
    await open('')
    await signIn()
    await press(life(), 'Refresh now')
    await storage().getByRole('log').getByText('tokenRefreshed').waitFor()
    await press(life(), 'Sleep for 8 days')
    await life().locator('.badge', { hasText: 'token expired' }).waitFor()
    await press(life(), 'Call the API')
    await storage().getByRole('log').getByText('answered: ada').waitFor()
    expect(await life().locator('.badge').textContent()).toBe('signed in')
  })

  it('begins anew after days have passed at the service, with its page and its cookies', async () => {
    await open('')
    await signIn()
    await press(life(), 'Sleep for 8 days')
    await life().locator('.badge', { hasText: 'token expired' }).waitFor()
    await page.reload()
    await signIn()
    expect(await player().textContent()).toBe('Ada Quinn')
  })

  it('is revoked at the service when it is signed out that way', async () => {
    await open('')
    await signIn()
    await press(life(), 'Sign out and revoke')
    await life().getByText('the service revoked the tokens').waitFor()
    expect(await life().locator('.life-state').textContent()).toBe('Nobody is signed in.')
  })
})

describe.each(['light', 'dark'] as const)('the workbench, %s', (colorScheme) => {
  it('has no fault that axe-core finds, and needs no scrolling sideways on 320 pixels', async () => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await open()
    expect(await axeFaults(page)).toEqual([])
    const { first } = await meet()
    await first.getByText('Metadata', { exact: true }).click()
    await say(first, `A word that is ${'very '.repeat(30)}${'l'.repeat(60)}ong.`)
    await press(page, 'Join 11 times')
    await first.getByRole('alert').getByText('rate_limited').waitFor()
    expect(await axeFaults(page)).toEqual([])
    await page.setViewportSize({ width: 320, height: 640 })
    expect(await sideways(page)).toBe(0)
    await page.getByRole('link', { name: 'Sign-in' }).click()
    expect(await sideways(page)).toBe(0)
  })
})

describe('the fault controls', () => {
  it('is for the page alone: no other origin may press a button', async () => {
    const foreign = { method: 'POST', headers: { origin: 'https://evil.example' }, body: '{}' }
    expect((await fetch(new URL('faults/refuse', opened.demo.url), foreign)).status).toBe(403)
    expect(
      (await fetch(new URL('faults/refuse', opened.demo.url), { method: 'POST', body: '{}' })).status,
    ).toBe(403)
    expect((await fetch(new URL('faults/events', opened.demo.url))).status).toBe(403)
    const own = { method: 'POST', headers: { origin: new URL(opened.demo.url).origin }, body: '{}' }
    expect((await fetch(new URL('faults/refuse', opened.demo.url), own)).status).toBe(200)
    expect((await fetch(new URL('faults/constructor', opened.demo.url), own)).status).toBe(404)
  })
})
