/** The pages for players in a real browser: keyboard, no scripts, light and dark. */
import { createServer } from 'node:http'
import axe from 'axe-core'
import type { Browser, BrowserContext, Page, Response } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEmulator, type Emulator } from 'foyer-emulator'
import { launchChromium } from '../../support/chromium'
import { beginSignIn, call, json, postForm } from '../../emulator/support/sign-in-client.js'

let emulator: Emulator
let callback: { url: string; close: () => void }

beforeAll(async () => {
  emulator = await createEmulator()
  const server = createServer((_request, response) => response.end('back in the game'))
  await new Promise<void>((resolve) => {
    server.listen(0, () => resolve())
  })
  const address = server.address()
  callback = {
    url: `http://localhost:${typeof address === 'object' ? address?.port : ''}/callback`,
    close: () => server.close(),
  }
})
afterAll(async () => {
  callback.close()
  await emulator.close()
})

type Skippable = Parameters<typeof launchChromium>[0]

async function withBrowser<T>(context: Skippable, use: (browser: Browser) => Promise<T>): Promise<T> {
  const browser = await launchChromium(context)
  try {
    return await use(browser)
  } finally {
    await browser.close()
  }
}

async function openSignIn(
  context: BrowserContext,
  changes: Record<string, string | undefined> = {},
): Promise<{ page: Page; verifier: string; state: string }> {
  const { url, verifier, state } = await beginSignIn(emulator, { redirect_uri: callback.url, ...changes })
  const page = await context.newPage()
  await page.goto(url)
  return { page, verifier, state }
}

/** Id of the player whose button is checked. */
const chosen = (page: Page): Promise<string> =>
  page.getByRole('radio', { checked: true }).evaluate((one: HTMLInputElement) => one.value)

async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 12; presses++) {
    await page.keyboard.press('Tab')
    if ((await page.locator(':focus').textContent())?.trim() === name) return
  }
  throw new Error(`${name} is not reached by the Tab key`)
}

async function exchanged(page: Page, verifier: string): Promise<Record<string, unknown>> {
  const code = new URL(page.url()).searchParams.get('code') ?? ''
  const fields = {
    grant_type: 'authorization_code',
    code,
    code_verifier: verifier,
    redirect_uri: callback.url,
  }
  return json(await postForm(emulator, '/oauth2/token', fields))
}

async function playerOf(accessToken: unknown): Promise<unknown> {
  return (await json(await call(emulator, '/users/@me', String(accessToken))))['username']
}

describe('the consent page', () => {
  it('works by keyboard alone and without scripts, and returns to the game’s page', (context) =>
    withBrowser(context, async (browser) => {
      const { page, verifier, state } = await openSignIn(
        await browser.newContext({ javaScriptEnabled: false }),
      )
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Sign in to Example Game')
      await page.keyboard.press('Tab')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('ArrowDown')
      expect(await page.getByRole('radio', { name: 'Chiyō Mori' }).isChecked()).toBe(true)
      await tabTo(page, 'Approve')
      await page.keyboard.press('Enter')
      await page.waitForURL(`${callback.url}?**`)
      expect(new URL(page.url()).searchParams.get('state')).toBe(state)
      expect(await playerOf((await exchanged(page, verifier))['access_token'])).toBe('chiyo')
    }))

  it('has the player chosen who approved last in this browser, also after a denial', (context) =>
    withBrowser(context, async (browser) => {
      const own = await browser.newContext()
      const open = async () => (await openSignIn(own)).page
      const first = await open()
      await first.getByRole('radio', { name: 'Bruno' }).check()
      const bruno = await chosen(first)
      await first.getByRole('button', { name: 'Approve' }).click()
      await first.waitForURL(`${callback.url}?**`)
      const second = await open()
      expect(await chosen(second)).toBe(bruno)
      await second.getByRole('radio', { name: 'Chiyō Mori' }).check()
      await second.getByRole('button', { name: 'Deny' }).click()
      await second.waitForURL(`${callback.url}?**`)
      expect(await chosen(await open())).toBe(bruno)
      const { page: other } = await openSignIn(await browser.newContext())
      expect(await chosen(other)).not.toBe(bruno)
    }))

  it('returns a denial to the game', (context) =>
    withBrowser(context, async (browser) => {
      const { page } = await openSignIn(await browser.newContext({ javaScriptEnabled: false }))
      await tabTo(page, 'Deny')
      await page.keyboard.press('Enter')
      await page.waitForURL(`${callback.url}?**`)
      expect(new URL(page.url()).searchParams.get('error')).toBe('access_denied')
    }))

  it('shows the application, the scopes and the redirect URI', (context) =>
    withBrowser(context, async (browser) => {
      const { page } = await openSignIn(await browser.newContext(), { scope: 'openid email' })
      const expectedText = await page.getByRole('main').textContent()
      for (const shown of ['Example Game', 'see your email address', new URL(callback.url).origin])
        expect(expectedText).toContain(shown)
      const scheme = await openSignIn(await browser.newContext(), {
        redirect_uri: 'mygame:/authorize/callback',
      })
      expect(await scheme.page.getByRole('main').textContent()).toContain('mygame:')
    }))

  it('redirects the browser to a custom scheme exactly as registered', (context) =>
    withBrowser(context, async (browser) => {
      const { page, state } = await openSignIn(await browser.newContext({ javaScriptEnabled: false }), {
        redirect_uri: 'mygame:/authorize/callback',
      })
      const redirected = page.waitForEvent(
        'response',
        (response: Response) => response.headers()['location']?.startsWith('mygame:') === true,
      )
      const followed = page.waitForEvent('request', (request) => request.url().startsWith('mygame:'))
      await page.getByRole('button', { name: 'Approve' }).click({ noWaitAfter: true })
      const location = (await redirected).headers()['location'] ?? ''
      expect(location).toMatch(/^mygame:\/authorize\/callback\?code=[\w-]+&state=[\w-]+&iss=/)
      expect(location).toContain(`&state=${state}&`)
      // The page’s policy must allow the form’s redirect to the scheme; a blocked one is never requested.
      expect((await followed).url()).toBe(location)
    }))

  it('signs in two players successively in one browser, and the tokens of both are valid', (context) =>
    withBrowser(context, async (browser) => {
      const shared = await browser.newContext({ javaScriptEnabled: false })
      const tokens = []
      for (const name of ['Bruno', 'Zoë Okafor']) {
        const { page, verifier } = await openSignIn(shared)
        await page.getByRole('radio', { name }).check()
        await page.getByRole('button', { name: 'Approve' }).click()
        await page.waitForURL(`${callback.url}?**`)
        tokens.push(await exchanged(page, verifier))
      }
      expect(await Promise.all(tokens.map((token) => playerOf(token['access_token'])))).toEqual([
        'bruno',
        'zoe',
      ])
      const refreshed = await postForm(emulator, '/oauth2/token', {
        grant_type: 'refresh_token',
        refresh_token: String(tokens[0]?.['refresh_token']),
      })
      expect(refreshed.status).toBe(200)
    }))

  it('handles eight requests in eight tabs separately, in a fresh browser and after a sign-in', (context) =>
    withBrowser(context, async (browser) => {
      const shared = await browser.newContext({ javaScriptEnabled: false })
      for (let round = 0; round < 2; round++) {
        const tabs = []
        for (let tab = 0; tab < 8; tab++) tabs.push(await openSignIn(shared))
        const responses = await Promise.all(
          tabs.map(async ({ page, verifier, state }, index) => {
            await page.getByRole('radio', { name: index % 2 === 0 ? 'Ada Quinn' : 'Bruno' }).check()
            await page.getByRole('button', { name: 'Approve' }).click()
            await page.waitForURL(`${callback.url}?**`)
            expect(new URL(page.url()).searchParams.get('state')).toBe(state)
            return playerOf((await exchanged(page, verifier))['access_token'])
          }),
        )
        expect(responses).toEqual(tabs.map((_tab, index) => (index % 2 === 0 ? 'ada' : 'bruno')))
      }
    }))

  it('is skipped with prompt=none once the player has granted the scopes, and not for more', (context) =>
    withBrowser(context, async (browser) => {
      const shared = await browser.newContext({ javaScriptEnabled: false })
      const { page } = await openSignIn(shared, { scope: 'identify', nonce: undefined })
      await page.getByRole('button', { name: 'Approve' }).click()
      await page.waitForURL(`${callback.url}?**`)
      const silent = await openSignIn(shared, { scope: 'identify', nonce: undefined, prompt: 'none' })
      expect(new URL(silent.page.url()).searchParams.get('code')).toBeTruthy()
      const more = await openSignIn(shared, { scope: 'identify email', nonce: undefined, prompt: 'none' })
      expect(new URL(more.page.url()).searchParams.get('error')).toBe('interaction_required')
    }))

  it('is invalid after its response, and in another browser', (context) =>
    withBrowser(context, async (browser) => {
      const first = await browser.newContext()
      const { page } = await openSignIn(first)
      const address = page.url()
      const otherPage = await (await browser.newContext()).newPage()
      expect((await otherPage.goto(address))?.status()).toBe(400)
      await page.getByRole('button', { name: 'Approve' }).click()
      await page.waitForURL(`${callback.url}?**`)
      expect((await page.goto(address))?.status()).toBe(400)
    }))
})

describe('the index page of the emulator', () => {
  it('shows the values that a game needs, and no secret', async () => {
    const response = await fetch(emulator.url, { headers: { accept: 'text/html' } })
    const page = await response.text()
    const { id, redirectUris, clientSecret, botToken } = emulator.application
    for (const fact of [id, emulator.url, ...redirectUris]) expect(page).toContain(fact)
    for (const secret of [clientSecret, botToken, emulator.controlToken]) expect(page).not.toContain(secret)
  })

  it('links to the other pages', (context) =>
    withBrowser(context, async (browser) => {
      const page = await browser.newPage()
      for (const [link, path] of [
        ['Chat', '/chat'],
        ['Connect a device', '/activate'],
      ] as const) {
        await page.goto(emulator.url)
        const [reply] = await Promise.all([
          page.waitForResponse(emulator.url + path),
          page.getByRole('main').getByRole('link', { name: link }).click(),
        ])
        expect(reply.status()).toBe(200)
      }
    }))
})

describe('the page for an unknown URL', () => {
  it('is HTML with links for browsers and JSON for programs', (context) =>
    withBrowser(context, async (browser) => {
      const page = await browser.newPage()
      expect((await page.goto(`${emulator.url}/nothere`))?.status()).toBe(404)
      expect(await page.getByRole('main').textContent()).toContain('/nothere')
      await page.getByRole('main').getByRole('link', { name: 'Index' }).click()
      await page.getByRole('heading', { name: 'The emulator is running' }).waitFor()
      for (const path of ['/nothere', '/api/v10/nothere']) {
        const response = await fetch(emulator.url + path, {
          headers: path.startsWith('/api') ? { accept: 'text/html' } : {},
        })
        expect([response.status, response.headers.get('x-emulator-rule')]).toEqual([404, 'no such route'])
        expect(await json(response)).toEqual({ message: '404: Not Found', code: 0 })
      }
    }))
})

describe('every page', () => {
  const pages: [string, (url: string, id: string) => string][] = [
    ['consent', (url) => url],
    ['rejection', (url) => url.replace('code_challenge_method=S256', 'code_challenge_method=plain')],
    ['installation', (url, id) => `${new URL(url).origin}/oauth2/authorize?client_id=${id}&scope=bot`],
    ['installed', (url) => `${new URL(url).origin}/oauth2/installed?in=319560327719026709`],
    ['device', (url) => `${new URL(url).origin}/activate`],
    ['index', (url) => new URL(url).origin],
    ['not found', (url) => `${new URL(url).origin}/nothere`],
  ]

  it.for(pages)('passes the accessibility checks in light and dark: %s', ([, address], context) =>
    withBrowser(context, async (browser) => {
      for (const colorScheme of ['light', 'dark'] as const) {
        const page = await (await browser.newContext({ colorScheme })).newPage()
        await page.goto(address((await beginSignIn(emulator)).url, emulator.application.id))
        await page.evaluate(axe.source)
        const violations: unknown = await page.evaluate(
          'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]))',
        )
        expect(violations).toEqual([])
      }
    }),
  )

  it.for(pages)('fits into 320 pixels and loads nothing from other origins: %s', ([, address], context) =>
    withBrowser(context, async (browser) => {
      const page = await (await browser.newContext({ viewport: { width: 320, height: 640 } })).newPage()
      const foreign: string[] = []
      const complaints: string[] = []
      page.on(
        'request',
        (request) => void (request.url().startsWith(emulator.url) || foreign.push(request.url())),
      )
      page.on(
        'console',
        (message) => void (/status of 40[04]/.test(message.text()) || complaints.push(message.text())),
      )
      const { url } = await beginSignIn(emulator, { redirect_uri: callback.url })
      const response = await page.goto(address(url, emulator.application.id))
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320)
      expect([foreign, complaints]).toEqual([[], []])
      const headers = response?.headers() ?? {}
      expect(headers['content-security-policy']).toMatch(
        /^default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'[^;]*; frame-ancestors 'none'; base-uri 'none'(; script-src 'self'; connect-src 'self'[^;]*)?$/,
      )
      expect(headers['referrer-policy']).toBe('same-origin')
    }),
  )
})

describe('custom page headers', () => {
  it('are on the authorize and consent pages, and on no API response', async () => {
    const pageHeaders = { 'Cross-Origin-Opener-Policy': 'same-origin' }
    const other = await createEmulator({ pageHeaders })
    const page = await fetch((await beginSignIn(other)).url, { redirect: 'manual' })
    expect(page.headers.get('cross-origin-opener-policy')).toBe('same-origin')
    const keys = await fetch(`${other.url}/api/v10/oauth2/keys`)
    expect(keys.headers.get('cross-origin-opener-policy')).toBeNull()
    await other.close()
  })
})

describe('a device', () => {
  it('is connected on the activate page by keyboard and without scripts', (context) =>
    withBrowser(context, async (browser) => {
      const device = await json(
        await postForm(emulator, '/oauth2/device/authorize', { scope: 'openid sdk.social_layer' }),
      )
      const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage()
      await page.goto(String(device['verification_uri_complete']))
      expect(await page.getByRole('textbox', { name: 'Code' }).inputValue()).toBe(device['user_code'])
      await tabTo(page, 'Continue')
      await page.keyboard.press('Enter')
      await page.getByText(String(device['user_code'])).waitFor()
      await tabTo(page, 'Yes, continue')
      await page.keyboard.press('Enter')
      await page.getByRole('radio', { name: 'Łukasz' }).check()
      await page.getByRole('button', { name: 'Approve' }).click()
      await page.getByRole('heading', { name: 'Device connected' }).waitFor()
      const fields = {
        grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
        device_code: String(device['device_code']),
      }
      const tokens = await json(await postForm(emulator, '/oauth2/token', fields))
      expect(await playerOf(tokens['access_token'])).toBe('lukasz')
      expect(String(tokens['scope']).split(' ')).toContain('lobbies.write')
    }))

  it.for(['No', 'Deny'])('is denied by the button %s on a phone, with a confirmation', (button, context) =>
    withBrowser(context, async (browser) => {
      const device = await json(
        await postForm(emulator, '/oauth2/device/authorize', { scope: 'openid sdk.social_layer' }),
      )
      const phone = { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true }
      const page = await (await browser.newContext(phone)).newPage()
      await page.goto(String(device['verification_uri_complete']))
      await page.getByRole('button', { name: 'Continue' }).tap()
      if (button === 'Deny') await page.getByRole('button', { name: 'Yes, continue' }).tap()
      await page.getByRole('button', { name: button }).tap()
      await page.getByRole('heading', { name: 'Device not connected' }).waitFor()
      const fields = {
        grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
        device_code: String(device['device_code']),
      }
      expect(await json(await postForm(emulator, '/oauth2/token', fields))).toMatchObject({
        error: 'access_denied',
      })
    }),
  )
})
