/** The demo says which party caused a failure and why: a service that is wrong in one way each, seen by a tester who has only the page. */
import type { Page } from 'playwright'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { deny, popupAfter } from '../../support/consent-page'
import { type FaultyService, type ServiceFault, startFaultyService } from '../../support/faulty-service'
import { enterSettings, useDemo, useService as enterService } from '../../support/use-demo'

const APPLICATION = '1082700000000000001'
const PAST = Math.floor(Date.now() / 1000) - 432_000
const FUTURE = Math.floor(Date.now() / 1000) + 400_000

const opened = useDemo({ allowed: /./ })
const load = () => opened.load()
let page: Page
let service: FaultyService | undefined

beforeEach(() => {
  page = opened.page
})

afterEach(async () => {
  await service?.close()
  service = undefined
})

const useService = (host: string, applicationId = APPLICATION) => enterService(page, host, applicationId)

const alertText = async () => {
  await page.getByRole('alert').locator('strong').waitFor()
  return (await page.getByRole('alert').textContent()) ?? ''
}

const TAMPERED = (token: string) =>
  `${token.slice(0, -6)}${token.slice(-6) === 'AAAAAA' ? 'BBBBBB' : 'AAAAAA'}`
const UNSIGNED = (token: string) =>
  `${Buffer.from('{"alg":"none"}').toString('base64url')}.${token.split('.')[1]}.`

describe('the demo names the party and the reason when', () => {
  it.each<[string, ServiceFault, message: readonly [cause: string, reason: RegExp]]>([
    ['the ID token has another nonce', { claims: { nonce: 'other' } }, ['the service', /nonce/]],
    [
      'the ID token has expired',
      { claims: { exp: PAST, iat: PAST - 3600 } },
      ['the service', /invalid_id_token.*(exp|iat)/s],
    ],
    [
      'the clock of the service is days ahead',
      { claims: { iat: FUTURE, exp: FUTURE + 3600 } },
      ['the service', /iat/],
    ],
    [
      'the service rotated its keys without publishing the new one',
      { rotated: true },
      ['the service', /invalid_id_token.*(key|kid)/s],
    ],
    ['the signature does not fit', { idToken: TAMPERED }, ['the service', /signature/]],
    ['the ID token is unsigned', { idToken: UNSIGNED }, ['the service', /alg/]],
    ['the player has no decimal id', { claims: { sub: 'user|abc' } }, ['the service', /sub.*decimal/s]],
    [
      'the ID token is for another application',
      { claims: { aud: '1' } },
      ['this page or its settings', /aud/],
    ],
    [
      'the ID token is of another issuer',
      { claims: { iss: 'https://other.example' } },
      ['this page or its settings', /iss/],
    ],
    [
      'the code was replayed',
      { tokenResponse: { status: 400, body: '{"error":"invalid_grant"}' } },
      ['a used or foreign callback', /code was used before/],
    ],
    [
      'the callback has another state',
      { callback: (p) => p.set('state', 'x'.repeat(43)) },
      ['a used or foreign callback', /belongs to no attempt/],
    ],
    [
      'the service does not support a scope',
      { callback: (p) => refuse(p, 'invalid_scope') },
      ['this page or its settings', /scopes/],
    ],
    [
      'the service fails at the authorize page',
      { callback: (p) => refuse(p, 'server_error') },
      ['the service', /server_error/],
    ],
    ['the token endpoint fails', { tokenResponse: { status: 500, body: '{}' } }, ['the service', /500/]],
    [
      'a proxy answers with a page',
      { tokenResponse: { status: 200, type: 'text/html', body: '<p>Sign in to the network</p>' } },
      ['the service', /malformed_response/],
    ],
    ['the keys cannot be fetched', { keysStatus: 404 }, ['the service', /keys/]],
    ['the token endpoint forbids pages of other origins', { withoutCors: true }, ['the network', /CORS/]],
  ])('%s', async (_, fault, [cause, reason]) => {
    service = await startFaultyService(fault)
    await load()
    await useService(service.url)
    await page.click('#sign-in-button')
    const text = await alertText()
    expect(text).toContain(`Caused by ${cause}.`)
    expect(text).toMatch(reason)
  })

  it('a granted scope is missing', async () => {
    service = await startFaultyService({ tokens: { scope: 'openid' } })
    await load()
    await useService(service.url)
    await page.click('#sign-in-button')
    const missing = page.locator('.scope-missing')
    await missing.waitFor()
    expect(await missing.textContent()).toContain('sdk.social_layer')
  })

  it('nothing listens at the address of the service', async () => {
    const gone = await startFaultyService({})
    await gone.close()
    await load()
    await useService(gone.url)
    await page.click('#sign-in-button')
    expect(await alertText()).toMatch(/Caused by the network.*Nothing answers at.*start/s)
  })

  it('the redirect URI is not registered', async () => {
    await load()
    const [host = '', applicationId = ''] = await page.locator('.emulator code').allTextContents()
    await enterSettings(page, {
      Host: host,
      'Application id': applicationId,
      'Redirect URI': `${opened.demo.url}callback.html?game=2`,
    })
    await page.click('#sign-in-button')
    const text = await alertText()
    expect(text).toMatch(/invalid_request.*Caused by this page or its settings/s)
    expect(text.match(/not registered/g)).toHaveLength(1)
  })

  it('the browser blocks the popup', async () => {
    await page.addInitScript('window.open = () => null')
    await load()
    await page.click('#sign-in-button')
    expect(await alertText()).toMatch(/popup_blocked.*Caused by the browser.*Allow popups/s)
  })

  it('the player denies', async () => {
    await load()
    await deny(await popupAfter(page, '#sign-in-button'))
    expect(await alertText()).toMatch(/access_denied.*Caused by the player.*declined/s)
  })

  it('somebody who saw the code redeems it without the verifier', async () => {
    await load()
    const popup = await popupAfter(page, '#sign-in-button')
    await popup.getByRole('button', { name: 'Approve' }).click()
    await page.locator('.player-name').waitFor()
    await page.getByRole('button', { name: /Steal the code/ }).click()
    const outcome = page
      .getByRole('region', { name: 'Experiments' })
      .getByRole('status')
      .filter({ hasText: 'Refused' })
    await outcome.waitFor()
    expect(await outcome.textContent()).toContain(
      'The attacker has the code but not the verifier, and gets no tokens.',
    )
  })
})

function refuse(parameters: URLSearchParams, error: string): void {
  parameters.delete('code')
  parameters.set('error', error)
}
