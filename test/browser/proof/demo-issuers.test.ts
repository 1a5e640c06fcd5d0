/** Three unrelated issuers from the demo, each by Foyer and by oauth4webapi: the emulator, oauth2-mock-server and a plain oidc-provider. */
import { OAuth2Server } from 'oauth2-mock-server'
import type { Page } from 'playwright'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { approve, popupAfter } from '../../support/consent-page'
import { type FaultyService, startFaultyService } from '../../support/faulty-service'
import { type PlainProvider, startPlainProvider } from '../../support/plain-oidc-provider'
import { enterSettings, openScreen, useDemo } from '../../support/use-demo'
import { axeFaults, sideways } from '../demo-page'

const GAME = '1234567890123456789'
const PLAYER = '175928847299117063'
/** Refusals and missing documents are part of these tests. */
const opened = useDemo({ allowed: /Failed to load resource|blocked by CORS|SameSite/ })
const mock = new OAuth2Server()
let page: Page
let subject = PLAYER
let provider: PlainProvider | undefined
let faulty: FaultyService | undefined

beforeAll(async () => {
  await mock.issuer.keys.generate('RS256')
  await mock.start(0, '127.0.0.1')
  mock.service.on('beforeTokenSigning', (token: { payload: Record<string, unknown> }) => {
    token.payload['sub'] = subject
  })
})
afterAll(() => mock.stop())

beforeEach(() => {
  page = opened.page
  subject = PLAYER
})
afterEach(async () => {
  await provider?.close()
  await faulty?.close()
  provider = faulty = undefined
})

const comparison = () => page.locator('#comparison')
const cells = (row: string) => comparison().locator('tr', { hasText: row }).locator('td').allTextContents()
const verdict = () => comparison().locator('.verdict')
const panel = () => page.locator('#device-code')
const withFoyer = () => popupAfter(page, '#comparison button:text-is("Sign in with Foyer")')
const withOther = () => popupAfter(page, '#comparison button:text-is("Sign in with oauth4webapi")')

async function useIssuer(host: string, clientId = GAME): Promise<void> {
  await opened.load()
  await page.getByLabel('Scopes', { exact: true }).fill('openid')
  await enterSettings(page, { Host: host, 'Application id': clientId })
  await openScreen(page, 'Service')
  await page.getByRole('button', { name: 'Discover addresses' }).click()
  await page.getByText(/were filled in/).waitFor()
}

async function startProvider(clientId = GAME, clientSecret?: string): Promise<string> {
  provider = await startPlainProvider({
    clientId,
    redirectUri: `${opened.demo.url}callback.html`,
    ...(clientSecret !== undefined && { clientSecret }),
  })
  return provider.url
}

/** Signs in on the pages of oidc-provider; it remembers the player the next time. */
async function logIn(popup: Page, player = PLAYER): Promise<void> {
  await popup.getByPlaceholder('Enter any login').fill(player)
  await popup.getByPlaceholder('and password').fill('any')
  await popup.getByRole('button', { name: 'Sign-in' }).click()
  await confirm(popup)
}

/** Consents. The provider has a session of the player by then. */
function confirm(popup: Page): Promise<void> {
  return popup.getByRole('button', { name: 'Continue' }).click()
}

/** Waits for the verdict, and returns results and players of both. */
async function agreed(): Promise<string[]> {
  await verdict().getByText('Nobody is at fault.').waitFor()
  return [...(await cells('Result')), ...(await cells('Player (sub)'))]
}

const BOTH = ['signed in', 'signed in', PLAYER, PLAYER]

describe('Foyer and an unrelated library sign in the same player at', () => {
  it('the emulator', async () => {
    await opened.load('#service')
    expect(await verdict().textContent()).toContain('Sign in with both')
    await approve(await withFoyer())
    await approve(await withOther())
    expect(await agreed()).toEqual(BOTH)
    expect(await cells('Refresh token')).toEqual(['yes', 'yes'])
    await page.getByRole('button', { name: 'Refresh now' }).click()
    await comparison().getByText('the refresh token was replaced').waitFor()
    await page.getByRole('button', { name: 'Revoke', exact: true }).click()
    await comparison().getByText('accepted the revocation').waitFor()
    await page.getByRole('button', { name: 'Refresh now' }).click()
    await comparison().getByText('Refused: invalid_grant.').waitFor()
    await openScreen(page, 'Exchange')
    expect(await page.locator('.exchange', { hasText: 'oauth4webapi' }).count()).toBeGreaterThanOrEqual(6)
  })

  it('oauth2-mock-server', async () => {
    await useIssuer(mock.issuer.url ?? '')
    await withFoyer()
    await comparison().getByText('signed in', { exact: true }).waitFor()
    await withOther()
    expect(await agreed()).toEqual(BOTH)
  })

  it('a plain oidc-provider', async () => {
    await useIssuer(await startProvider())
    await logIn(await withFoyer())
    await comparison().getByText('signed in', { exact: true }).waitFor()
    await confirm(await withOther())
    expect(await agreed()).toEqual(BOTH)
  })
})

describe('the page says whose fault it is when', () => {
  it('Foyer is stricter about player ids than the issuer', async () => {
    subject = 'user|abc'
    await useIssuer(mock.issuer.url ?? '')
    await withFoyer()
    await comparison().getByText('failed at the ID token').waitFor()
    await withOther()
    await verdict().getByText('Foyer is stricter than the issuer').waitFor()
    expect(await verdict().textContent()).toContain('player ids are decimal numbers')
    expect((await cells('Player (sub)'))[1]).toBe('user|abc')
  })

  it('Foyer is stricter about client ids than the issuer', async () => {
    await useIssuer(await startProvider('my-game'), 'my-game')
    await logIn(await withOther())
    await verdict().getByText('application ids are decimal numbers').waitFor()
    expect((await cells('Result'))[0]).toContain('failed at the settings')
  })

  it('the service is wrong for both', async () => {
    faulty = await startFaultyService({ claims: { nonce: 'other' } })
    await opened.load()
    await enterSettings(page, { Host: faulty.url, 'Application id': GAME })
    await openScreen(page, 'Service')
    await withFoyer()
    await comparison().getByText('failed at the ID token').waitFor()
    await withOther()
    await verdict().getByText('At fault: the service or its settings.').waitFor()
    expect(await verdict().textContent()).toContain('Two unrelated libraries fail at the ID token')
    expect((await cells('Result'))[1]).toContain('The issuer has no discovery document')
  })

  it('the service insists on a client secret, which stays in memory', async () => {
    await useIssuer(await startProvider(GAME, 'hush-hush-hush'))
    await logIn(await withFoyer())
    await comparison().getByText('failed at the token request').first().waitFor()
    await comparison().getByRole('radio', { name: 'as Basic' }).check()
    await page.getByLabel('Client secret, for this test').fill('hush-hush-hush')
    await comparison().getByText('A game never has a client secret').waitFor()
    expect(await axeFaults(page)).toEqual([])
    await confirm(await withOther())
    await verdict().getByText('At fault: Foyer or its settings.').waitFor()
    expect(await verdict().textContent()).toContain('a game is a public client')
    const kept = await page.evaluate(() =>
      JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)]),
    )
    expect(kept).not.toContain('hush')
    await openScreen(page, 'Exchange')
    expect(await page.locator('#exchanges').textContent()).not.toMatch(/hush|aHVza/)
    await openScreen(page, 'Service')
    await page.getByRole('textbox', { name: 'Host' }).fill('https://other.example')
    expect(await page.getByLabel('Client secret, for this test').inputValue()).toBe('')
  })
})

async function enterCode(): Promise<Page> {
  const [device] = await Promise.all([
    page.waitForEvent('popup'),
    panel()
      .getByRole('link', { name: /filled in/ })
      .click(),
  ])
  return device
}

describe('a device code', () => {
  it.each(['Foyer', 'oauth4webapi'])(
    'signs in at the emulator with %s, which polls until the player decides',
    async (library) => {
      await page.clock.install()
      await opened.load('#service')
      await panel().getByRole('radio', { name: library }).check()
      await panel().getByRole('button', { name: 'Request a code' }).click()
      await panel().getByText('Expires in').waitFor()
      expect(await panel().locator('.user-code code').textContent()).toMatch(/^[A-Z]{4}-[A-Z]{4}$/)
      expect(await axeFaults(page)).toEqual([])
      await page.clock.runFor(6000)
      await panel()
        .getByText(/polled (once|\d+ times), next in \d+ s/)
        .waitFor()
      const device = await enterCode()
      await device.getByRole('button', { name: 'Continue' }).click()
      await device.getByRole('button', { name: 'Yes, continue' }).click()
      await approve(device)
      await device.getByText('Device connected').waitFor()
      await page.clock.runFor(11_000)
      await panel().getByText('The player approved').waitFor()
      // As at the service: a device gets no ID token.
      expect(await panel().locator('.facts').textContent()).toContain('Playerno ID token')
    },
  )

  it('is cancelled, and a service without device codes is named', async () => {
    await opened.load('#service')
    await panel().getByRole('button', { name: 'Request a code' }).click()
    await panel().getByText('Expires in').waitFor()
    await panel().getByRole('button', { name: 'Cancel' }).click()
    await panel().getByText('aborted').waitFor()
    await useIssuer(mock.issuer.url ?? '')
    await panel().getByRole('radio', { name: 'oauth4webapi' }).check()
    await panel().getByRole('button', { name: 'Request a code' }).click()
    await panel().getByText('no_device_endpoint').waitFor()
    await page.setViewportSize({ width: 320, height: 640 })
    expect(await sideways(page)).toBeLessThanOrEqual(0)
  })
})
