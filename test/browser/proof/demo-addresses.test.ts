/** Address of each screen of the demo: a reload, a link and the browser's buttons restore what was shown. */
import type { Page } from 'playwright'
import { beforeEach, describe, expect, it } from 'vitest'
import { approve, popupAfter } from '../../support/consent-page'
import { openScreen, useDemo, useService } from '../../support/use-demo'
import { axeFaults } from '../demo-page'

const HEADINGS = {
  player: 'Sign players in with Foyer',
  exchange: 'What was sent, and what came back',
  lobby: 'Two players, one lobby',
  limits: 'Rate limits, counted live',
  commands: 'Commands studio',
  doctor: 'What a sign-in needs here',
  service: 'Services and issuers',
}

const opened = useDemo()
let page: Page

beforeEach(() => {
  page = opened.page
})

const fragment = () => new URL(page.url()).hash
const heading = (text: string) => page.getByRole('heading', { name: text, level: 1 })
const filter = () => page.getByRole('searchbox', { name: 'Filter' })
const shown = () => page.locator('.exchange:visible strong').allTextContents()

async function reload(): Promise<void> {
  await page.reload()
  await page.locator('main:not([aria-busy])').waitFor()
}

async function signIn(): Promise<void> {
  await approve(await popupAfter(page, '#sign-in-button'))
  await page.locator('.player-name').waitFor()
}

describe('an address of the demo', () => {
  it.each(Object.entries(HEADINGS))('opens the screen %s, also after a reload', async (name, title) => {
    await opened.load(`#${name}`)
    await heading(title).waitFor()
    await reload()
    await heading(title).waitFor()
    expect(fragment()).toBe(`#${name}`)
    expect(await page.locator('h1:visible').count()).toBe(1)
    expect(await page.title()).toContain('Foyer demo')
  })

  it('follows the buttons back and forward', async () => {
    await opened.load()
    await openScreen(page, 'Exchange')
    await openScreen(page, 'Doctor')
    await page.goBack()
    await heading(HEADINGS.exchange).waitFor()
    await page.goBack()
    await heading(HEADINGS.player).waitFor()
    await page.goForward()
    await heading(HEADINGS.exchange).waitFor()
    expect(await page.locator('h1:visible').count()).toBe(1)
  })

  it('has the filter and the selected request, which survive a reload and a visit of another screen', async () => {
    await opened.load()
    await signIn()
    await openScreen(page, 'Exchange')
    await filter().fill('oauth2 token')
    await expect.poll(shown).toEqual(['POST /api/v10/oauth2/token'])
    await page.locator('.exchange', { hasText: '/oauth2/token' }).click()
    await expect.poll(fragment).toMatch(/filter=oauth2\+token&request=\d+/)
    const address = fragment()
    await openScreen(page, 'Doctor')
    await openScreen(page, 'Exchange')
    expect(fragment()).toBe(address)
    await reload()
    expect(await filter().inputValue()).toBe('oauth2 token')
    await expect.poll(shown).toEqual(['POST /api/v10/oauth2/token'])
    await page.getByRole('heading', { name: 'Checks of the SDK' }).waitFor()
    await openScreen(page, 'Doctor')
    await page.goBack()
    expect(fragment()).toBe(address)
    expect(await filter().inputValue()).toBe('oauth2 token')
  })

  it('keeps exchanges over a reload without any secret, and says so', async () => {
    await opened.load()
    const answer = page.waitForResponse((response) => response.url().endsWith('/oauth2/token'))
    await signIn()
    const secrets = secretsOf(await (await answer).json(), (await answer).request().postData() ?? '')
    expect(secrets.length).toBeGreaterThanOrEqual(5)
    await page.evaluate(() => {
      window.addEventListener(
        'pagehide',
        () =>
          (localStorage['seen'] = JSON.stringify([
            Object.entries(sessionStorage),
            Object.entries(localStorage),
          ])),
      )
    })
    await reload()
    const stored = await page.evaluate(() => String(localStorage['seen']))
    expect(stored).toContain('code_verifier')
    for (const secret of secrets) expect(stored).not.toContain(secret)
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
    await openScreen(page, 'Exchange')
    await page.locator('.exchange', { hasText: '/oauth2/token' }).click()
    await page.locator('.exchange-chosen').getByText('a secret, not kept', { exact: true }).first().waitFor()
  })

  it('has the chosen service', async () => {
    await opened.load()
    await useService(page, 'https://one.example', '1')
    await openScreen(page, 'Service')
    await page.getByLabel('Save the settings as').fill('One')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    expect(fragment()).toBe('#service?service=one')
    await page.getByRole('radio', { name: 'the emulator' }).check()
    expect(fragment()).toBe('#service?service=emulator')
    await openScreen(page, 'Doctor')
    expect(fragment()).toBe('#doctor?service=emulator')
    await page.goBack()
    await page.goBack()
    expect(fragment()).toBe('#service?service=one')
    await page.getByRole('button', { name: /^One/, pressed: true }).waitFor()
    expect(await page.getByRole('textbox', { name: 'Host' }).inputValue()).toBe('https://one.example')
    await reload()
    await page.getByRole('button', { name: /^One/, pressed: true }).waitFor()
    await opened.load('#player?service=nothing')
    expect(await page.locator('#service-summary strong').textContent()).toBe('One')
  })

  it('stays when the skip link is used', async () => {
    await opened.load('#exchange')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    expect(fragment()).toBe('#exchange')
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('exchanges')
  })

  it('survives a sign-in by redirect', async () => {
    await opened.load('#player?service=emulator')
    await page.getByRole('radio', { name: 'in place of this page' }).check()
    await page.click('#sign-in-button')
    await approve(page)
    await page.locator('.player-name').waitFor()
    expect(fragment()).toBe('#player?service=emulator')
    await openScreen(page, 'Exchange')
    expect((await shown()).slice(0, 2)).toEqual(['GET /oauth2/authorize', 'Callback /'])
  })
})

describe('the keys of the demo', () => {
  it('lead to the screens and to their own list, unless they are typed or switched off', async () => {
    await opened.load()
    await page.keyboard.press('g')
    await page.keyboard.press('d')
    await heading(HEADINGS.doctor).waitFor()
    await page.keyboard.press('?')
    const list = page.getByRole('dialog', { name: 'Settings and keys' })
    await list.getByText('goes to Exchange').waitFor()
    expect(await axeFaults(page)).toEqual([])
    await page.keyboard.press('Escape')
    await list.waitFor({ state: 'hidden' })
    await openScreen(page, 'Lobby')
    await page.getByLabel('Secret of the lobby').fill('')
    await page.getByLabel('Secret of the lobby').pressSequentially('gd?')
    expect(await page.getByLabel('Secret of the lobby').inputValue()).toBe('gd?')
    expect(fragment()).toBe('#lobby')
    await page.getByRole('button', { name: 'Settings and keys' }).click()
    await list.getByRole('checkbox', { name: 'Use the keys ? and g' }).uncheck()
    await list.getByRole('button', { name: 'Close' }).click()
    await reload()
    await page.keyboard.press('?')
    expect(await list.count()).toBe(0)
  })

  it('delete everything stored, after they were pressed twice', async () => {
    await opened.load()
    await page
      .getByRole('region', { name: 'Storage and events' })
      .getByRole('radio', { name: 'IndexedDB' })
      .check()
    await signIn()
    await page.getByRole('button', { name: 'Settings and keys' }).click()
    await page.getByRole('button', { name: 'Delete everything stored' }).click()
    expect(await page.locator('.player-name').count()).toBe(1)
    await Promise.all([
      page.waitForEvent('load'),
      page.getByRole('button', { name: 'Delete settings, sessions and exchanges now' }).click(),
    ])
    await page.locator('main:not([aria-busy])').waitFor()
    await page.getByRole('region', { name: 'Lifecycle' }).getByText('Nobody is signed in.').waitFor()
    expect(await page.locator('.player-name').count()).toBe(0)
    expect(await page.getByRole('radio', { name: 'IndexedDB' }).isChecked()).toBe(false)
  })
})

/** Tokens of a response, and the secrets of its request. */
function secretsOf(tokens: Record<string, unknown>, form: string): string[] {
  const sent = new URLSearchParams(form)
  const values = [
    tokens['access_token'],
    tokens['refresh_token'],
    tokens['id_token'],
    sent.get('code'),
    sent.get('code_verifier'),
  ]
  return values.filter((value): value is string => typeof value === 'string' && value !== '')
}
