/** Every page of the emulator besides chat, inspector and Activity, in its states. */
import type { Emulator } from 'foyer-emulator'
import { beginSignIn, json, postForm, redirectUri, signIn } from '../../emulator/support/sign-in-client'
import type { EnginePage } from '../engines/engine'
import { has, press, shows } from './page-actions'
import type { Screen, World } from './screen'

/** Channel of a guild of the example application. */
const GENERAL = '319562910281203745'

const at = (name: string, path: string): Screen => ({
  name,
  open: (page, { emulator }) => page.goto(emulator.url + path),
})

async function consent(page: EnginePage, { url }: { url: string }): Promise<void> {
  await page.goto(url)
  await shows(page, 'Approve', 'button')
}

async function install(page: EnginePage, { emulator }: World, button: string): Promise<void> {
  await page.goto(`${emulator.url}/oauth2/authorize?client_id=${emulator.application.id}`)
  await press(page, button)
  await shows(page, 'nstalled', 'h1')
}

/** Enters the code of a device, and presses buttons on the pages that follow. */
async function connectDevice(page: EnginePage, emulator: Emulator, ...buttons: string[]): Promise<void> {
  const device = await json(
    await postForm(emulator, '/oauth2/device/authorize', { scope: 'openid sdk.social_layer' }),
  )
  await page.goto(String(device['verification_uri_complete']))
  for (const button of ['Continue', ...buttons]) await press(page, button)
}

/** Invitation of Ada to the guild that her lobby is linked to. */
async function inviteToGuild(emulator: Emulator): Promise<string> {
  const { accessToken } = await signIn(emulator, 'ada', { scope: 'openid sdk.social_layer' })
  const sendAs = (authorization: string) => async (method: string, path: string, body: object) => {
    const headers = { authorization, 'content-type': 'application/json' }
    return json(
      await fetch(`${emulator.url}/api/v10${path}`, { method, headers, body: JSON.stringify(body) }),
    )
  }
  const [asBot, asAda] = [sendAs(`Bot ${emulator.application.botToken}`), sendAs(`Bearer ${accessToken}`)]
  const { id } = await asBot('POST', '/lobbies', { members: [{ id: emulator.users[0]?.id, flags: 1 }] })
  await asAda('PATCH', `/lobbies/${String(id)}/channel-linking`, { channel_id: GENERAL })
  const { code } = await asAda('POST', `/lobbies/${String(id)}/members/@me/invites`, {})
  return `${emulator.url}/invite/${String(code)}`
}

/** Opens a page of an emulator that then stops. */
const stopped = (
  name: string,
  path: string | ((emulator: Emulator) => string | Promise<string>),
  alert = '[role=alert]',
): Screen => ({
  name: `${name}-stopped`,
  open: async (page, { startEmulator }) => {
    const emulator = await startEmulator()
    await page.goto(typeof path === 'string' ? emulator.url + path : await path(emulator))
    await has(page, 'main')
    // The page watches a stream: what stops before it is open was never there.
    await page.evaluate('new Promise((resolve) => setTimeout(resolve, 500))')
    await emulator.close()
    await shows(page, 'does not answer', alert)
  },
})

export const EMULATOR_SCREENS: readonly Screen[] = [
  at('index', '/'),
  at('not-found', '/nothere/with/a/rather/long/address/that/has/to/break/somewhere'),
  at('refused', '/oauth2/authorize?client_id=1'),
  {
    name: 'refused-redirect',
    open: async (page, { emulator }) =>
      page.goto((await beginSignIn(emulator, { redirect_uri: 'https://game.example/callback' })).url),
  },
  at('sign-in-over', '/oauth2/sign-in/1'),
  at('invitation-over', '/invite/1'),
  {
    name: 'invitation',
    open: async (page, { startEmulator }) => page.goto(await inviteToGuild(await startEmulator())),
  },
  {
    name: 'invitation-done',
    open: async (page, { startEmulator }) => {
      await page.goto(await inviteToGuild(await startEmulator()))
      await press(page, 'Join as')
      await shows(page, 'Joined', 'h1')
    },
  },
  {
    name: 'consent',
    // The demo serves this callback page, so there is nothing to warn of.
    open: async (page, { emulator, demo }) =>
      consent(page, await beginSignIn(emulator, { redirect_uri: `${demo}callback.html` })),
  },
  {
    name: 'consent-unreachable',
    open: async (page, { emulator }) => {
      await consent(page, await beginSignIn(emulator))
      await has(page, '#callback')
    },
  },
  {
    name: 'install',
    open: (page, { emulator }) =>
      page.goto(`${emulator.url}/oauth2/authorize?client_id=${emulator.application.id}`),
  },
  { name: 'install-done', open: (page, world) => install(page, world, 'Install') },
  { name: 'install-cancelled', open: (page, world) => install(page, world, 'Cancel') },
  at('device', '/activate'),
  {
    name: 'device-wrong',
    open: async (page, { emulator }) => {
      await page.goto(`${emulator.url}/activate`)
      await page.type('input.code', 'ABCD-EFGH')
      await press(page, 'Continue')
      await shows(page, 'This code was not accepted')
    },
  },
  {
    name: 'device-confirm',
    open: async (page, { emulator }) => {
      await connectDevice(page, emulator)
      await shows(page, 'Is this your device?')
    },
  },
  {
    name: 'device-done',
    open: async (page, { emulator }) => {
      await connectDevice(page, emulator, 'Yes, continue', 'Approve')
      await shows(page, 'Device connected')
    },
  },
  {
    name: 'device-denied',
    open: async (page, { emulator }) => {
      await connectDevice(page, emulator, 'No')
      await shows(page, 'Device not connected')
    },
  },
  stopped('index', '/'),
  stopped('not-found', '/nothere'),
  stopped('refused', '/oauth2/authorize?client_id=1'),
  stopped('device', '/activate'),
  stopped(
    'consent',
    async (emulator) => (await beginSignIn(emulator, { redirect_uri: redirectUri })).url,
    '[role=alert]:not(#callback)',
  ),
  stopped('chat', '/chat'),
  stopped('inspector', ({ url, controlToken }) => `${url}/inspector#${controlToken}`),
  stopped('inspector-closed', '/inspector'),
  stopped('launch', ({ activity }) => String(activity.url)),
  stopped('activity', ({ activity }) => activity.launch({ as: ['ada'] }).url, '[role=status]'),
]
