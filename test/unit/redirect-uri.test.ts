// @vitest-environment happy-dom
/** Redirect URIs relative to the page of the game: the service receives the absolute URL. */
import { type AuthorizationSurface, Client, popupSurface, redirectSurface } from 'foyer-sdk'
import { beforeEach, expect, it } from 'vitest'

const PAGE = 'https://game.test/play/start.html?level=3#room'

const visit = (url: string): void =>
  (window as Window & { happyDOM?: { setURL(url: string): void } }).happyDOM?.setURL(url)

beforeEach(() => visit(PAGE))

/** The redirect URI that the service receives, without a window. */
async function redirectUriOf(surface: AuthorizationSurface): Promise<string | null> {
  const client = new Client({ applicationId: '1', service: { host: 'https://service.test' } })
  let sent: string | null = null
  const shown: AuthorizationSurface = {
    redirectUri: () => surface.redirectUri?.() ?? '',
    async open(url) {
      sent = new URL(url).searchParams.get('redirect_uri')
      return url
    },
  }
  await client.authorize({ scopes: 'openid' }, { surface: shown }).catch(() => undefined)
  client.close()
  return sent
}

it.each([
  ['auth/back.html', 'https://game.test/play/auth/back.html'],
  ['/back.html', 'https://game.test/back.html'],
  ['//game.test/back', 'https://game.test/back'],
  ['https://game.test/back?from=popup', 'https://game.test/back?from=popup'],
  ['https://game.test', 'https://game.test'],
  ['https://GAME.test/Back', 'https://GAME.test/Back'],
  ['https://game.test:443/back', 'https://game.test:443/back'],
  ['https://game.test/a/../back', 'https://game.test/a/../back'],
])('the redirect URI %s is sent as %s, for a popup and for a redirect', async (redirectUri, whole) => {
  expect(await redirectUriOf(popupSurface({ redirectUri }))).toBe(whole)
  expect(await redirectUriOf(redirectSurface({ redirectUri }))).toBe(whole)
})

it('the default redirect URI is the callback page beside the page for a popup, and the page itself for a redirect', async () => {
  expect(await redirectUriOf(popupSurface())).toBe('https://game.test/play/callback.html')
  expect(await redirectUriOf(redirectSurface())).toBe('https://game.test/play/start.html')
})

it('the default redirect URI of a page whose path looks like a host is the page itself', async () => {
  visit('https://game.test//other.test/play')
  expect(await redirectUriOf(redirectSurface())).toBe('https://game.test//other.test/play')
})
