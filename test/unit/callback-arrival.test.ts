// @vitest-environment happy-dom
/** What a host answers at the redirect URI decides, before the consent, whether a response can arrive there. */
import { Client, popupSurface } from 'foyer-sdk'
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'

const PAGE = 'https://game.test/lobby/42'
const HTML = '<!-- foyer-callback 1 --><script data-cfasync="false" src="callback.js"></script>'
const SCRIPT = '/*! foyer-callback 1 */'

interface Host {
  page?: { headers?: Record<string, string>; body?: string; status?: number; url?: string }
  script?: { headers?: Record<string, string>; body?: string; status?: number }
}

const goTo = (url: string): void =>
  (window as Window & { happyDOM?: { setURL(url: string): void } }).happyDOM?.setURL(url)

function answer(given: Host['page'], { url, body }: { url: string; body: string }): Response {
  const { headers = {}, status = 200, url: reached = url } = given ?? {}
  const type = body === HTML ? 'text/html; charset=utf-8' : 'text/javascript'
  const response = new Response(given?.body ?? body, {
    status,
    headers: { 'content-type': type, ...headers },
  })
  return Object.defineProperty(response, 'url', { value: reached })
}

/** Starts a sign-in at a host; resolves with its error, or with null while it waits for the player. */
async function signInAt(host: Host, redirectUri?: string): Promise<{ code: string; message: string } | null> {
  const asked: string[] = []
  vi.stubGlobal('fetch', async (given: URL | string) => {
    const url = new URL(String(given))
    asked.push(url.pathname)
    const isScript = url.pathname.endsWith('.js')
    return answer(isScript ? host.script : host.page, { url: url.href, body: isScript ? SCRIPT : HTML })
  })
  const popup = { close: () => undefined, closed: false, postMessage: () => undefined }
  vi.spyOn(window, 'open').mockReturnValue(popup as unknown as Window)
  const surface = popupSurface(redirectUri === undefined ? {} : { redirectUri })
  const client = new Client({ applicationId: '1', service: { host: 'https://service.test' } })
  onTestFinished(() => client.close())
  const outcome = client.authorize({ scopes: 'openid' }, { surface }).then(
    () => null,
    ({ code, message }: { code: string; message: string }) => ({ code, message }),
  )
  await vi.waitFor(
    () => expect(asked.length).toBeGreaterThanOrEqual(redirectUri === undefined ? 2 : 1),
    10_000,
  )
  const settled = new Promise<null>((resolve) => void setTimeout(() => resolve(null), 50))
  return Promise.race([outcome, settled])
}

beforeEach(() => goTo('https://game.test/'))
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const AT = 'https://game.test/callback'
const QUERY = '?code=foyer-check&state=foyer-check'

it.each<[string, Host]>([
  ['as it is', {}],
  ['with a redirect that keeps the query', { page: { url: AT + QUERY } }],
  ['as application/xhtml+xml', { page: { headers: { 'content-type': 'application/xhtml+xml' } } }],
  [
    'with a sandbox that allows enough',
    { page: { headers: { 'content-security-policy': 'sandbox allow-scripts allow-same-origin' } } },
  ],
  [
    'with another policy',
    { page: { headers: { 'content-security-policy': "default-src 'self'; frame-ancestors 'self'" } } },
  ],
  ['with a script as text/plain without nosniff', { script: { headers: { 'content-type': 'text/plain' } } }],
  ['inline', { page: { headers: { 'content-disposition': 'inline; filename="attachment.html"' } } }],
  [
    'with nosniff and the right types',
    {
      page: { headers: { 'x-content-type-options': 'nosniff' } },
      script: { headers: { 'x-content-type-options': 'nosniff' } },
    },
  ],
])('a callback page %s lets the sign-in wait for the player', async (_, host) => {
  expect(await signInAt(host)).toBeNull()
})

it.each<[string, Host, string]>([
  [
    'a redirect drops the query',
    { page: { url: AT } },
    '/callback.html is redirected to /callback without its query',
  ],
  [
    'a redirect to the start page drops the query',
    { page: { url: 'https://game.test/', body: 'game' } },
    'is redirected to / without',
  ],
  ['a redirect keeps another query only', { page: { url: `${AT}?lang=de` } }, 'without its query'],
  ['it is text/plain', { page: { headers: { 'content-type': 'text/plain' } } }, 'is sent as text/plain'],
  [
    'it is application/octet-stream',
    { page: { headers: { 'content-type': 'application/octet-stream' } } },
    'Content-Type: text/html',
  ],
  [
    'it has no type and nosniff',
    { page: { headers: { 'content-type': '', 'x-content-type-options': 'nosniff' } } },
    'no type',
  ],
  [
    'it is a download',
    { page: { headers: { 'content-disposition': 'attachment; filename=callback.html' } } },
    'as a download',
  ],
  [
    'it is in a sandbox without its origin',
    { page: { headers: { 'content-security-policy': 'sandbox allow-scripts' } } },
    'sandbox',
  ],
  [
    'a second policy is a sandbox',
    { page: { headers: { 'content-security-policy': 'default-src *, sandbox allow-same-origin' } } },
    'allow-scripts',
  ],
  [
    'an optimizer changed the type of its script',
    { page: { body: HTML.replace('src', 'type="8f3a-text/javascript" src') } },
    'data-cfasync',
  ],
  [
    'its script is text/plain with nosniff',
    { script: { headers: { 'content-type': 'text/plain', 'x-content-type-options': 'nosniff' } } },
    '/callback.js is sent as text/plain',
  ],
  [
    'its script is text/csv',
    { script: { headers: { 'content-type': 'text/csv' } } },
    'Content-Type: text/javascript',
  ],
  ['it is not there', { page: { status: 404, body: '' } }, '/callback.html is not there. Copy callback.html'],
])('a callback page ends the sign-in before the consent if %s', async (_, host, message) => {
  const error = await signInAt(host)
  expect(error?.code).toBe('callback_unavailable')
  expect(error?.message).toContain(message)
})

it('a page of the game’s own at the redirect URI is held to the same rules, except for its content', async () => {
  expect(await signInAt({ page: { body: 'own page' } }, '/signed-in')).toBeNull()
  expect(
    await signInAt({ page: { body: 'own page', url: 'https://game.test/' } }, '/signed-in'),
  ).toMatchObject({
    code: 'callback_unavailable',
  })
})

it('a page in a folder, as of a nested route, is told how to name the callback page elsewhere', async () => {
  goTo(PAGE)
  const error = await signInAt({ page: { status: 404, body: '' } })
  expect(error?.message).toMatch(/\/lobby\/callback\.html is not there.*redirectUri: '\/callback\.html'/)
  expect(await signInAt({}, '/callback.html')).toBeNull()
})
