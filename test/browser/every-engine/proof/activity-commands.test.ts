/** Every command and event of the public embedded SDK, unmodified, against the host page in real browsers. */
import { createEmulator, type Emulator } from 'foyer-emulator'
import { expect, onTestFinished, test } from 'vitest'
import { ENGINES, type EnginePage } from '../../../support/engines'
import { serveRemoteGame, type RemoteGame } from '../../../support/remote-game'

const SCOPES = [
  'identify',
  'guilds',
  'guilds.members.read',
  'relationships.read',
  'rpc.activities.write',
  'rpc.voice.read',
  'dm_channels.read',
]
const TAVERN = '319560327719026709'

const script = (clientId: string) => `
import * as library from '/sdk/index.mjs'
const [, Sdk] = Object.entries(library).find(([name]) => /^(?!.*Mock)[A-Z]\\w+SDK$/.test(name))
const sdk = new Sdk('${clientId}', { disableConsoleLogOverride: true })
const received = {}
Object.assign(window, { sdk, library, player: 'ada', received,
  json: (value) => JSON.parse(JSON.stringify(value ?? null, (_key, one) => (typeof one === 'bigint' ? String(one) : one))),
  wait: (event) => new Promise((resolve) => { const look = () => received[event] ? resolve(received[event]) : setTimeout(look, 20); look() }) })
await sdk.ready()
`

interface Place {
  emulator: Emulator
  game: RemoteGame
  page: EnginePage
}

type Engine = (typeof ENGINES)[number]

async function open(
  launch: Engine['launch'],
  context: Parameters<Engine['launch']>[0],
  platform: 'desktop' | 'mobile',
): Promise<Place> {
  const browser = await launch(context)
  const emulator = await createEmulator()
  const game = await serveRemoteGame({ script: script(emulator.application.id) })
  onTestFinished(async () => {
    await browser.close()
    await emulator.close()
    await game.close()
  })
  await emulator.activity.serve(game.url)
  const page = await browser.open()
  await page.goto(emulator.activity.launch({ as: 'ada', platform }).url)
  return { emulator, game, page }
}

const call = (method: string, args?: unknown) =>
  `sdk.commands.${method}(${args === undefined ? '' : JSON.stringify(args)}).then(json)`

/** Signs in as the documentation says: AUTHORIZE, an exchange on the backend, AUTHENTICATE. */
async function signIn({ emulator, game, page }: Place): Promise<void> {
  const { id, clientSecret } = emulator.application
  const asked = game.run<{ code: string }>(
    call('authorize', { client_id: id, response_type: 'code', scope: SCOPES }),
  )
  await page.press('Approve')
  const { code } = await asked
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    client_id: id,
    client_secret: clientSecret,
  })
  const answer = await fetch(`${emulator.url}/api/v10/oauth2/token`, { method: 'POST', body })
  const { access_token } = (await answer.json()) as { access_token: string }
  expect(await game.run(call('authenticate', { access_token }))).toMatchObject({
    user: { username: 'ada' },
    scopes: SCOPES,
  })
}

const desktop = ENGINES.filter(({ name }) => name !== 'WebKit')

test.for(desktop)(
  '$name: each command is answered as the public documentation says',
  async ({ launch }, context) => {
    const place = await open(launch, context, 'desktop')
    const { emulator, game, page } = place
    const [ada, bruno] = emulator.users
    const channelId = await game.run<string>('sdk.channelId')
    const used = new Set(['authorize', 'authenticate'])
    const run = (method: string, args?: unknown) => {
      used.add(method)
      return game.run<Record<string, unknown>>(call(method, args))
    }
    const press = (action: string) => page.click(`.dialog button[value=${action}]`)
    const refused = { rejected: { code: 4006 } }
    expect(await run('getRelationships')).toMatchObject(refused)
    expect(await run('setActivity', { activity: { type: 0 } })).toMatchObject(refused)
    expect(await run('getChannel', { channel_id: channelId })).toMatchObject(refused)
    expect(await run('openShareMomentDialog', { mediaUrl: emulator.url })).toMatchObject(refused)
    await signIn(place)

    expect(await run('captureLog', { level: 'log', message: 'hello' })).toBeNull()
    expect(await run('userSettingsGetLocale')).toEqual({ locale: 'en-US' })
    expect(await run('getInstanceConnectedParticipants')).toMatchObject({ participants: [{ id: ada?.id }] })
    expect(await run('getActivityInstanceConnectedParticipants')).toMatchObject({
      participants: [{ id: ada?.id }],
    })
    expect(await run('encourageHardwareAcceleration')).toEqual({ enabled: true })
    expect(await run('getPlatformBehaviors')).toEqual({ iosKeyboardResizesView: false })
    expect(await run('getChannel', { channel_id: channelId })).toMatchObject({
      id: channelId,
      type: 0,
      name: 'general',
      guild_id: TAVERN,
    })
    expect(await run('getChannel', { channel_id: '1' })).toMatchObject({ rejected: { code: 4005 } })
    expect(BigInt(String((await run('getChannelPermissions'))['permissions'])) & 1n).toBe(1n)
    expect(await run('setConfig', { use_interactive_pip: true })).toEqual({ use_interactive_pip: true })
    expect(await run('requestProxyTicketRefresh')).toEqual({ ticket: expect.any(String) })
    expect(await run('getUser', { id: bruno?.id })).toMatchObject({ username: 'bruno' })
    expect(await run('getUser', { id: '1' })).toBeNull()

    const party = { id: 'the moon', size: [1, 4] }
    expect(
      await run('setActivity', {
        activity: { type: 0, details: 'On the moon', party, secrets: { join: 'a secret' } },
      }),
    ).toMatchObject({
      name: 'Example Game',
      party,
    })
    expect(await run('setActivity', { activity: { details: 'x' } })).toMatchObject({
      rejected: { code: 4000 },
    })
    expect(emulator.activity.presence('ada')).toMatchObject({
      details: 'On the moon',
      secrets: { join: 'a secret' },
    })
    emulator.activity.relate({ as: 'ada', with: 'chiyo', kind: 'blocked' })
    const { relationships } = (await run('getRelationships')) as {
      relationships: { type: number; user: { username: string } }[]
    }
    expect(relationships.map(({ type, user }) => `${user.username} ${type}`)).toEqual([
      'bruno 1',
      'chiyo 2',
      'zoe 1',
      'lukasz 1',
      'mira.k 1',
    ])

    expect(await run('inviteUserEmbedded', { user_id: bruno?.id, content: 'Come along' })).toBeNull()
    expect(await run('inviteUserEmbedded', { user_id: emulator.users[2]?.id })).toMatchObject({
      rejected: { code: 4010 },
    })
    expect(emulator.activity.invitations('bruno')).toMatchObject([{ from: ada?.id, content: 'Come along' }])

    expect(await run('openInviteDialog')).toBeNull()
    await page.click(`.dialog input[value="${bruno?.id}"]`)
    await press('invite')
    await expect.poll(() => emulator.activity.invitations('bruno').length).toBe(2)

    const shared = run('shareLink', { message: 'Play with me', custom_id: 'level-7' })
    await page.click(`.dialog input[value="${channelId}"]`)
    await press('send')
    expect(await shared).toEqual({ success: true, didCopyLink: false, didSendMessage: true })
    const interaction = run('shareInteraction', { command: 'score', content: 'My score: 7' })
    await page.click(`.dialog input[value="${channelId}"]`)
    await press('send')
    expect(await interaction).toEqual({ success: true })
    const link = run('openExternalLink', { url: 'https://example.com/rules' })
    await press('cancel')
    expect(await link).toEqual({ opened: false })
    expect(await run('openExternalLink', { url: 'javascript:alert(1)' })).toMatchObject({
      rejected: { code: 4000 },
    })
    const upload = run('initiateImageUpload')
    await press('cancel')
    expect(await upload).toMatchObject({ rejected: { code: 1000 } })
    expect(await run('openShareMomentDialog', { mediaUrl: `${emulator.url}/assets/icon.svg` })).toBeNull()
    await page.click(`.dialog input[value="${channelId}"]`)
    await press('send')
    const messages = () => emulator.interactions.messages({ as: 'ada' }).map(({ content }) => content)
    await expect.poll(messages).toEqual(['Play with me', 'My score: 7', `${emulator.url}/assets/icon.svg`])

    const { skus } = (await run('getSkus')) as { skus: { id: string; name: string }[] }
    expect(skus[0]).toMatchObject({ name: 'Golden dice' })
    expect(await run('getEntitlements')).toEqual({ entitlements: [] })
    const bought = run('startPurchase', { sku_id: skus[0]?.id })
    await press('buy')
    expect(await bought).toMatchObject([{ sku_id: skus[0]?.id, user_id: ada?.id }])
    expect(await run('getEntitlements')).toMatchObject({ entitlements: [{ sku_id: skus[0]?.id }] })
    const owned = await fetch(
      `${emulator.url}/api/v10/applications/${emulator.application.id}/entitlements?user_id=${ada?.id}`,
      {
        headers: { authorization: `Bot ${emulator.application.botToken}` },
      },
    )
    expect(await owned.json()).toMatchObject([{ sku_id: skus[0]?.id, user_id: ada?.id, type: 4 }])

    const quest = (await run('getQuest')) as { quest_id: string }
    expect(await run('getQuestEnrollmentStatus', { quest_id: quest.quest_id })).toMatchObject({
      is_enrolled: false,
    })
    expect(await run('questStartTimer', { quest_id: quest.quest_id })).toEqual({ success: false })
    emulator.activity.enroll({ as: 'ada' })
    expect(await run('questStartTimer', { quest_id: quest.quest_id })).toEqual({ success: true })
    expect(await run('setOrientationLockState', { lock_state: 3 })).toMatchObject({
      rejected: { code: 4002 },
    })

    expect([...used].toSorted()).toEqual((await game.run<string[]>('Object.keys(sdk.commands)')).toSorted())
    expect(await game.run('sdk.sendCommand({ cmd: "GET_GUILDS", args: {} })')).toMatchObject({
      rejected: { code: 4006 },
    })
  },
)

test.for(desktop)(
  '$name: on mobile the orientation is locked, and desktop commands are refused',
  async ({ launch }, context) => {
    const { game } = await open(launch, context, 'mobile')
    expect(await game.run('sdk.platform')).toBe('mobile')
    expect(await game.run(call('setOrientationLockState', { lock_state: 3, grid_lock_state: 1 }))).toBeNull()
    for (const [method, args] of Object.entries({
      setConfig: { use_interactive_pip: true },
      startPurchase: { sku_id: '1' },
      openShareMomentDialog: { mediaUrl: 'x' },
    }))
      expect(await game.run(call(method, args))).toMatchObject({ rejected: { code: 4002 } })
  },
)

test.for(desktop)(
  '$name: each event arrives with what the public schema requires',
  async ({ launch }, context) => {
    const place = await open(launch, context, 'desktop')
    const { emulator, game, page } = place
    const [ada] = emulator.users
    const channel = await game.run<string>('sdk.channelId')
    const subscribe = (event: string, args?: object) =>
      game.run(
        `sdk.subscribe('${event}', (data) => { received.${event} = json(data) }, ${JSON.stringify(args)}).then(() => 'subscribed')`,
      )
    expect(await subscribe('CURRENT_USER_UPDATE')).toMatchObject({ rejected: { code: 4006 } })
    expect(
      await game.run(`sdk.sendCommand({ cmd: 'SUBSCRIBE', evt: 'COFFEE_READY', args: {} })`),
    ).toMatchObject({ rejected: { code: 4004 } })
    await game.run(`sdk.eventBus.removeAllListeners() && 'done'`)
    await signIn(place)
    const set = (change: object) => emulator.activity.setPlayer({ as: 'ada', ...change })
    const quiet = { globalName: 'Ada Q.' }
    const cases: [event: string, args: object | undefined, cause: () => unknown, data: unknown][] = [
      ['ACTIVITY_LAYOUT_MODE_UPDATE', undefined, () => set({ layoutMode: 'pip' }), { layout_mode: 1 }],
      [
        'ORIENTATION_UPDATE',
        undefined,
        () => set({ orientation: 'portrait' }),
        { screen_orientation: 0, orientation: 'portrait' },
      ],
      ['THERMAL_STATE_UPDATE', undefined, () => set({ thermalState: 'serious' }), { thermal_state: 2 }],
      ['CURRENT_USER_UPDATE', undefined, () => set(quiet), { id: ada?.id, global_name: 'Ada Q.' }],
      [
        'ACTIVITY_INSTANCE_PARTICIPANTS_UPDATE',
        undefined,
        () => set(quiet),
        { participants: [{ nickname: 'Ada Q.' }] },
      ],
      [
        'CURRENT_GUILD_MEMBER_UPDATE',
        { guild_id: TAVERN },
        () => set({ nickname: { guildId: TAVERN, name: 'Q' } }),
        { guild_id: TAVERN, nick: 'Q' },
      ],
      [
        'VOICE_STATE_UPDATE',
        { channel_id: channel },
        () => set({ voice: { selfMute: true } }),
        { voice_state: { self_mute: true } },
      ],
      [
        'SPEAKING_START',
        { channel_id: channel },
        () => set({ voice: { speaking: true } }),
        { channel_id: channel, user_id: ada?.id },
      ],
      [
        'SPEAKING_STOP',
        { channel_id: channel },
        () => set({ voice: { speaking: false } }),
        { channel_id: channel, user_id: ada?.id },
      ],
      [
        'RELATIONSHIP_UPDATE',
        undefined,
        () => emulator.activity.relate({ as: 'ada', with: 'zoe', kind: 'none' }),
        { type: 0, user: { username: 'zoe' } },
      ],
      [
        'ACTIVITY_JOIN',
        undefined,
        () => emulator.activity.join({ as: 'ada', secret: 'the moon' }),
        { secret: 'the moon' },
      ],
      [
        'QUEST_ENROLLMENT_STATUS_UPDATE',
        undefined,
        () => emulator.activity.enroll({ as: 'ada' }),
        { is_enrolled: true },
      ],
      [
        'ENTITLEMENT_CREATE',
        undefined,
        async () => {
          void game.run(
            `sdk.commands.getSkus().then(({ skus }) => sdk.commands.startPurchase({ sku_id: skus[0].id })).then(json)`,
          )
          await page.press('Buy')
        },
        { entitlement: { user_id: ada?.id } },
      ],
    ]
    for (const [event, args, cause, data] of cases) {
      expect([event, await subscribe(event, args)]).toEqual([event, 'subscribed'])
      await cause()
      expect(await game.run(`wait('${event}')`)).toMatchObject(data as object)
    }
    expect(
      await game.run(
        `sdk.unsubscribe('ACTIVITY_JOIN', sdk.eventBus.listeners('ACTIVITY_JOIN')[0]).then(() => 'undone')`,
      ),
    ).toBe('undone')
    expect(['READY', ...cases.map(([event]) => event)].toSorted()).toEqual(
      (await game.run<string[]>('Object.keys(library.Events)')).toSorted(),
    )
  },
)
