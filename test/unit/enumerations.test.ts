/** Numbers with a name, in code, comments and docs, compared with public typings of such a service that this project did not write. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as Embedded from '@discord/embedded-app-sdk'
import * as Public from 'discord-api-types/v10'
import { IntegrationType } from 'foyer-sdk'
import * as Server from 'foyer-sdk/server'
import { describe, expect, it, test } from 'vitest'
import { ROOT } from '../package/markdown-pages'

type Numbers = Readonly<Record<string, number | bigint>>

/** Spells a name as the public typings do: `SUB_COMMAND_GROUP`, `premium subscription` and `SubcommandGroup` are alike. */
const plain = (name: string) => name.replaceAll(/[\W_]/g, '').toLowerCase()

/** Names that differ: those with the service's brand, and words that this project says otherwise. */
const SYNONYMS: Readonly<Record<string, string>> = {
  servicelaunchactivity: 'discordlaunchactivity',
  giftofthedeveloper: 'developergift',
  purchaseintestmode: 'testmodepurchase',
  free: 'freepurchase',
  giftofauser: 'usergift',
  freewithpremium: 'premiumpurchase',
  subscriptionoftheapplication: 'applicationsubscription',
  oneline: 'short',
  severallines: 'paragraph',
  pictureinpicture: 'pip',
  deferredupdatemessage: 'deferredmessageupdate',
}

function numbersOf(enumeration: object): Map<string, string> {
  const entries = Object.entries(enumeration).filter(
    ([name, value]) => !/^-?\d+$/.test(name) && /^(number|bigint)$/.test(typeof value),
  )
  return new Map(entries.map(([name, value]): [string, string] => [plain(name), String(value)]))
}

/** Names of ours whose number is another one at the witness, or unknown to it. */
function differences(ours: Numbers, witness: object): string[] {
  const known = numbersOf(witness)
  return Object.entries(ours)
    .filter(([name, value]) => known.get(SYNONYMS[plain(name)] ?? plain(name)) !== String(value))
    .map(([name, value]) => `${name} ${value}`)
}

const text = (path: string) => readFileSync(join(ROOT, path), 'utf8')

/** `1 purchase, 2 gift` of the comment that contains `near`. */
function listedIn(path: string, near: string): Numbers {
  const line = text(path)
    .split('\n')
    .find((each) => each.includes(near))
  const entries = [...(line ?? '').matchAll(/(\d+) ([a-z][a-z ]*[a-z])(?=[,;.]|$| \()/g)].map(
    ({ 1: value, 2: name = '' }) => [name, Number(value)],
  )
  return Object.fromEntries(entries)
}

/** `1 PONG, 4 MODAL` of a comment of two lines. */
function numbered(path: string, near: string): Numbers {
  const [, from = ''] = text(path).split(near)
  const [list = ''] = `${near}${from}`.split('*/')
  return Object.fromEntries(
    [...list.matchAll(/(\d+)\s+(?:\*\s+)?([A-Z_]+)/g)].map(({ 1: value, 2: name = '' }) => [
      name,
      Number(value),
    ]),
  )
}

/** `NAME 5` and `NAME 1<<5` of a paragraph, with or without code marks. */
function named(path: string, near: string): Numbers {
  const paragraph = text(path)
    .split('\n')
    .find((each) => each.includes(near))
  const entries = [...(paragraph ?? '').matchAll(/\b([A-Z][A-Z0-9_]{2,})`? (?:(\d+)<<)?(\d+)/g)].map(
    ({ 1: name = '', 2: base, 3: number = '' }) => [
      name,
      base === undefined ? BigInt(number) : BigInt(base) << BigInt(number),
    ],
  )
  return Object.fromEntries(entries)
}

/** Rows `| NAME | 5 |` of the table below a heading, or `| 5 | name |`. */
function table(path: string, heading: string): Numbers {
  const [, section = ''] = text(path).split(heading)
  const [rows = ''] = /(?:^\|.*\n)+/m.exec(section) ?? []
  const entries = [
    ...rows.matchAll(/^\| (?:`?([A-Z][A-Z0-9_ ]+?)`? +\| (\d+) |(\d+) +\| ([a-z ]+?) +\|)/gm),
  ].map(({ 1: name, 2: value, 3: first, 4: words }) => [name ?? words, Number(value ?? first)])
  return Object.fromEntries(entries)
}

const INTERFACE = 'docs/interface'
const HOST_TYPES = 'src/client/activity/host-types.ts'

/** Every enumeration: what this project says, and its witness. */
const ENUMERATIONS: readonly [what: string, ours: Numbers, witness: object][] = [
  ['command types', Server.CommandType, Public.ApplicationCommandType],
  ['handlers of entry points', Server.EntryPointHandler, Public.EntryPointCommandHandlerType],
  ['option types', Server.OptionType, { ...Public.ApplicationCommandOptionType, SubCommand: 1 }],
  ['installation types', Server.InstallContext, Public.ApplicationIntegrationType],
  ['installation types of a sign-in', IntegrationType, Public.ApplicationIntegrationType],
  ['interaction contexts', Server.InteractionContext, Public.InteractionContextType],
  ['permission types', Server.PermissionType, Public.ApplicationCommandPermissionType],
  ['channel types', Server.ChannelType, Public.ChannelType],
  [
    'channel types on the page',
    named(`${INTERFACE}/commands.md`, 'values of `channel_types`'),
    Public.ChannelType,
  ],
  [
    'command types on the page',
    table(`${INTERFACE}/commands.md`, '## Command types'),
    Public.ApplicationCommandType,
  ],
  [
    'handlers on the page',
    table(`${INTERFACE}/commands.md`, '## Entry points'),
    Public.EntryPointCommandHandlerType,
  ],
  [
    'option types on the page',
    table(`${INTERFACE}/commands.md`, '## Option types'),
    Public.ApplicationCommandOptionType,
  ],
  [
    'contexts on the page',
    table(`${INTERFACE}/commands.md`, 'no further integration types'),
    Public.InteractionContextType,
  ],
  [
    'permission bits',
    named(`${INTERFACE}/command-permissions.md`, '`ADMINISTRATOR` 1<<3'),
    Public.PermissionFlagsBits,
  ],
  [
    'interaction types',
    table(`${INTERFACE}/interactions.md`, '## Interaction object'),
    Public.InteractionType,
  ],
  ['response types', table(`${INTERFACE}/interactions.md`, '## Responses'), Public.InteractionResponseType],
  [
    'response types in the code',
    numbered('src/shared/wire/interaction-response.ts', '1 PONG'),
    Public.InteractionResponseType,
  ],
  ['message flags', named(`${INTERFACE}/messages.md`, '`EPHEMERAL` 64'), Public.MessageFlags],
  [
    'message flags in the code',
    named('src/shared/wire/interaction-response.ts', 'EPHEMERAL 64'),
    Public.MessageFlags,
  ],
  ['components of messages', table(`${INTERFACE}/messages.md`, '## Components'), Public.ComponentType],
  ['components of modals', table(`${INTERFACE}/messages.md`, '## Modals'), Public.ComponentType],
  [
    'close codes of a host window',
    table(`${INTERFACE}/activities.md`, 'start and end the delivery'),
    Embedded.RPCCloseCodes,
  ],
  [
    'error codes of a host window',
    table(`${INTERFACE}/activities.md`, '| INVALID_ENCODING'),
    Embedded.RPCErrorCodes,
  ],
  ['activity types', listedIn(HOST_TYPES, '0 playing'), Public.ActivityType],
  ['types of purchases', Server.EntitlementType, Public.EntitlementType],
  ['types of products', Server.SkuType, Public.SKUType],
  ['entitlement types', listedIn(HOST_TYPES, '1 purchase'), Public.EntitlementType],
  [
    'product types',
    listedIn(HOST_TYPES, '2 durable'),
    { ...Public.SKUType, Bundle: Embedded.Common.SkuTypeObject.BUNDLE },
  ],
  ['layouts', listedIn(HOST_TYPES, '0 focused'), Embedded.Common.LayoutModeTypeObject],
  ['orientations', listedIn(HOST_TYPES, '0 portrait'), Embedded.Common.OrientationTypeObject],
  ['orientation locks', listedIn(HOST_TYPES, '1 unlocked'), Embedded.Common.OrientationLockStateTypeObject],
  ['thermal states', listedIn(HOST_TYPES, '0 nominal'), Embedded.Common.ThermalStateTypeObject],
  ['button styles', listedIn('src/shared/wire/message-components.ts', '1 primary'), Public.ButtonStyle],
  ['separators', listedIn('src/shared/wire/message-components.ts', '1 small'), Public.SeparatorSpacingSize],
  ['text inputs', listedIn('src/shared/wire/modal-components.ts', '1 one line'), Public.TextInputStyle],
]

describe('numbers with a name agree with public typings', () => {
  it.each(ENUMERATIONS)('%s', (_, ours, witness) => {
    expect(Object.keys(ours).length).toBeGreaterThan(1)
    expect(differences(ours, witness)).toEqual([])
  })

  it('and a wrong one is found', () => {
    expect(differences({ PURCHASE: 1, USER_GIFT: 8, NOTHING: 3 }, Public.EntitlementType)).toEqual([
      'USER_GIFT 8',
      'NOTHING 3',
    ])
  })
})

test('locales agree with public typings, apart from the two that only the machine-readable description has', () => {
  const line =
    text(`${INTERFACE}/commands.md`)
      .split('\n')
      .find((each) => each.startsWith('The interface does not list the locales')) ?? ''
  const ours = [...line.matchAll(/`([\w-]+)`/g)].map(([, locale]) => locale)
  expect(ours.filter((locale) => !Object.values<unknown>(Public.Locale).includes(locale))).toEqual([
    'ar',
    'he',
  ])
  expect(Object.values(Public.Locale).filter((locale) => !ours.includes(locale))).toEqual([])
})

test('permission bits in the code of both trees agree with public typings', () => {
  const bits = ['src', 'emulator/src'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /permission/.test(name) && name.endsWith('.ts'))
      .flatMap((name) => [...text(`${folder}/${name}`).matchAll(/const (\w+) = 1n << (\d+)n/g)])
      .map(({ 1: name = '', 2: bit = '' }): [string, bigint] => [name, 1n << BigInt(bit)]),
  )
  expect(bits.length).toBeGreaterThan(8)
  expect(bits.flatMap(([name, bit]) => differences({ [name]: bit }, Public.PermissionFlagsBits))).toEqual([])
})
