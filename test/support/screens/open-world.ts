/** Starts what the screens are opened with: the demo, and an emulator with a backend, commands and a game. */
import { createEmulator, type Emulator } from 'foyer-emulator'
import { controlDemo, startBuiltDemo, stopDemo } from '../../browser/demo-process'
import { type Received, type Reply, serveBackend } from '../../emulator/support/backend'
import { serveActivityGame } from '../activity-game'
import type { World } from './screen'

export interface OpenWorld extends World {
  /** Ends what was started for the last screen, and what it left in both emulators. */
  reset(): Promise<void>
  close(): Promise<void>
}

const COMMANDS = [
  { name: 'a-command-with-a-name-of-32-char', description: 'Open a form', default_member_permissions: '0' },
  { name: 'form', description: 'Open a form' },
  { name: 'greet', description: 'Say hello' },
  { name: 'later', description: 'Respond later' },
  { name: 'silent', description: 'Never respond' },
  {
    name: 'duel',
    description: 'Challenge another player',
    options: [
      { type: 6, name: 'opponent', description: 'Player to challenge', required: true },
      { type: 3, name: 'map', description: 'Place', autocomplete: true },
    ],
  },
]

export async function openWorld(): Promise<OpenWorld> {
  const demo = await startBuiltDemo('--port', '0', '--activity-port', '0')
  const emulator = await createEmulator({ commands: { globalDelay: 0 }, activityPort: 0 })
  const [backend, game] = await Promise.all([serveBackend(emulator, respond), serveActivityGame(emulator)])
  await emulator.interactions.connect(backend.url)
  await emulator.webhooks.connect(backend.url).catch(() => undefined)
  await emulator.activity.serve(game.url)
  for (const definition of COMMANDS) await register(emulator, definition)
  const started: (() => Promise<unknown>)[] = []
  const control = (path: string, body: object) => controlDemo(demo, path, body)
  const end = async () =>
    void (await Promise.all(started.splice(0).map((stop) => stop().catch(() => undefined))))
  return {
    demo: demo.url,
    control,
    emulator,
    async startEmulator() {
      const own = await createEmulator({ activityPort: 0, activityUrl: game.url })
      started.push(() => own.close())
      return own
    },
    async startDemo() {
      const own = await startBuiltDemo('--port', '0', '--activity-port', '0')
      let stopped: Promise<unknown> | undefined
      const stop = () => (stopped ??= stopDemo(own))
      started.push(stop)
      return { url: own.url, stop }
    },
    async reset() {
      await end()
      await control('reset', {})
      emulator.faults([])
    },
    async close() {
      await end()
      await Promise.all([stopDemo(demo), emulator.close(), backend.close(), game.close()])
    },
  }
}

async function register({ url, application }: Emulator, definition: object): Promise<void> {
  const headers = { authorization: `Bot ${application.botToken}`, 'content-type': 'application/json' }
  const address = `${url}/api/v10/applications/${application.id}/commands`
  const { status } = await fetch(address, { method: 'POST', headers, body: JSON.stringify(definition) })
  if (status !== 201) throw new Error(`The command was refused with ${status}.`)
}

/** A form for one command, no response to another, and buttons in the message of the others. */
function respond({ type, data }: Received): Reply {
  if (type === 4) return { type: 8, data: { choices: [{ name: 'The moon', value: 'moon' }] } }
  if (data.name === 'silent') return 'silence'
  if (data.name === 'later') return { type: 5 }
  const name = { type: 4, custom_id: 'name', label: 'Name of the team', style: 1 }
  if (data.name === 'form')
    return {
      type: 9,
      data: { custom_id: 'team', title: 'A new team', components: [{ type: 1, components: [name] }] },
    }
  const button = { type: 2, custom_id: 'ready', label: 'Ready', style: 1 }
  const components = [{ type: 1, components: [button] }]
  return {
    type: 4,
    data: {
      content: 'Hello',
      flags: 64,
      embeds: [{ title: 'Duel', description: 'On the moon' }],
      components,
    },
  }
}
