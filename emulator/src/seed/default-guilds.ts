/** Default guilds, and the defaults of a guild's fields. */
import type { Guild, Player } from './seed.js'

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
    { id: '319563225103499297', name: 'announcements', type: 5, parentId: null, nsfw: false, overwrites: [forEveryone(SEND_MESSAGES)] },
    { id: '319563408822321185', name: 'backstage', type: 0, parentId: null, nsfw: false, overwrites: [forEveryone(VIEW_CHANNEL)] },
    { id: '319563701934981153', name: 'cellar', type: 0, parentId: null, nsfw: true, overwrites: [] },
    { id: '319563998103224353', name: 'quest-log', type: 11, parentId: '319562910281203745', nsfw: false, overwrites: [] },
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

export function defaultGuilds(): Guild[] {
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
  const general = { id: String(BigInt(id) + 1n), name: 'general', type: 0, parentId: null, nsfw: false, overwrites: [] }
  return { id, name, ownerId, installed: true, everyone: EVERYONES_PERMISSIONS, roles: [], channels: [general], members: [] }
}

export function everybody(players: Player[]): Guild['members'] {
  return withoutRoles(players.map(({ id }) => id))
}
