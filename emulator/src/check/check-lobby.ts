/** Validates the bodies of lobbies and their members, and collects all problems. */
import { fieldsOf, isObject, isSnowflake } from '../foundation/values.js'
import type { Metadata } from '../model/lobby.js'
import type { LobbyBehavior } from '../state/lobby-behavior.js'
import { checkText, lengthOf } from './check-names.js'
import {
  EMPTY,
  NOT_BOOLEAN,
  NOT_INTEGER,
  NOT_LIST,
  NOT_OBJECT,
  NOT_SNOWFLAKE,
  NOT_TEXT,
  REPEATED,
  REQUIRED,
  oneOf,
  outside,
  tooMany,
  type ValidationContext,
  type ValidationProblem,
} from './validation-context.js'

const HOUR = 3_600_000

export const LOBBY_LIMITS = {
  /** Keys and values of a dictionary together. */
  metadata: 1000,
  /** Members in one body; a lobby may have more. */
  membersInBody: 25,
  members: 1000,
  idleSeconds: { smallest: 5, usual: 300, largest: 604_800 },
  secret: 250,
  additionalName: 80,
  eventsUrl: 512,
  messages: { usual: 50, largest: 200, life: 72 * HOUR },
  moderation: { keys: 5, keyLength: 1024, valueLength: 2000 },
} as const

type Rules = Pick<LobbyBehavior, 'metadataUnit'>

/** Fields of a body; undefined leaves a field unchanged. */
export interface MemberInput {
  metadata: Metadata | undefined
  flags: number | undefined
  additionalName: string | null | undefined
}

export interface LobbyInput {
  metadata: Metadata | undefined
  members: ({ userId: string } & MemberInput)[] | undefined
  /** Seconds; null resets it to the default. */
  idleSeconds: number | null | undefined
}

export interface JoinInput {
  secret: string
  idleSeconds: number | null | undefined
  lobbyMetadata: Metadata | undefined
  memberMetadata: Metadata | undefined
}

export type BulkInput = { userId: string; remove: boolean } & MemberInput

const NOT_METADATA: ValidationProblem = {
  code: 'DICT_TYPE_CONVERT',
  message: 'Only dictionaries may be used in a DictType',
  rule: 'must be an object of texts',
}
const NOT_URL: ValidationProblem = {
  code: 'URL_TYPE_INVALID_URL',
  message: 'Not a well formed URL.',
  rule: 'must be a URL',
}
const METADATA_TOO_LONG: ValidationProblem = {
  code: 'BASE_TYPE_MAX_LENGTH',
  message: `Must be ${LOBBY_LIMITS.metadata} or fewer in length.`,
  rule: `must have at most ${LOBBY_LIMITS.metadata} characters, keys and values together`,
}

/** The result is complete only if there are no errors; the same applies to the other functions here. */
export function checkLobby(body: unknown, validation: ValidationContext, rules: Rules): LobbyInput {
  if (!isObject(body)) validation.addError(NOT_OBJECT)
  const {
    metadata,
    members,
    idle_timeout_seconds,
    flags,
    override_event_webhooks_url: eventsUrl,
  } = fieldsOf(body)
  checkLobbyFlags(flags, validation.at('flags'))
  checkEventsUrl(eventsUrl, validation.at('override_event_webhooks_url'))
  return {
    metadata: checkMetadata(metadata, validation.at('metadata'), rules),
    members: checkMembers(members, validation.at('members'), rules),
    idleSeconds: checkIdle(idle_timeout_seconds, validation.at('idle_timeout_seconds')),
  }
}

export function checkJoin(body: unknown, validation: ValidationContext, rules: Rules): JoinInput {
  if (!isObject(body)) validation.addError(NOT_OBJECT)
  const { secret, idle_timeout_seconds, lobby_metadata, member_metadata, flags } = fieldsOf(body)
  checkLobbyFlags(flags, validation.at('flags'))
  return {
    secret:
      isObject(body) && checkText(secret, validation.at('secret'), { largest: LOBBY_LIMITS.secret })
        ? secret
        : '',
    idleSeconds: checkIdle(idle_timeout_seconds, validation.at('idle_timeout_seconds')),
    lobbyMetadata: checkMetadata(lobby_metadata, validation.at('lobby_metadata'), rules),
    memberMetadata: checkMetadata(member_metadata, validation.at('member_metadata'), rules),
  }
}

/** Body of one member, with an optional additional name. */
export function checkMember(body: unknown, validation: ValidationContext, rules: Rules): MemberInput {
  if (!isObject(body)) validation.addError(NOT_OBJECT)
  const { metadata, flags, additional_name } = fieldsOf(body)
  return {
    metadata: checkMetadata(metadata, validation.at('metadata'), rules),
    flags: checkFlags(flags, validation.at('flags')),
    additionalName: checkName(additional_name, validation.at('additional_name')),
  }
}

export function checkBulk(body: unknown, validation: ValidationContext, rules: Rules): BulkInput[] {
  if (!Array.isArray(body)) {
    validation.addError(NOT_LIST)
    return []
  }
  if (body.length === 0) validation.addError(EMPTY)
  return readMembers(body, validation, (item, at) => {
    const { remove_member: remove = false } = fieldsOf(item)
    if (typeof remove !== 'boolean') at.at('remove_member').addError(NOT_BOOLEAN)
    return { ...checkMember(item, at, rules), remove: remove === true }
  })
}

export function checkMetadata(
  value: unknown,
  validation: ValidationContext,
  { metadataUnit }: Rules,
): Metadata | undefined {
  if (value === undefined || value === null) return value
  if (!isObject(value)) {
    validation.addError(NOT_METADATA)
    return undefined
  }
  for (const [key, text] of Object.entries(value))
    if (typeof text !== 'string') validation.at(key).addError(NOT_TEXT)
  if (!isTexts(value)) return undefined
  if (sizes[metadataUnit](value) > LOBBY_LIMITS.metadata) validation.addError(METADATA_TOO_LONG)
  return value
}

const sizes: Record<LobbyBehavior['metadataUnit'], (metadata: Record<string, string>) => number> = {
  characters: (metadata) => sum(Object.entries(metadata).flat(), lengthOf),
  bytes: (metadata) => sum(Object.entries(metadata).flat(), (text) => Buffer.byteLength(text)),
  json: (metadata) => JSON.stringify(metadata).length,
}

function sum(texts: string[], size: (text: string) => number): number {
  return texts.reduce((total, text) => total + size(text), 0)
}

function checkMembers(value: unknown, validation: ValidationContext, rules: Rules): LobbyInput['members'] {
  if (value === undefined || value === null) return undefined
  if (!Array.isArray(value)) {
    validation.addError(NOT_LIST)
    return undefined
  }
  // Additional names cannot be set in bulk, only for one member at a time.
  return readMembers(value, validation, (item, at) => ({
    metadata: checkMetadata(fieldsOf(item)['metadata'], at.at('metadata'), rules),
    flags: checkFlags(fieldsOf(item)['flags'], at.at('flags')),
    additionalName: undefined,
  }))
}

function readMembers<Item>(
  value: unknown[],
  validation: ValidationContext,
  read: (item: unknown, at: ValidationContext) => Item,
): ({ userId: string } & Item)[] {
  if (value.length > LOBBY_LIMITS.membersInBody) validation.addError(tooMany(LOBBY_LIMITS.membersInBody))
  const seen = new Set<unknown>()
  return value.map((item, index) => {
    const at = validation.at(index)
    const { id } = fieldsOf(item)
    if (!isObject(item)) at.addError(NOT_OBJECT)
    else if (!isSnowflake(id)) at.at('id').addError(id === undefined ? REQUIRED : NOT_SNOWFLAKE)
    else if (seen.has(id)) at.at('id').addError(REPEATED)
    seen.add(id)
    return { userId: isSnowflake(id) ? id : '', ...read(item, at) }
  })
}

function checkFlags(value: unknown, validation: ValidationContext): number | undefined {
  if (value === undefined) return undefined
  if (value === null) return 0
  if (value === 0 || value === 1) return value
  validation.addError(Number.isInteger(value) ? oneOf([0, 1]) : NOT_INTEGER)
  return undefined
}

/** Their meaning is not documented: they are checked, and not kept (docs/interface/lobbies.md#lobby). */
function checkLobbyFlags(value: unknown, validation: ValidationContext): void {
  if (value === undefined || value === null || value === 1) return
  validation.addError(Number.isInteger(value) ? oneOf([1]) : NOT_INTEGER)
}

function checkEventsUrl(value: unknown, validation: ValidationContext): void {
  if (value === undefined || value === null) return
  if (checkText(value, validation, { largest: LOBBY_LIMITS.eventsUrl }) && !URL.canParse(value))
    validation.addError(NOT_URL)
}

function checkIdle(value: unknown, validation: ValidationContext): number | null | undefined {
  if (value === undefined || value === null) return value
  const { smallest, largest } = LOBBY_LIMITS.idleSeconds
  if (typeof value !== 'number' || !Number.isInteger(value)) validation.addError(NOT_INTEGER)
  else if (value < smallest || value > largest) validation.addError(outside(smallest, largest))
  else return value
  return undefined
}

function checkName(value: unknown, validation: ValidationContext): string | null | undefined {
  if (value === undefined || value === null) return value
  return checkText(value, validation, { largest: LOBBY_LIMITS.additionalName }) ? value : undefined
}

function isTexts(value: Record<string, unknown>): value is Record<string, string> {
  return Object.values(value).every((text) => typeof text === 'string')
}
