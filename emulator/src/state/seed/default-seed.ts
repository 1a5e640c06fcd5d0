/** Default application, players and redirect URIs. */
import { PRIVILEGED_INTENTS } from '../../model/intent.js'
import { avatarHash } from './avatar.js'
import type { Guild, Player, Seed } from './seed.js'

const APPLICATION_ID = '1287654321098765433'

/** Ids exceed `Number.MAX_SAFE_INTEGER`, so that code which converts one to a number fails early. */
const players: Player[] = [
  {
    id: '175928847299117063',
    username: 'ada',
    globalName: 'Ada Quinn',
    avatar: avatarHash('175928847299117063'),
    email: 'ada@players.example',
    locale: 'en-US',
    adult: true,
  },
  {
    id: '211842960158326785',
    username: 'bruno',
    globalName: 'Bruno',
    avatar: avatarHash('211842960158326785'),
    email: 'bruno@players.example',
    locale: 'en-US',
    adult: true,
  },
  {
    id: '384610274955132929',
    username: 'chiyo',
    globalName: 'Chiyō Mori',
    avatar: avatarHash('384610274955132929'),
    email: 'chiyo@players.example',
    locale: 'ja',
    adult: true,
  },
  {
    id: '602934817264025603',
    username: 'zoe',
    globalName: 'Zoë Okafor',
    avatar: avatarHash('602934817264025603'),
    email: 'zoe@players.example',
    locale: 'en-GB',
    adult: false,
  },
  {
    id: '874523106983477251',
    username: 'lukasz',
    globalName: 'Łukasz',
    avatar: avatarHash('874523106983477251'),
    email: 'lukasz@players.example',
    locale: 'pl',
    adult: true,
  },
  {
    id: '1093847562019283747',
    username: 'mira.k',
    globalName: null,
    avatar: null,
    email: 'mira@players.example',
    locale: 'en-US',
    adult: true,
  },
]

/** Ports of loopback hosts are ignored; paths must match exactly. */
function redirectUrisOf(id: string): string[] {
  return [
    'http://localhost:5173/',
    'http://localhost:5173/callback.html',
    'http://127.0.0.1/callback',
    'http://127.0.0.1/callback.html',
    'http://localhost/callback',
    'http://localhost/callback.html',
    `service-${id}:/authorize/callback`,
    'mygame:/authorize/callback',
  ]
}

export function defaultSeed(id = APPLICATION_ID): Seed {
  return {
    application: {
      id,
      name: 'Example Game',
      redirectUris: redirectUrisOf(id),
      ownerId: '175928847299117063',
      team: false,
      activities: true,
      integrationTypes: [0, 1],
      discoverable: false,
      publicClient: true,
      privilegedIntents: [...PRIVILEGED_INTENTS],
      children: [{ id: '1290148713275629601', name: 'Example Game: Arena' }],
    },
    players: structuredClone(players),
    guilds: defaultGuilds(),
  }
}

/** View channels, send messages (in threads too), use commands. */
export const EVERYONES_PERMISSIONS = String((1n << 10n) | (1n << 11n) | (1n << 31n) | (1n << 38n))

const ADMINISTRATOR = String(1n << 3n)
const MANAGER = String((1n << 5n) | (1n << 28n) | (1n << 4n))
const MANAGE_ROLES = String(1n << 28n)
const SEND_MESSAGES = String(1n << 11n)
const VIEW_CHANNEL = String(1n << 10n)

const [ada, bruno, chiyo, zoe, lukasz, mira] = [
  '175928847299117063',
  '211842960158326785',
  '384610274955132929',
  '602934817264025603',
  '874523106983477251',
  '1093847562019283747',
]

/** Ada owns the Tavern, Bruno manages it, Chiyo is an administrator, Lukasz only manages its roles. */
const tavern: Guild = {
  id: '319560327719026709',
  name: 'The Tavern',
  ownerId: ada,
  installed: true,
  everyone: EVERYONES_PERMISSIONS,
  roles: [
    { id: '319561002948493345', name: 'Regular', permissions: '0' },
    { id: '319561488217833507', name: 'Role manager', permissions: MANAGE_ROLES },
    { id: '319561839302123553', name: 'Keeper', permissions: MANAGER },
    { id: '319562001983963169', name: 'Host', permissions: ADMINISTRATOR },
  ],
  channels: [
    { id: '319562910281203745', name: 'general', type: 0, parentId: null, nsfw: false, overwrites: [] },
    {
      id: '319563225103499297',
      name: 'announcements',
      type: 5,
      parentId: null,
      nsfw: false,
      overwrites: [forEveryone(SEND_MESSAGES)],
    },
    {
      id: '319563408822321185',
      name: 'backstage',
      type: 0,
      parentId: null,
      nsfw: false,
      overwrites: [forEveryone(VIEW_CHANNEL)],
    },
    { id: '319563701934981153', name: 'cellar', type: 0, parentId: null, nsfw: true, overwrites: [] },
    {
      id: '319563998103224353',
      name: 'quest-log',
      type: 11,
      parentId: '319562910281203745',
      nsfw: false,
      overwrites: [],
    },
  ],
  members: [
    { userId: ada, roles: [] },
    { userId: bruno, roles: ['319561839302123553'] },
    { userId: chiyo, roles: ['319562001983963169'] },
    { userId: zoe, roles: ['319561002948493345'] },
    { userId: lukasz, roles: ['319561488217833507', '319561002948493345'] },
    { userId: mira, roles: [] },
  ],
}

function defaultGuilds(): Guild[] {
  const playtesters = bareGuild({ id: '540218736401927171', name: 'Playtesters', ownerId: zoe })
  const club = bareGuild({ id: '1012345678901234567', name: 'Speedrun Club', ownerId: mira })
  return [
    structuredClone(tavern),
    { ...playtesters, members: withoutRoles([ada, zoe, lukasz]) },
    { ...club, installed: false, members: withoutRoles([bruno, chiyo, mira]) },
  ]
}

function withoutRoles(ids: string[]): Guild['members'] {
  return ids.map((userId) => ({ userId, roles: [] }))
}

function forEveryone(deny: string) {
  return { id: '319560327719026709', allow: '0', deny }
}

/** Guild with one channel and no members. */
export function bareGuild({ id, name, ownerId }: Pick<Guild, 'id' | 'name' | 'ownerId'>): Guild {
  const general = {
    id: String(BigInt(id) + 1n),
    name: 'general',
    type: 0,
    parentId: null,
    nsfw: false,
    overwrites: [],
  }
  return {
    id,
    name,
    ownerId,
    installed: true,
    everyone: EVERYONES_PERMISSIONS,
    roles: [],
    channels: [general],
    members: [],
  }
}

export function everybody(everyone: Player[]): Guild['members'] {
  return withoutRoles(everyone.map(({ id }) => id))
}
