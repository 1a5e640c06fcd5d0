/** The guilds that an emulator has when nobody says otherwise, and what a guild has that says little about itself. */
import type { Guild, Player } from './seed.js'

/** See channels, send messages, use commands. */
export const everyonesPermissions = String((1n << 10n) | (1n << 11n) | (1n << 31n))

const administrator = String(1n << 3n)
const keeper = String((1n << 5n) | (1n << 28n) | (1n << 4n))
const roleManager = String(1n << 28n)
const sendMessages = String(1n << 11n)
const viewChannel = String(1n << 10n)

const [ada, bruno, chiyo, zoe, lukasz, mira] = [
  '175928847299117063',
  '211842960158326785',
  '384610274955132929',
  '602934817264025603',
  '874523106983477251',
  '1093847562019283747',
]

/** Ada owns the Tavern, Bruno keeps it, Chiyo administers it, Lukasz manages its roles only. */
export function defaultGuilds(): Guild[] {
  return [
    {
      id: '319560327719026709',
      name: 'The Tavern',
      ownerId: ada,
      installed: true,
      everyone: everyonesPermissions,
      roles: [
        { id: '319561002948493345', name: 'Regular', permissions: '0' },
        { id: '319561488217833507', name: 'Role manager', permissions: roleManager },
        { id: '319561839302123553', name: 'Keeper', permissions: keeper },
        { id: '319562001983963169', name: 'Host', permissions: administrator },
      ],
      channels: [
        channel('319562910281203745', 'general'),
        {
          ...channel('319563225103499297', 'announcements', 5),
          overwrites: [{ id: '319560327719026709', allow: '0', deny: sendMessages }],
        },
        { ...channel('319563408822321185', 'backstage'), overwrites: [{ id: '319560327719026709', allow: '0', deny: viewChannel }] },
        { ...channel('319563998103224353', 'quest-log', 11), parentId: '319562910281203745' },
      ],
      members: [
        { userId: ada, roles: [] },
        { userId: bruno, roles: ['319561839302123553'] },
        { userId: chiyo, roles: ['319562001983963169'] },
        { userId: zoe, roles: ['319561002948493345'] },
        { userId: lukasz, roles: ['319561488217833507', '319561002948493345'] },
        { userId: mira, roles: [] },
      ],
    },
    {
      ...bareGuild({ id: '540218736401927171', name: 'Playtesters', ownerId: zoe }),
      members: [ada, zoe, lukasz].map((userId) => ({ userId, roles: [] })),
    },
    {
      ...bareGuild({ id: '1012345678901234567', name: 'Speedrun Club', ownerId: mira }),
      installed: false,
      members: [bruno, chiyo, mira].map((userId) => ({ userId, roles: [] })),
    },
  ]
}

/** A guild with one channel and nobody in it. */
export function bareGuild({ id, name, ownerId }: Pick<Guild, 'id' | 'name' | 'ownerId'>): Guild {
  const general = channel(String(BigInt(id) + 1n), 'general')
  return { id, name, ownerId, installed: true, everyone: everyonesPermissions, roles: [], channels: [general], members: [] }
}

export function everybody(players: Player[]): Guild['members'] {
  return players.map(({ id }) => ({ userId: id, roles: [] }))
}

function channel(id: string, name: string, type = 0): Guild['channels'][number] {
  return { id, name, type, parentId: null, overwrites: [] }
}
