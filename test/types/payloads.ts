/** The example payloads of the interface, checked against the types by `tsc -p tsconfig.json`. */
import type {
  ApplicationCommandAutocompleteInteraction,
  ApplicationCommandInteraction,
  CallbackResponse,
  InteractionResponse,
  OptionEntry,
  PingInteraction,
} from 'foyer-sdk/server'

/** IDs are branded types; these are written by hand. */
type Plain<T> = T extends string
  ? string extends T
    ? T
    : T extends { length: number } & object
      ? string
      : T
  : T extends object
    ? { [K in keyof T]: Plain<T[K]> }
    : T

const user = {
  id: '53908232506183680',
  username: 'Mason',
  avatar: 'a_d5efa99b3eeaa7dd43acca82f5692432',
  discriminator: '1337',
  public_flags: 131_141,
}
const member = {
  user,
  roles: ['539082325061836999'],
  premium_since: null,
  permissions: '2147483647',
  pending: false,
  nick: null,
  mute: false,
  joined_at: '2017-03-13T19:19:14.040000+00:00',
  is_pending: false,
  deaf: false,
  avatar: null,
}
const common = {
  id: '786008729715212338',
  application_id: '845027738276462632',
  token: 'A_UNIQUE_TOKEN',
  version: 1,
  guild_id: '290926798626357999',
  channel_id: '645027906669510667',
  guild_locale: 'pt-BR',
  locale: 'en-US',
  app_permissions: '442368',
  member,
}

export const ping: Plain<PingInteraction> = { id: '1', application_id: '2', type: 1, token: 't', version: 1 }

export const commands: Plain<ApplicationCommandInteraction>[] = [
  {
    ...common,
    type: 2,
    data: {
      id: '1',
      name: 'cardsearch',
      type: 1,
      options: [{ type: 3, name: 'cardname', value: 'The Gitrog Monster' }],
    },
  },
  {
    ...common,
    type: 2,
    data: {
      id: '1',
      name: 'permissions',
      type: 1,
      options: [{ type: 2, name: 'user', options: [{ type: 1, name: 'get', options: [] }] }],
    },
  },
  {
    ...common,
    type: 2,
    data: {
      id: '1',
      name: 'High Five',
      type: 2,
      target_id: '5',
      resolved: {
        users: { '5': user },
        members: {
          '5': {
            roles: [],
            premium_since: null,
            permissions: '0',
            pending: false,
            nick: null,
            joined_at: '',
            is_pending: false,
            avatar: null,
          },
        },
      },
    },
  },
  {
    ...common,
    type: 2,
    data: {
      id: '1',
      name: 'Bookmark',
      type: 3,
      target_id: '9',
      resolved: { messages: { '9': { id: '9', channel_id: '1', content: 'hi', author: user, flags: 0 } } },
    },
  },
  { ...common, type: 2, data: { id: '1', name: 'Launch', type: 4 } },
  // A direct message has a user and no guild.
  {
    id: '1',
    application_id: '2',
    type: 2,
    token: 't',
    version: 1,
    channel_id: '3',
    user,
    context: 1,
    locale: 'de',
    data: { id: '1', name: 'Launch', type: 4 },
  },
]

export const autocomplete: Plain<ApplicationCommandAutocompleteInteraction> = {
  ...common,
  type: 4,
  data: {
    id: '1',
    name: 'airhorn',
    type: 1,
    version: '847194950382780532',
    options: [{ type: 3, name: 'variant', value: 'data a', focused: true }],
  },
}

const menu = { id: '1', name: 'a', type: 2, target_id: '1', resolved: {} } as const
// @ts-expect-error Autocomplete is for slash commands only.
export const menuAutocomplete: Plain<ApplicationCommandAutocompleteInteraction>['data'] = menu

// @ts-expect-error A subcommand has options, and no value.
export const both: Plain<OptionEntry> = { type: 1, name: 'b', value: 'x' }

export const responses: InteractionResponse[] = [
  { type: 1 },
  { type: 4, data: { content: 'hi', flags: 64, allowed_mentions: { parse: [] } } },
  { type: 5, data: { flags: 64 } },
  { type: 6 },
  { type: 7, data: { content: 'new' } },
  { type: 8, data: { choices: [{ name: 'a', value: 1 }] } },
  { type: 9, data: { custom_id: 'a', title: 'b', components: [] } },
  { type: 12 },
  // @ts-expect-error The Activity takes no data.
  { type: 12, data: {} },
]

export const callback: Plain<CallbackResponse> = {
  interaction: { id: '1', type: 2, activity_instance_id: 'i-1-gc-2-3' },
  resource: { type: 12, activity_instance: { id: 'i-1-gc-2-3' } },
}
