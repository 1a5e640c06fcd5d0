/** The inspector of an emulator in Chromium: a page and an emulator for each test, and players who sign in. */
import { createEmulator, type Emulator } from 'foyer-emulator'
import type { Browser, Locator, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { launchChromium } from './chromium'

export interface UsedInspector {
  readonly page: Page
  readonly emulator: Emulator
  /** Opens the inspector with its token, and one of its tabs. Default: the first. */
  readonly open: (tab?: string) => Promise<void>
  readonly openTab: (name: string) => Promise<void>
  readonly region: (name: string) => Locator
  /** Starts an emulator on the port of the closed one: it has another control token. */
  readonly restart: () => Promise<void>
}

export function useInspector(): UsedInspector {
  let browser: Browser
  let emulator: Emulator
  let page: Page
  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterAll(() => browser.close())
  beforeEach(async () => {
    emulator = await createEmulator()
    page = await browser.newPage()
  })
  afterEach(async () => {
    await page.close()
    await emulator.close()
  })
  const openTab = (name: string) => page.getByRole('tab', { name, exact: true }).click()
  return {
    get page() {
      return page
    },
    get emulator() {
      return emulator
    },
    open: async (tab = 'Players') => {
      await page.goto(`${emulator.url}/inspector#${emulator.controlToken}`)
      const first = page.getByRole('tab', { name: 'Players', exact: true })
      await first.waitFor()
      if (tab !== 'Players') await openTab(tab)
    },
    openTab,
    region: (name) => page.getByRole('region', { name, exact: true }),
    restart: async () => {
      emulator = await createEmulator({ port: Number(new URL(emulator.url).port) })
    },
  }
}

/** Code verifier of every sign-in, and the challenge made of it. */
export const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'

/** Signs a player in, and returns the access token. */
export async function signIn(emulator: Emulator, as: string, scope = 'identify openid'): Promise<string> {
  const { url, application } = emulator
  const redirectUri = application.redirectUris[0] ?? ''
  const asked = new URLSearchParams({
    response_type: 'code',
    client_id: application.id,
    redirect_uri: redirectUri,
    scope,
    state: `state-of-${as}`,
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
  })
  const { redirect } = await emulator.authorize(`${url}/oauth2/authorize?${asked.toString()}`, { as })
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    client_id: application.id,
    code: new URL(redirect).searchParams.get('code') ?? '',
    redirect_uri: redirectUri,
    code_verifier: VERIFIER,
  })
  const answer = await fetch(`${url}/api/v10/oauth2/token`, { method: 'POST', body })
  const { access_token: token } = (await answer.json()) as { access_token: string }
  return token
}
