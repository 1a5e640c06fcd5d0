/** The public embedded SDK, unchanged, and this SDK read the same data from one host window, for every command. */
import type { DiscordSDK } from '@discord/embedded-app-sdk'
import { createEmulator, type Emulator } from 'foyer-emulator'
import { ApiError } from 'foyer-sdk'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { clientSessions } from '../support/client-sessions'
import { emulatedHost } from '../support/emulated-host'
import { CoreClient, resolveOptions } from '../support/internals'
import { signIn } from './support/sign-in-client.js'

let emulator: Emulator
beforeEach(async () => {
  emulator = await createEmulator({ activityUrl: 'http://localhost:9/game/', activityPort: 0 })
})
afterEach(() => emulator.close())

const SCOPES =
  'openid identify guilds guilds.members.read relationships.read rpc.activities.write rpc.voice.read dm_channels.read'

interface Place {
  channelId: string
  token: string
}

/** Arguments of each command, in the public SDK's names. Commands of a phone are called on one. */
const ARGUMENTS: Readonly<Record<string, (place: Place) => object | undefined>> = {
  authorize: () => undefined,
  authenticate: ({ token }) => ({ access_token: token }),
  captureLog: () => ({ level: 'log', message: 'x' }),
  encourageHardwareAcceleration: () => ({}),
  getActivityInstanceConnectedParticipants: () => ({}),
  getInstanceConnectedParticipants: () => ({}),
  getChannel: ({ channelId }) => ({ channel_id: channelId }),
  getChannelPermissions: () => ({}),
  getEntitlements: () => ({}),
  getPlatformBehaviors: () => ({}),
  getQuest: () => ({ quest_id: 'q' }),
  getQuestEnrollmentStatus: () => ({ quest_id: 'q' }),
  getRelationships: () => ({}),
  getSkus: () => ({}),
  getUser: () => ({ id: emulator.users[1]?.id }),
  initiateImageUpload: () => ({}),
  inviteUserEmbedded: () => ({ user_id: emulator.users[1]?.id, content: 'Come!' }),
  openExternalLink: () => ({ url: 'https://game.example/' }),
  openInviteDialog: () => ({}),
  openShareMomentDialog: () => undefined,
  questStartTimer: () => ({ quest_id: 'q' }),
  requestProxyTicketRefresh: () => ({}),
  setActivity: () => ({
    activity: {
      type: 0,
      details: 'On the moon',
      details_url: 'https://game.example/moon',
      state: 'Landing',
      state_url: 'https://game.example/landing',
      assets: { large_image: 'moon', large_text: 'Moon', large_url: 'https://game.example/moon' },
      party: { id: 'party', size: [1, 4] },
      timestamps: { start: 1 },
      secrets: { join: 'moon-42' },
      instance: true,
    },
  }),

  setConfig: () => ({ use_interactive_pip: true }),
  setOrientationLockState: () => undefined,
  shareInteraction: () => ({
    command: 'play',
    content: 'x',
    preview_image: { url: 'https://game.example/a.png', width: 1, height: 1 },
  }),
  shareLink: () => ({ message: 'Play!', custom_id: 'c' }),
  startPurchase: () => ({ sku_id: emulator.activity.skus()[0]?.id, pid: 1 }),
  userSettingsGetLocale: () => ({}),
}

/** Values that each call makes anew. */
const FRESH = new Set(['id', 'ticket', 'createdAt', 'startsAt', 'imageUrl'])

const toCamel = (name: string) => name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
const asIs = (name: string) => name

/** A copy with other names of fields, and without values that are new each time. */
function copy(value: unknown, rename: (name: string) => string, isNew = false): unknown {
  if (Array.isArray(value)) return value.map((each) => copy(each, rename, isNew))
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).filter(([, field]) => field !== undefined)
  return Object.fromEntries(
    fields.map(([name, field]) =>
      isNew && FRESH.has(rename(name)) ? [rename(name), 'new'] : [rename(name), copy(field, rename, isNew)],
    ),
  )
}

/** Commands that make something, whose ids and times are new each time. */
const MAKES = new Set(['startPurchase', 'setActivity', 'requestProxyTicketRefresh', 'initiateImageUpload'])

type Calls = Record<string, (args: unknown) => Promise<unknown>>

/** The module reads the page's origin when it is loaded, so each page has its own. */
async function loadPublicSdk(): Promise<typeof DiscordSDK> {
  const path = '../../node_modules/@discord/embedded-app-sdk/output/Discord.mjs'
  const { href } = new URL(`${path}?${crypto.randomUUID()}`, import.meta.url)
  return (await import(/* @vite-ignore */ href)).DiscordSDK
}

async function open() {
  const host = await emulatedHost(emulator, { as: 'ada' })
  const { accessToken } = await signIn(emulator, 'ada', { scope: SCOPES })
  host.reload()
  const theirs = new (await loadPublicSdk())(emulator.application.id, { disableConsoleLogOverride: true })
  await theirs.ready()
  await theirs.commands.authenticate({ access_token: accessToken })
  return { host, theirs, place: { token: accessToken, channelId: theirs.channelId ?? '' } }
}

async function connectOurs(query: string, token?: string) {
  const options = resolveOptions(
    { applicationId: emulator.application.id, service: { host: emulator.url } },
    undefined,
    async () => undefined,
  )
  const client = new CoreClient({ ...options, launchQuery: query, loadSessions: clientSessions })
  const host = await client.activity.connect()
  if (token !== undefined) await host.authenticate({ accessToken: token })
  return { client, host }
}

async function read(
  {
    calls,
    rename,
    given,
  }: { calls: Calls; rename: (name: string) => string; given: (command: string) => unknown },
  commands: readonly string[],
) {
  const found: Record<string, unknown> = {}
  for (const command of commands)
    found[command] = copy(await calls[command]?.(given(command)), rename, MAKES.has(command))
  return found
}

describe('the public SDK and this one', () => {
  it('read equal data for every command with data', async () => {
    const { host, theirs, place } = await open()
    const calls = theirs.commands as unknown as Calls
    const commands = Object.keys(calls)
    expect(commands.filter((name) => !(name in ARGUMENTS))).toEqual([])
    const withData = commands.filter((name) => ARGUMENTS[name]?.(place) !== undefined)
    // Each side makes something only after both have read.
    const [making, reading] = [
      withData.filter((name) => MAKES.has(name)),
      withData.filter((name) => !MAKES.has(name)),
    ]
    const given = (name: string) => ARGUMENTS[name]?.(place)
    await calls['startPurchase']?.(given('startPurchase'))
    const theirSide = { calls, rename: toCamel, given }
    const expected = await read(theirSide, reading)
    host.reload()
    const { client, host: own } = await connectOurs(host.query, place.token)
    const ours = {
      calls: Object.assign(Object.create(own), {
        getInstanceConnectedParticipants: () => own.getActivityInstanceConnectedParticipants(),
      }),
      rename: asIs,
      given: (name: string) => copy(given(name), toCamel),
    }
    const got = { ...(await read(ours, reading)), ...(await read(ours, making)) }
    client.close()
    host.reload()
    const again = new (await loadPublicSdk())(emulator.application.id, { disableConsoleLogOverride: true })
    await again.ready()
    await again.commands.authenticate({ access_token: place.token })
    const made = await read({ ...theirSide, calls: again.commands as unknown as Calls }, making)
    expect(got).toEqual({ ...expected, ...made })
    expect(withData.length).toBeGreaterThan(20)
  })
})

/** Events whose subscription needs a scope, and one that needs none. */
const EVENTS = [
  'CURRENT_GUILD_MEMBER_UPDATE',
  'CURRENT_USER_UPDATE',
  'RELATIONSHIP_UPDATE',
  'SPEAKING_START',
  'SPEAKING_STOP',
  'VOICE_STATE_UPDATE',
  'THERMAL_STATE_UPDATE',
] as const

describe('a host that has no token', () => {
  it('refuses commands and events with the scope that each needs, in this SDK too', async () => {
    const page = await emulatedHost(emulator, { as: 'ada' })
    page.reload()
    const { client, host } = await connectOurs(page.query)
    const place = { token: '', channelId: host.channelId ?? '' }
    const calls = host as unknown as Calls
    const attempts = [
      ...Object.keys(ARGUMENTS)
        .filter((name) => calls[name] && name !== 'authenticate' && ARGUMENTS[name]?.(place))
        .map((name) => ({ name, act: () => calls[name]?.(copy(ARGUMENTS[name]?.(place), toCamel)) })),
      ...EVENTS.map((name) => ({ name, act: () => host.subscribe(name, () => undefined) })),
      { name: 'a command by name', act: () => host.command('GET_RELATIONSHIPS') },
    ]
    const refused: string[] = []
    for (const { name, act } of attempts) {
      const error: unknown = await Promise.resolve(act()).catch((reason: unknown) => reason)
      if (!(error instanceof ApiError) || error.code !== 'invalid_permissions') continue
      refused.push(name)
      const sentence = error.cause instanceof Error ? error.cause.message : ''
      const [, scope] = /scope (.+) is missing/.exec(sentence) ?? []
      expect([name, error.message]).toEqual([
        name,
        expect.stringContaining(
          scope === undefined ? 'Give the host a token first' : `the scope ${scope} too`,
        ),
      ])
    }
    client.close()
    expect(refused).toEqual([
      'getChannel',
      'getChannelPermissions',
      'getRelationships',
      'getUser',
      'inviteUserEmbedded',
      'setActivity',
      'userSettingsGetLocale',
      ...EVENTS.slice(0, -1),
      'a command by name',
    ])
  })
})
