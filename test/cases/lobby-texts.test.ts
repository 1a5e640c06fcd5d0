/** Texts of lobbies that are blank or cut in the middle of a character: SDK and emulator, which share no code, take and refuse the same. */
import { validateLobby, validateLobbyMember, validateLobbyMembers, type Issue } from 'foyer-sdk/server'
import { describe, expect, it } from 'vitest'
import {
  bulkBody,
  joinBody,
  lobbyBody,
  lobbyMessageBody,
  memberBody,
  moderationBody,
  problemsOf,
} from '../support/emulator-internals'
import { PLAYER_BODIES, validateModeration, validatePlayerBody } from '../support/internals'

const RULES = { metadataUnit: 'characters', messageLength: 2000 } as const
const ID = '1575683824195469312'

interface Body {
  readonly issues: (body: unknown) => readonly Issue[]
  readonly schema: Parameters<typeof problemsOf>[0]
}

const BODIES = {
  join: { issues: (body) => validatePlayerBody(body, 'join'), schema: joinBody(RULES) },
  message: { issues: (body) => validatePlayerBody(body, 'message'), schema: lobbyMessageBody(RULES) },
  lobby: { issues: (body) => validateLobby(body, 'create'), schema: lobbyBody(RULES) },
  member: { issues: validateLobbyMember, schema: memberBody(RULES) },
  moderation: { issues: validateModeration, schema: moderationBody },
  bulk: { issues: validateLobbyMembers, schema: bulkBody(RULES) },
} satisfies Record<string, Body>

interface Field {
  readonly body: keyof typeof BODIES
  readonly make: (text: string) => unknown
  /** A text of white space. Default: `taken`. The emulator has an error of its own, beside its schemas, for a message without a text. */
  readonly blank?: 'refused' | 'has an error of its own'
}

/** Every text of a body about a lobby. */
const FIELDS: Readonly<Record<string, Field>> = {
  'the secret of a join': { body: 'join', make: (secret) => ({ secret }), blank: 'refused' },
  'the metadata of a joined lobby': { body: 'join', make: (a) => ({ secret: 's', lobby_metadata: { a } }) },
  'a key of the metadata of a joined lobby': {
    body: 'join',
    make: (key) => ({ secret: 's', lobby_metadata: { [key]: '' } }),
  },
  'the metadata of a joining member': {
    body: 'join',
    make: (a) => ({ secret: 's', member_metadata: { a } }),
  },
  'the content of a message': {
    body: 'message',
    make: (content) => ({ content }),
    blank: 'has an error of its own',
  },
  'the metadata of a message': { body: 'message', make: (a) => ({ content: 'x', metadata: { a } }) },
  'the metadata of a lobby': { body: 'lobby', make: (a) => ({ metadata: { a } }) },
  'a key of the metadata of a lobby': { body: 'lobby', make: (key) => ({ metadata: { [key]: '' } }) },
  'the metadata of a member of a lobby': {
    body: 'lobby',
    make: (a) => ({ members: [{ id: ID, metadata: { a } }] }),
  },
  'the metadata of a member': { body: 'member', make: (a) => ({ metadata: { a } }) },
  'the additional name of a member': {
    body: 'member',
    make: (additional_name) => ({ additional_name }),
  },
  'what a moderator notes of a message': { body: 'moderation', make: (a) => ({ a }) },
  'a key of it': { body: 'moderation', make: (key) => ({ [key]: '' }) },
  'the metadata of one of many members': { body: 'bulk', make: (a) => [{ id: ID, metadata: { a } }] },
  'the additional name of one of many members': {
    body: 'bulk',
    make: (additional_name) => [{ id: ID, additional_name }],
  },
}

const WHOLE = ['a', '♞ 🐎', '👨‍👩‍👧', '\u{10ffff}', ' a ', 'e\u0301', '\u0000a']
const CUT = [
  '♞ 🐎'.slice(0, 3),
  '\ud83d',
  '\udc0e',
  'a\udc0e',
  '\udc0e\ud83d',
  '🐎\ud83d',
  '\ud83d\ud83d\udc0e',
  'a\udbff',
]
const BLANK = [' ', '\n', '\t\r\n', '\u00a0', '\u3000', '\u2028', '\ufeff']

const verdictsOf = ({ body, make }: Field, text: string): { sdk: boolean; emulator: boolean } => {
  const { issues, schema } = BODIES[body]
  const sent: unknown = JSON.parse(JSON.stringify(make(text)))
  return { sdk: issues(sent).length === 0, emulator: problemsOf(schema, sent).length === 0 }
}
const BOTH = { sdk: true, emulator: true }
const NEITHER = { sdk: false, emulator: false }

describe.each(Object.entries(FIELDS))('%s', (_, field) => {
  it.each(WHOLE)('may be %j', (text) => expect(verdictsOf(field, text)).toEqual(BOTH))
  it.each(CUT)('may not be %j, which is cut', (text) => expect(verdictsOf(field, text)).toEqual(NEITHER))
  const { blank = 'taken' } = field
  it.each(blank === 'has an error of its own' ? [] : BLANK)(`may be blank, as %j: ${blank}`, (text) =>
    expect(verdictsOf(field, text)).toEqual(blank === 'refused' ? NEITHER : BOTH),
  )
})

it('has every text of the bodies that a page asks its backend to send', () => {
  const names = Object.values(PLAYER_BODIES).flatMap((shape) => Object.keys(shape))
  const made = Object.values(FIELDS).map(({ make }) => JSON.stringify(make('x')))
  const without = (given: readonly string[]) =>
    given.filter((name) => !made.some((body) => body.includes(`"${name}"`)))
  // Numbers and ids.
  expect(without(names)).toEqual(['idle_timeout_seconds', 'channel_id'])
  expect(without([...names, 'a_newcomer'])).toContain('a_newcomer')
})
