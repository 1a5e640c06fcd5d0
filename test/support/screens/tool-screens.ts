/** Chat, inspector and Activity of the emulator, in their states. */
import type { Emulator } from 'foyer-emulator'
import { signIn } from '../../emulator/support/sign-in-client'
import type { EnginePage } from '../engines/engine'
import { retry } from '../engines/retry'
import { has, fill, press, shows } from './page-actions'
import type { Screen, World } from './screen'

const writing = '[role=combobox]'

async function openChat(page: EnginePage, { url }: Emulator): Promise<void> {
  await page.goto(`${url}/chat`)
  await has(page, writing)
}

async function useCommand(page: EnginePage, emulator: Emulator, name: string): Promise<void> {
  await openChat(page, emulator)
  await page.type(writing, `/${name}`)
  await shows(page, `/${name}`, '[role=option]')
  await page.type(writing, '\n')
  await has(page, '.composer.command')
}

const chat = (name: string, act: (page: EnginePage, emulator: Emulator) => Promise<unknown>): Screen => ({
  name: `chat${name}`,
  open: (page, { emulator }) => act(page, emulator),
})

async function send(page: EnginePage, emulator: Emulator, command: string): Promise<void> {
  await useCommand(page, emulator, command)
  await press(page, 'Send')
}

async function launch(page: EnginePage, { activity }: Emulator, ...as: string[]): Promise<void> {
  await page.goto(activity.launch({ as }).url)
  await shows(page, 'connected', '.state')
}

/** The frame is ready when it has said who is there. */
async function askForConsent(page: EnginePage, { application }: Emulator): Promise<void> {
  const request = { client_id: application.id, scope: ['identify', 'openid'], response_type: 'code' }
  const frame = await page.frame()
  await retry(async () => {
    if ((await frame.evaluate('document.body.dataset.ready')) !== 'yes')
      throw new Error('The game is not ready.')
  })
  await frame.evaluate(
    `void window.sdk.commands.authorize(${JSON.stringify(request)}).catch(() => undefined)`,
  )
  await shows(page, 'Approve', 'button')
}

async function openInspector(page: EnginePage, { url, controlToken }: Emulator): Promise<void> {
  await page.goto(`${url}/inspector#${controlToken}`)
  await shows(page, 'Clock', '[role=tab]')
}

/** Something in every panel: requests, faults, lobbies, limits, tokens, commands, snapshots and deliveries. */
async function fillInspector(page: EnginePage, emulator: Emulator): Promise<void> {
  const { accessToken } = await signIn(emulator, 'ada')
  const headers = {
    authorization: `Bot ${emulator.application.botToken}`,
    'content-type': 'application/json',
  }
  const members = [{ id: emulator.users[0]?.id }]
  await fetch(`${emulator.url}/api/v10/lobbies`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ members }),
  })
  for (const token of ['wrong', accessToken])
    await fetch(`${emulator.url}/api/v10/users/@me`, { headers: { authorization: `Bearer ${token}` } })
  await emulator.webhooks.send({ type: 'QUEST_STARTED', data: {} }).catch(() => undefined)
  const path = '/api/v10/applications/*/guilds/*/commands/*/permissions'
  emulator.faults([{ match: { method: 'POST', path }, times: 3, effect: { status: 500 } }])
  await openInspector(page, emulator)
  await press(page, 'Snapshots')
  await fill(page, 'Name of a new snapshot', 'before the duel')
  await press(page, 'Save the state')
  await shows(page, 'Restore', 'button')
  await page.evaluate("document.querySelector('.virtual .refused').click()")
  await has(page, '.details')
}

const fromWorld =
  (open: (page: EnginePage, emulator: Emulator) => Promise<unknown>): Screen['open'] =>
  (page: EnginePage, { emulator }: World) =>
    open(page, emulator)

export const TOOL_SCREENS: readonly Screen[] = [
  { name: 'chat-empty', open: async (page, { startEmulator }) => openChat(page, await startEmulator()) },
  chat('-commands', async (page, emulator) => {
    await openChat(page, emulator)
    await page.type(writing, '/')
    await shows(page, '/duel', '[role=option]')
  }),
  chat('-fields', async (page, emulator) => {
    await useCommand(page, emulator, 'duel')
    await press(page, '+ map')
    await page.type('.suggested [role=combobox]', 'm')
    await shows(page, 'The moon', '[role=option]')
  }),
  chat('-form', async (page, emulator) => {
    await send(page, emulator, 'form')
    await shows(page, 'A new team', 'dialog')
  }),
  chat('-requests', async (page, emulator) => {
    emulator.interactions.say({ as: 'bruno', content: 'Somebody for a duel?' })
    await send(page, emulator, 'greet')
    await shows(page, 'answered after', '.requests')
    await press(page, 'Apps for this message')
    await page.evaluate("document.querySelector('.requests summary').click()")
  }),
  chat('-thinking', async (page, emulator) => {
    await send(page, emulator, 'later')
    await shows(page, 'answered after', '.requests')
  }),
  chat('-silent', async (page, emulator) => {
    await send(page, emulator, 'silent')
    await shows(page, 'no answer after', '.requests')
  }),
  chat('-activity', async (page, emulator) => {
    await openChat(page, emulator)
    await press(page, '▶ Launch')
    await has(page, '.activity iframe')
  }),
  { name: 'launch', open: (page, { emulator }) => page.goto(String(emulator.activity.url)) },
  {
    name: 'activity',
    open: fromWorld(async (page, emulator) => {
      await launch(page, emulator, 'ada', 'bruno')
      await page.evaluate("document.querySelectorAll('summary').forEach((one) => one.click())")
    }),
  },
  {
    name: 'activity-consent',
    open: fromWorld(async (page, emulator) => {
      await launch(page, emulator, 'ada')
      await askForConsent(page, emulator)
    }),
  },
  {
    name: 'activity-left',
    open: fromWorld(async (page, emulator) => {
      await launch(page, emulator, 'ada', 'bruno')
      await press(page, 'Leave')
      await shows(page, 'has left.')
    }),
  },
  {
    name: 'activity-over',
    open: (page, { emulator }) => page.goto(`${emulator.activity.url}?instance_id=1&as=ada`),
  },
  {
    name: 'activity-not-found',
    open: (page, { emulator }) => page.goto(new URL('/_activity/nothere', emulator.activity.url).href),
  },
  {
    name: 'inspector-closed',
    open: fromWorld(async (page, { url }) => {
      await page.goto(`${url}/inspector`)
      await fill(page, 'Control token', 'wrong')
      await press(page, 'Open')
      await shows(page, 'control', '[role=alert]')
    }),
  },
  {
    name: 'inspector-empty',
    open: async (page, { startEmulator }) => openInspector(page, await startEmulator()),
  },
  { name: 'inspector', open: fromWorld(fillInspector) },
  ...['Messages', 'Raw', 'cURL', 'Compare', 'Related'].map((part) => ({
    name: `inspector-${part.toLowerCase()}`,
    open: fromWorld(async (page, emulator) => {
      await signIn(emulator, 'ada')
      await openInspector(page, emulator)
      await fill(page, 'Filter', 'oauth2/token')
      await page.evaluate("document.querySelector('.virtual [role=option]').click()")
      await press(page, part, '.details')
      await has(page, '.details .tab-panel :is(section, .buttons, .related)')
    }),
  })),
  ...['Lobbies', 'Limits', 'Clock', 'Commands', 'Deliveries'].map((tab) => ({
    name: `inspector-tab-${tab.toLowerCase()}`,
    open: fromWorld(async (page, emulator) => {
      await openInspector(page, emulator)
      await press(page, tab, '.side')
    }),
  })),
  {
    name: 'inspector-faults',
    open: fromWorld(async (page, emulator) => {
      await openInspector(page, emulator)
      await press(page, 'Faults')
      await press(page, 'Service down')
      await shows(page, 'Set: ', '.notice')
    }),
  },
]
