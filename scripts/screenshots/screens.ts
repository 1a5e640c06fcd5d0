/** Lists the screens of the demo and the emulator, and how to get to each. */
import type { Page } from 'playwright'
import { approve, deny, popupAfter } from '../../test/support/consent-page'

export interface Place {
  /** Address of the demo, with a slash at the end. */
  readonly demo: string
  /** Address of the emulator, without a slash at the end. */
  readonly emulator: string
  /** Link to the inspector, with the control token. */
  readonly inspector: string
  /** Launches the Activity for two players; resolves with the address of its window. */
  readonly launch: () => Promise<string>
}

export interface Screen {
  /** Used in file names. */
  readonly name: string
  readonly open: (page: Page, place: Place) => Promise<unknown>
}

const signIn = '#sign-in-button'

async function load(page: Page, { demo }: Place, screen = ''): Promise<void> {
  await page.goto(`${demo}${screen}`)
  await page.locator('main:not([aria-busy])').waitFor()
}

async function signInAs(page: Page): Promise<void> {
  await approve(await popupAfter(page, signIn))
  await page.locator('.player-name').first().waitFor()
}

async function refuse(page: Page): Promise<void> {
  await deny(await popupAfter(page, signIn))
  await page.getByRole('alert').locator('strong').waitFor()
}

async function meet(page: Page): Promise<void> {
  for (const name of ['#slot-left', '#slot-right']) {
    const slot = page.locator(name)
    await slot.getByRole('button', { name: 'Sign in' }).click()
    const streamed = page.waitForResponse((response) => response.url().endsWith('faults/events'))
    await slot.getByRole('button', { name: 'Create or join' }).click()
    await streamed
    await slot.getByText('of 25 members').waitFor()
  }
  const left = page.locator('#slot-left')
  await left.getByLabel('Message', { exact: true }).fill('Ready when you are.')
  await left.getByRole('button', { name: 'Send' }).click()
  await page.locator('#slot-right').getByText('Ready when you are.').waitFor()
}

async function listLobbies(page: Page): Promise<void> {
  const lobbies = page.locator('#lobbies')
  await lobbies.getByRole('button', { name: 'Create a server lobby' }).click()
  await lobbies.getByRole('listitem', { name: 'Server lobby' }).waitFor()
  await lobbies.getByText('Server lobby or player lobby?').click()
}

/** Registers the example commands, and uses one. */
async function useCommand(page: Page, place: Place): Promise<void> {
  await load(page, place, '#commands')
  await page.getByRole('button', { name: 'Register' }).click()
  await page.getByText('Registered, with').waitFor()
  await page.goto(`${place.emulator}/chat`)
  await page.getByRole('combobox', { name: /^Message to/ }).fill('/duel')
  await page.keyboard.press('Enter')
  await page.getByLabel('opponent').selectOption({ label: 'Bruno' })
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('answered after').first().waitFor()
  await page.locator('.requests summary').first().click()
}

async function consent(page: Page, place: Place): Promise<void> {
  await load(page, place)
  await page.getByRole('radio', { name: 'in place of this page' }).check()
  await page.click(signIn)
  await page.getByRole('button', { name: 'Approve' }).waitFor()
}

/** Fills every part of the service screen: saved services, both libraries, a device code. */
async function compare(page: Page): Promise<void> {
  await page.getByRole('radio', { name: 'another service' }).check()
  await page.getByRole('textbox', { name: 'Host' }).fill('https://service.example')
  await page.getByLabel('Save the settings as').fill('Staging')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('radio', { name: 'the emulator' }).check()
  for (const library of ['Foyer', 'oauth4webapi']) {
    await approve(await popupAfter(page, `#comparison button:text-is("Sign in with ${library}")`))
    await page.locator('#comparison td', { hasText: 'signed in' }).first().waitFor()
  }
  await page.getByText('Nobody is at fault.').waitFor()
  await page.getByRole('radio', { name: 'in the body' }).check()
  await page.getByRole('button', { name: 'Request a code' }).click()
  await page.locator('#device-code').getByText('Expires in').waitFor()
}

export const SCREENS: readonly Screen[] = [
  { name: 'sign-in', open: load },
  { name: 'sign-in-done', open: async (page, place) => load(page, place).then(() => signInAs(page)) },
  {
    name: 'sign-in-quick',
    open: async (page, place) => {
      await load(page, place)
      await page.getByRole('button', { name: 'Start in 10 seconds' }).click()
      await page.getByText('Signed in after').waitFor()
    },
  },
  {
    name: 'sign-in-paste',
    open: async (page, place) => {
      await load(page, place)
      await page.getByRole('radio', { name: 'paste the callback' }).check()
      await page.click(signIn)
      await page.getByLabel('Callback URL').waitFor()
    },
  },
  { name: 'copy-callback', open: (page, { demo }) => page.goto(`${demo}copy-callback.html?code=example&state=example`) },
  { name: 'sign-in-refused', open: async (page, place) => load(page, place).then(() => refuse(page)) },
  { name: 'exchange-empty', open: (page, place) => load(page, place, '#exchange') },
  {
    name: 'exchange',
    open: async (page, place) => {
      await load(page, place)
      await signInAs(page)
      await page.getByRole('link', { name: 'Exchange' }).click()
      await page.locator('.exchange', { hasText: '/oauth2/token' }).locator('summary').first().click()
    },
  },
  { name: 'lobby-empty', open: (page, place) => load(page, place, '#lobby') },
  {
    name: 'lobby',
    open: async (page, place) =>
      load(page, place, '#lobby')
        .then(() => meet(page))
        .then(() => listLobbies(page)),
  },
  {
    name: 'limits',
    open: async (page, place) => {
      await load(page, place, '#limits')
      await page.getByRole('button', { name: 'Burst without Foyer' }).click()
      await page.getByText('were refused with 429').waitFor()
      await page.locator('[data-bucket=global]').waitFor()
    },
  },
  {
    name: 'commands',
    open: async (page, place) => {
      await load(page, place, '#commands')
      await page.getByRole('button', { name: 'Compare with the emulator' }).click()
      await page.getByText('Nothing was changed.').waitFor()
    },
  },
  {
    name: 'doctor',
    open: async (page, place) => {
      await load(page, place)
      await page.getByRole('button', { name: 'Start in 10 seconds' }).click()
      await page.getByText('Signed in after').waitFor()
      await page.getByRole('link', { name: 'Doctor' }).click()
      await page.getByRole('button', { name: 'Run the checks' }).click()
      await page.getByText(/\d+ passed, \d+ warnings, \d+ failed/).waitFor()
    },
  },
  { name: 'service', open: (page, place) => load(page, place, '#service') },
  { name: 'service-compared', open: async (page, place) => load(page, place, '#service').then(() => compare(page)) },
  { name: 'consent', open: consent },
  { name: 'authorization-error', open: (page, { emulator }) => page.goto(`${emulator}/oauth2/authorize?client_id=1`) },
  { name: 'device', open: (page, { emulator }) => page.goto(`${emulator}/activate`) },
  { name: 'index', open: (page, { emulator }) => page.goto(`${emulator}/`) },
  { name: 'not-found', open: (page, { emulator }) => page.goto(`${emulator}/nothere`) },
  {
    name: 'chat',
    open: async (page, { emulator }) => {
      await page.goto(`${emulator}/chat`)
      await page.getByRole('combobox', { name: /^Message to/ }).waitFor()
    },
  },
  { name: 'chat-requests', open: useCommand },
  { name: 'inspector-closed', open: (page, { emulator }) => page.goto(`${emulator}/inspector`) },
  {
    name: 'inspector',
    open: async (page, { inspector, emulator }) => {
      await fetch(`${emulator}/api/v10/users/@me`, { headers: { authorization: 'Bearer wrong' } })
      await page.goto(inspector)
      await page.getByRole('heading', { name: 'Clock' }).waitFor()
    },
  },
  {
    name: 'activity',
    open: async (page, { launch }) => {
      await page.goto(await launch())
      for (const state of await page.locator('.state').all()) await state.filter({ hasText: 'connected' }).waitFor()
    },
  },
]
