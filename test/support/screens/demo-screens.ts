/** Every screen of the demo, in its states. */
import type { EnginePage } from '../engines/engine'
import { fill, has, press, shows } from './page-actions'
import type { Screen, World } from './screen'

const signInButton = '#sign-in-button'

async function load(page: EnginePage, { demo }: Pick<World, 'demo'>, fragment = ''): Promise<void> {
  await page.goto(`${demo}${fragment}`)
  await has(page, 'main:not([aria-busy])')
}

async function signIn(page: EnginePage): Promise<void> {
  const popup = await page.popupAfter(signInButton)
  await popup.press('Ada')
  await popup.press('Approve')
  await has(page, '.player-name')
}

async function quickStart(page: EnginePage): Promise<void> {
  await press(page, 'Sign in with a test player')
  await shows(page, 'Signed in after')
}

async function meet(page: EnginePage): Promise<void> {
  for (const slot of ['#slot-left', '#slot-right']) {
    await press(page, 'Sign in', slot)
    await press(page, 'Create or join', slot)
    await shows(page, 'of 25 members', slot)
  }
}

/** WebKit forgets the click while the page reads the configuration of the issuer: there the page has a button for a second one. */
async function signInWith(page: EnginePage, library: 'foyer' | 'oauth4webapi'): Promise<void> {
  const isWebKit = !/Chrome|Firefox/.test(await page.evaluate('navigator.userAgent'))
  const button = library === 'foyer' ? '#comparison .buttons button:first-child' : '#with-oauth4webapi'
  if (isWebKit && library === 'oauth4webapi') {
    await page.click(button)
    await has(page, '#open-window')
  }
  const popup = await page.popupAfter(isWebKit && library === 'oauth4webapi' ? '#open-window' : button)
  await popup.press('Ada')
  await popup.press('Approve')
  await shows(page, 'signed in', '#comparison td')
}

async function saveService(page: EnginePage): Promise<void> {
  await press(page, 'another service')
  await fill(page, 'Host', 'https://service.example')
  await fill(page, 'Save the settings as', 'Staging')
  await press(page, 'Save')
}

/** The ID token of a sign-in, as a tester copies it. */
async function readIdToken(page: EnginePage): Promise<string> {
  await quickStart(page)
  await page.evaluate(
    "[...document.querySelectorAll('#steps .step')].find((one) => one.textContent.includes('Checked the ID token')).click()",
  )
  await press(page, 'Reveal all in', '#message')
  await has(page, '#message .encoded-token')
  return page.evaluate<string>("document.querySelector('#message .encoded-token').textContent")
}

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Values that break a page which trusts them: markup, long words, names of a prototype, moments without a date. */
const HOSTILE_TOKEN = [
  encode({
    alg: 'none',
    kid: '<img src=x onerror=alert(1)>',
    jku: `https://keys.example/${'k'.repeat(300)}`,
  }),
  encode({
    iss: `https://${'issuer.'.repeat(40)}example`,
    sub: '\u202egnikcah\u202c',
    exp: 1e300,
    iat: -1e300,
    constructor: '<script>alert(1)</script>',
    text: 'x'.repeat(3000),
    nested: Array.from({ length: 60 }, (_, index) => ({ [`level${index}`]: [null, true, index] })),
  }),
  '',
].join('.')

const opened = (
  name: string,
  fragment: string,
  act?: (page: EnginePage, world: World) => Promise<unknown>,
): Screen => ({
  name,
  open: async (page, world) => {
    await load(page, world, fragment)
    await act?.(page, world)
  },
})

export const DEMO_SCREENS: readonly Screen[] = [
  opened('sign-in', ''),
  opened('sign-in-waiting', '', async (page) => {
    await page.popupAfter(signInButton)
    await shows(page, 'Times out in')
  }),
  opened('sign-in-done', '', async (page) => {
    await signIn(page)
    await press(page, 'State, nonce, PKCE pair and more')
  }),
  opened('sign-in-quick', '', quickStart),
  opened('sign-in-paste', '', async (page) => {
    await press(page, 'paste the callback')
    await page.click(signInButton)
    await has(page, '#callback-url')
  }),
  opened('sign-in-loopback', '', (page) => press(page, 'loopback port')),
  opened('sign-in-scheme', '', (page) => press(page, 'custom scheme')),
  opened('sign-in-denied', '', async (page) => {
    const popup = await page.popupAfter(signInButton)
    await popup.press('Deny')
    await has(page, '[role=alert] strong')
  }),
  opened('settings', '', async (page) => {
    await press(page, 'Settings and keys')
    await has(page, '.settings-dialog')
  }),
  {
    name: 'copy-callback',
    open: (page, { demo }) => page.goto(`${demo}copy-callback.html?code=example&state=example`),
  },
  { name: 'copy-callback-empty', open: (page, { demo }) => page.goto(`${demo}copy-callback.html`) },
  opened('exchange-empty', '#exchange'),
  opened('exchange', '', async (page) => {
    await signIn(page)
    await press(page, 'Exchange', '.screens')
    await shows(page, '/oauth2/token', '.exchange')
    await page.evaluate(
      "[...document.querySelectorAll('.exchange')].find((one) => one.textContent.includes('/oauth2/token')).click()",
    )
  }),
  opened('exchange-sequence', '', async (page) => {
    await signIn(page)
    await press(page, 'Exchange', '.screens')
    await shows(page, '/oauth2/token', '.exchange')
    await press(page, 'Sequence', '#exchanges')
    await has(page, '#exchanges .sequence')
  }),
  opened('token-empty', '#token', (page) => has(page, '#pasted-token')),
  opened('token', '', async (page) => {
    const token = await readIdToken(page)
    await press(page, 'Token', '.screens')
    await fill(page, 'Token', token)
    await has(page, '#token .token-valid')
  }),
  opened('token-hostile', '#token', async (page) => {
    await fill(page, 'Token', HOSTILE_TOKEN)
    await has(page, '#token .token-invalid')
  }),
  opened('lobby-empty', '#lobby'),
  opened('lobby', '#lobby', async (page) => {
    await meet(page)
    await fill(page, 'Message', 'Ready when you are.')
    await press(page, 'Send', '#slot-left')
    await shows(page, 'Ready when you are.', '#slot-right')
  }),
  opened('lobby-list', '#lobby', async (page) => {
    await press(page, 'Create a server lobby')
    await shows(page, 'Server lobby', '#lobbies li')
    await press(page, 'Server lobby or player lobby?')
  }),
  opened('limits-empty', '#limits'),
  opened('limits', '#limits', async (page) => {
    await press(page, 'Burst without Foyer')
    await shows(page, 'were refused with 429')
  }),
  opened('commands', '#commands', async (page) => {
    await press(page, 'Register')
    await shows(page, 'Registered, with')
    await press(page, 'Show who may use them')
    await shows(page, 'Press an answer to see its reason.')
  }),
  opened('commands-plan', '#commands', async (page) => {
    await press(page, 'Compare with the emulator')
    await shows(page, 'Nothing was changed.')
  }),
  opened('commands-problems', '#commands', async (page) => {
    await has(page, '.studio')
    await page.evaluate(`(() => {
      document.querySelector('.studio > div').shadowRoot.querySelector('.cm-content').focus()
      document.execCommand('insertText', false, '!')
    })()`)
    await has(page, '.studio-problems li')
  }),
  opened('doctor-empty', '#doctor'),
  opened('doctor', '', async (page) => {
    await quickStart(page)
    await press(page, 'Doctor', '.screens')
    await press(page, 'Run the checks')
    await shows(page, ' failed')
  }),
  opened('service', '#service'),
  opened('service-other', '#service', saveService),
  opened('service-compared', '#service', async (page) => {
    await signInWith(page, 'foyer')
    await signInWith(page, 'oauth4webapi')
    await shows(page, 'Nobody is at fault.')
  }),
  opened('service-device', '#service', async (page) => {
    await press(page, 'Request a code')
    await shows(page, 'Expires in', '#device-code')
  }),
  {
    name: 'demo-stopped',
    open: async (page, { startDemo }) => {
      const demo = await startDemo()
      await load(page, { demo: demo.url })
      await demo.stop()
      await shows(page, 'does not answer', '[role=alert]')
    },
  },
  {
    name: 'activity-demo',
    open: async (page, { control }) => {
      const launched = (await control('activity/launch', { as: ['ada', 'bruno'] })) as { url: string }
      await page.goto(launched.url)
      await shows(page, 'connected', '.state')
    },
  },
]
