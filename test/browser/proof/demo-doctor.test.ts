/** The demo's doctor, and discovery of services that know nothing of Foyer. */
import { OAuth2Server } from 'oauth2-mock-server'
import type { Page } from 'playwright'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { approve, popupAfter } from '../../support/consent-page'
import { openScreen, useDemo, useService as enterService } from '../../support/use-demo'
import { axeFaults, sideways } from '../demo-page'

const mock = new OAuth2Server()
// Services that do not answer are part of these tests.
const opened = useDemo({ allowed: /Failed to load resource|blocked by CORS/ })
const load = () => opened.load()
let page: Page

beforeAll(async () => {
  await mock.issuer.keys.generate('RS256')
  await mock.start(0, '127.0.0.1')
})

afterAll(() => mock.stop())

beforeEach(() => {
  page = opened.page
})

const diagnosis = (check: string) => page.locator('.diagnosis', { hasText: check })

async function runDoctor(): Promise<void> {
  await page.getByRole('link', { name: 'Doctor' }).click()
  await page.getByRole('button', { name: 'Run the checks' }).click()
  await page.getByText(/\d+ passed, \d+ warnings, \d+ failed/).waitFor()
}

const useService = (host: string) => enterService(page, host, '1287654321098765433')

async function discover(): Promise<void> {
  await openScreen(page, 'Service')
  await page.getByRole('button', { name: 'Discover addresses' }).click()
}

const discovered = () =>
  page.evaluate(() =>
    ['authorizeUrl', 'tokenUrl', 'keysUrl', 'issuer'].map(
      (name) => document.querySelector<HTMLInputElement>(`#service-${name}`)?.value,
    ),
  )

describe('the doctor', () => {
  it('passes everything on the demo and its emulator', async () => {
    await load()
    await runDoctor()
    expect(await page.locator('.diagnosis-failed').count()).toBe(0)
    expect(await diagnosis('Callback page').textContent()).toContain(
      '/callback.html and callback.js are there',
    )
    expect(await axeFaults(page)).toEqual([])
  })

  it('names the remedy of a page without a secure context, without Web Locks, and of a service that is down', async () => {
    await page.addInitScript(`Object.defineProperty(window, 'isSecureContext', { value: false })
      delete Navigator.prototype.locks`)
    await load()
    await useService('http://127.0.0.1:9')
    await runDoctor()
    expect(await diagnosis('Secure context').textContent()).toContain('Serve the page over https')
    expect(await diagnosis('Web Locks').textContent()).toContain('Warning')
    expect(await diagnosis('Nothing answers').textContent()).toContain('start the service')
  })

  it('needs no scrolling sideways at 320 pixels', async () => {
    await page.setViewportSize({ width: 320, height: 700 })
    await load()
    await runDoctor()
    expect(await sideways(page)).toBeLessThanOrEqual(0)
  })
})

describe('discovery', () => {
  it('fills in the addresses of the emulator, and a player signs in', async () => {
    await load()
    const [host = ''] = await page.locator('.emulator code').allTextContents()
    await useService(host)
    await discover()
    await page.getByText('were filled in').waitFor()
    expect(await discovered()).toContain(`${host}/oauth2/authorize`)
    await openScreen(page, 'Sign-in')
    await approve(await popupAfter(page, '#sign-in-button'))
    await page.locator('.player-name').waitFor()
    expect(await page.locator('.player-name').textContent()).toBe('Ada Quinn')
  })

  it('fills in the addresses of an unrelated server, and says why Foyer refuses its player', async () => {
    await load()
    await useService(mock.issuer.url ?? '')
    await discover()
    await page.getByText('were filled in').waitFor()
    expect(await discovered()).toContain(`${mock.issuer.url}/token`)
    await openScreen(page, 'Sign-in')
    await page.click('#sign-in-button')
    await page.getByRole('alert').locator('strong').waitFor()
    expect(await page.getByRole('alert').textContent()).toMatch(/decimal ids only/)
  })

  it('says that a server has no discovery document', async () => {
    await load()
    await useService(opened.demo.url)
    await discover()
    await page.getByText(/no discovery document|Enter the addresses/).waitFor()
    expect((await discovered()).join('')).toBe('')
  })
})
