/** Requests that the authorize page rejects without a redirect to the application, and the rule that it shows. */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createEmulator, type Emulator } from 'foyer-emulator'
import { beginSignIn } from './support/sign-in-client.js'

let emulator: Emulator

beforeAll(async () => {
  emulator = await createEmulator({
    seed: { application: { redirectUris: ['https://game.example/callback?from=login'] } },
  })
})
afterAll(() => emulator.close())

async function requestRejected(
  changes: Record<string, string | undefined>,
): Promise<{ status: number; rule: string | null; page: string; headers: Headers }> {
  const { url } = await beginSignIn(emulator, changes)
  const response = await fetch(url, { redirect: 'manual', headers: { accept: 'text/html' } })
  return {
    status: response.status,
    rule: response.headers.get('x-emulator-rule'),
    page: await response.text(),
    headers: response.headers,
  }
}

describe('a rejection on the authorize page', () => {
  it.each([
    ['an unknown application', { client_id: '1' }, 'client_id is not the id of an application here'],
    ['no application', { client_id: undefined }, 'required parameter missing: client_id'],
    ['no redirect URI', { redirect_uri: undefined }, 'required parameter missing: redirect_uri'],
    [
      'an unregistered scheme',
      { redirect_uri: 'evil:/authorize/callback' },
      'redirect_uri scheme is not registered',
    ],
    [
      'an unregistered host',
      { redirect_uri: 'https://evil.example/callback' },
      'redirect_uri host is not registered',
    ],
    [
      'another path',
      { redirect_uri: 'http://127.0.0.1:5000/other' },
      'redirect_uri path is not the registered one',
    ],
    [
      'a trailing slash',
      { redirect_uri: 'http://127.0.0.1:5000/callback/' },
      'redirect_uri path is not the registered one',
    ],
    [
      'upper case in the path',
      { redirect_uri: 'http://127.0.0.1:5000/Callback' },
      'redirect_uri path is not the registered one',
    ],
    [
      'another query',
      { redirect_uri: 'https://game.example/callback?from=menu' },
      'redirect_uri is not equal to the registered one',
    ],
    [
      'a port on a host that is not loopback',
      { redirect_uri: 'https://game.example:8443/callback?from=login' },
      'redirect_uri port is not the registered one',
    ],
    [
      'two slashes in a custom scheme',
      { redirect_uri: 'mygame://authorize/callback' },
      'redirect_uri has another number of slashes than the registered one',
    ],
    [
      'three slashes in a custom scheme',
      { redirect_uri: 'mygame:///authorize/callback' },
      'redirect_uri has another number of slashes than the registered one',
    ],
    ['an invalid redirect URI', { redirect_uri: 'callback' }, 'redirect_uri is not an absolute URL'],
    [
      'no challenge for a custom scheme',
      {
        redirect_uri: 'mygame:/authorize/callback',
        code_challenge: undefined,
        code_challenge_method: undefined,
      },
      'code_challenge is missing: PKCE is required',
    ],
    ['a plain challenge', { code_challenge_method: 'plain' }, 'code_challenge_method is not S256'],
    [
      'a challenge without its method',
      { code_challenge_method: undefined },
      'code_challenge_method is missing: only S256 is accepted',
    ],
    ['a challenge that is too short', { code_challenge: 'short' }, 'code_challenge is malformed'],
  ])('of %s has status 400, a page, and the rule', async (_case, changes, rule) => {
    const reply = await requestRejected(changes)
    expect([reply.status, reply.rule]).toEqual([400, rule])
    expect(reply.headers.get('location')).toBeNull()
    expect(reply.page).toContain(rule)
  })

  it('shows the sent redirect URI beside the registered ones, without a secret', async () => {
    const { page } = await requestRejected({ redirect_uri: 'http://127.0.0.1:5000/other' })
    expect(page).toContain('http://127.0.0.1:5000/other')
    for (const registered of emulator.application.redirectUris) expect(page).toContain(registered)
    expect(page).toMatch(/Registered on 127\.0\.0\.1 are [^<]*\/callback/)
    for (const secret of [
      emulator.application.clientSecret,
      emulator.application.botToken,
      emulator.controlToken,
    ])
      expect(page).not.toContain(secret)
  })

  it.each([
    ['redirect_uri', 'http://127.0.0.1:5000/other'],
    ['client_id', '1287654321098765434'],
  ])('shows a seed that accepts the same %s', async (field, value) => {
    const { page } = await requestRejected({ [field]: value })
    const shown = /<code>(\{.*?\})<\/code>/.exec(page)?.[1] ?? ''
    const seeded = await createEmulator({ seed: JSON.parse(shown.replaceAll('&quot;', '"')) })
    onTestFinished(() => seeded.close())
    const { redirect } = await seeded.authorize((await beginSignIn(seeded, { [field]: value })).url, {
      as: 'ada',
    })
    expect(redirect).toContain('code=')
  })

  it('shows no seed if none can accept the redirect URI', async () => {
    const { page } = await requestRejected({ redirect_uri: 'http://game.example/other' })
    expect(page).not.toContain('--seed')
  })

  it('escapes sent values, under a policy without inline scripts', async () => {
    const { page, headers } = await requestRejected({
      redirect_uri: 'http://127.0.0.1/<script>alert(1)</script>"onload=',
    })
    expect(page).not.toMatch(/<script(?! type="module" src="\/assets\/)/)
    expect(page).toContain('&lt;script&gt;')
    expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.* script-src 'self';/)
    expect(headers.get('referrer-policy')).toBe('same-origin')
  })

  it('is JSON for a program that requests JSON', async () => {
    const { url } = await beginSignIn(emulator, { client_id: '1' })
    const body: unknown = await (await fetch(url, { headers: { accept: 'application/json' } })).json()
    expect(body).toMatchObject({
      error: 'invalid_client',
      rule: 'client_id is not the id of an application here',
    })
  })
})
