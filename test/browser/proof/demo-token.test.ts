/** The Token screen of the demo: a pasted token with its claims, and what was checked of it. */
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import type { Page } from 'playwright'
import { beforeEach, expect, it } from 'vitest'
import { openScreen, useDemo } from '../../support/use-demo'
import { axeFaults } from '../demo-page'

const opened = useDemo({ allowed: /./ })
let page: Page

beforeEach(async () => {
  page = opened.page
  await opened.load()
})

const paste = (text: string) => page.getByRole('textbox', { name: 'Token' }).fill(text)
const verdict = (result: string) => page.locator(`#token .token-${result}`)
const row = (name: RegExp) => page.locator('#token').getByRole('row', { name })

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** The ID token of a sign-in, as a tester copies it. */
async function idToken(): Promise<string> {
  await page.click('#quick-start')
  await page.locator('.quick-result').getByText('Signed in after').waitFor()
  await page.locator('#steps .step', { hasText: 'Checked the ID token' }).click()
  await page
    .locator('#message')
    .getByRole('button', { name: /^Reveal all in/ })
    .click()
  return (await page.locator('#message .encoded-token').textContent()) ?? ''
}

it('shows a token of the service with moments, and the key that its signature was checked with', async () => {
  const token = await idToken()
  await openScreen(page, 'Token')
  await paste(`Bearer ${token}`)
  await verdict('valid')
    .getByText(/RS256 and the key \S+ of http\S+\/keys: it fits/)
    .waitFor()
  await row(/^exp in \d+ min/).waitFor()
  await row(/^sub 175928847299117063 the player/).waitFor()
  expect(await axeFaults(page)).toEqual([])
})

it('takes back what it said about the signature as soon as the token is another one', async () => {
  const token = await idToken()
  await openScreen(page, 'Token')
  await paste(token)
  await verdict('valid').waitFor()
  const [head, claims = '', signature] = token.split('.')
  await paste(
    [
      head,
      btoa(atob(claims.replaceAll('-', '+').replaceAll('_', '/')).replace('"sub":"1', '"sub":"9')),
      signature,
    ].join('.'),
  )
  await verdict('invalid').getByText('it does not fit').waitFor()
  expect(await verdict('valid').count()).toBe(0)
  await row(/^sub 9/).waitFor()
})

it('checks a token of another issuer with pasted keys, and asks no address that the token names', async () => {
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  const { publicKey, privateKey } = await generateKeyPair('ES256')
  const token = await new SignJWT({ iss: 'https://issuer.example', sub: 'x' })
    .setProtectedHeader({ alg: 'ES256', kid: 'mine', jku: 'https://keys.example/keys' })
    .sign(privateKey)
  await openScreen(page, 'Token')
  await paste(token)
  await verdict('unchecked').getByText('names a key that is none of').waitFor()
  await page.getByRole('radio', { name: 'pasted keys' }).check()
  await verdict('unchecked').getByText('paste the keys of its issuer').waitFor()
  await page.getByLabel('JSON Web Key').fill(JSON.stringify({ ...(await exportJWK(publicKey)), kid: 'mine' }))
  await verdict('valid').getByText('ES256 and the key mine that you pasted').waitFor()
  expect(asked.filter((url) => url.includes('.example'))).toEqual([])
})

it('keeps a token out of the address, the storage and every request', async () => {
  const marker = 'marker-of-this-token'
  const sent: string[] = []
  page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`))
  const token = `${btoa('{"alg":"RS256","kid":"a"}')}.${btoa(JSON.stringify({ marker }))}.c2ln`.replaceAll(
    '=',
    '',
  )
  await openScreen(page, 'Token')
  await paste(token)
  await row(/^marker marker-of-this-token/).waitFor()
  await verdict('unchecked').waitFor()
  const kept = await page.evaluate(() => [
    location.href,
    JSON.stringify(history.state),
    ...[localStorage, sessionStorage].map((storage) => JSON.stringify(Object.entries(storage))),
  ])
  const [, claims = ''] = token.split('.')
  for (const text of [...kept, ...sent]) expect(text).not.toContain(claims)
  await page.reload()
  expect(await page.getByRole('textbox', { name: 'Token' }).inputValue()).toBe('')
})

it.each([
  [
    'with the name of a prototype',
    Object.fromEntries([
      ['__proto__', { a: 1 }],
      ['constructor', '<img src=x onerror=alert(1)>'],
    ]),
  ],
  ['with moments that no calendar has', { exp: 1e300, iat: -1e300, nbf: 'soon', auth_time: { a: [] } }],
  ['with a long value', { text: 'x'.repeat(30_000) }],
])('shows a token %s without a fault or a wide page', async (_, claims) => {
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(String(error)))
  await openScreen(page, 'Token')
  await paste(`${encode({ alg: 'none' })}.${encode(claims)}.`)
  await verdict('invalid').getByText('It has no signature').waitFor()
  for (const name of Object.keys(claims)) await row(new RegExp(`^${name}`)).waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  expect(await page.locator('#token img').count()).toBe(0)
  expect(faults).toEqual([])
})
