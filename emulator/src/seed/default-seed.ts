/** Default application, players and redirect URIs. */
import { defaultGuilds } from './default-guilds.js'
import { avatarHash } from './avatar-hash.js'
import type { Player, Seed } from './seed.js'

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
      children: [{ id: '1290148713275629601', name: 'Example Game: Arena' }],
    },
    players: structuredClone(players),
    guilds: defaultGuilds(),
  }
}
