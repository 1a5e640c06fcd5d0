/** How the bench drives the games of `games/`: begin, return from the service, ask for a token, sign out. */
import { GAME } from './browser.mjs'
import { CLIENT_ID, CLIENT_SECRET, ISSUER } from './provider.mjs'

const SETTINGS = { applicationId: CLIENT_ID, secret: CLIENT_SECRET, issuer: ISSUER, origin: GAME }
/** Addresses of the service, as a game copies them from the discovery document. */
const SERVICE = {
  host: 'https://login.example',
  issuer: ISSUER,
  authorizeUrl: `${ISSUER}authorize`,
  tokenUrl: `${ISSUER}token`,
  keysUrl: `${ISSUER}keys`,
}

const fetchIn = (browser) => (url, init) =>
  url.startsWith(GAME) ? browser.call(url, init) : fetch(url, init)

export const PEERS = {
  foyer: {
    package: 'foyer-sdk',
    siblingRequest: (browser, headers) => browser.post('/session/sign-out', {}, headers),
    async create() {
      const { createBackend, createPage } = await import('./games/foyer.mjs')
      const pages = new Map()
      return {
        handle: createBackend({ ...SETTINGS, service: SERVICE }),
        async begin(browser) {
          const page = {}
          const address = new Promise((resolve) => {
            const open = (url) => new Promise((returned) => (resolve(url), (page.return = returned)))
            const surface = { redirectUri: () => `${GAME}/callback.html`, open }
            const options = { applicationId: CLIENT_ID, service: SERVICE, surface, fetch: fetchIn(browser) }
            page.client = createPage(options, `${GAME}/session`)
            page.signIn = page.client.signIn({ scopes: 'openid offline_access' }).catch(() => undefined)
          })
          pages.set(browser, page)
          return address
        },
        async finish(browser, callback) {
          const page = pages.get(browser)
          page.return(callback)
          await page.signIn
          page.client.close()
        },
        show: () => undefined,
        token: async (browser) => (await browser.post('/session/token')).body.access_token,
      }
    },
  },
  'better-auth': {
    package: 'better-auth',
    siblingRequest: (browser, headers) => browser.post('/api/auth/sign-out', {}, headers),
    async create() {
      const { createBackend } = await import('./games/better-auth.mjs')
      return {
        handle: createBackend(SETTINGS),
        begin: async (browser) =>
          (await browser.post('/api/auth/sign-in/social', { provider: 'service', callbackURL: '/' })).body
            .url,
        finish: (browser, callback) => browser.visit(callback, { 'sec-fetch-site': 'cross-site' }),
        show: (browser) => browser.visit('/api/auth/get-session'),
        token: async (browser) =>
          (await browser.post('/api/auth/get-access-token', { useAccountCookie: true })).body?.accessToken,
      }
    },
  },
  'nextjs-auth0': {
    package: '@auth0/nextjs-auth0',
    siblingRequest: (browser, headers) => browser.visit('/auth/logout', headers),
    async create() {
      const { createBackend } = await import('./games/nextjs-auth0.mjs')
      const { NextRequest } = await import('next/server.js')
      const middleware = createBackend(SETTINGS)
      return {
        handle: (request) => middleware(new NextRequest(request)),
        begin: async (browser) => (await browser.visit('/auth/login')).location,
        finish: (browser, callback) => browser.visit(callback, { 'sec-fetch-site': 'cross-site' }),
        show: (browser) => browser.visit('/auth/profile'),
        token: async (browser) => (await browser.visit('/auth/access-token')).body?.token,
      }
    },
  },
  'openid-client': {
    package: 'openid-client',
    siblingRequest: (browser, headers) => browser.post('/logout', {}, headers),
    async create() {
      const { createBackend } = await import('./games/openid-client.mjs')
      return {
        handle: createBackend(SETTINGS),
        begin: async (browser) => (await browser.visit('/login')).location,
        finish: (browser, callback) => browser.visit(callback, { 'sec-fetch-site': 'cross-site' }),
        show: () => undefined,
        token: async (browser) => (await browser.visit('/token')).body?.access_token,
      }
    },
  },
}
