/** Checks the bodies that make and change lobbies and their members, and finds everything that is wrong with them. */
import { isSnowflake } from '../commands/check-command.js'
import {
  empty,
  notBoolean,
  notInteger,
  notList,
  notObject,
  notSnowflake,
  notText,
  oneOf,
  outside,
  repeated,
  required,
  tooMany,
  type Problem,
  type Spot,
} from '../commands/problems.js'
import { checkText, lengthOf } from '../commands/texts.js'
import { fieldsOf, isObject } from '../decode.js'
import type { LobbyKnobs } from './knobs.js'
import type { Metadata } from './lobby.js'
import { lobbyLimits } from './lobby-limits.js'

type Rules = Pick<LobbyKnobs, 'metadataUnit'>

/** What a body names; undefined is left as it is. */
export interface MemberInput {
  metadata: Metadata | undefined
  flags: number | undefined
  additionalName: string | null | undefined
}

export interface LobbyInput {
  metadata: Metadata | undefined
  members: ({ userId: string } & MemberInput)[] | undefined
  /** Null is the usual time. */
  idleSeconds: number | null | undefined
}

export interface JoinInput {
  secret: string
  idleSeconds: number | null | undefined
  lobbyMetadata: Metadata | undefined
  memberMetadata: Metadata | undefined
}

export type BulkInput = { userId: string; remove: boolean } & MemberInput

const notMetadata: Problem = {
  code: 'DICT_TYPE_CONVERT',
  message: 'Only dictionaries may be used in a DictType',
  rule: 'must be an object of texts',
}
const metadataTooLong: Problem = {
  code: 'BASE_TYPE_MAX_LENGTH',
  message: `Must be ${lobbyLimits.metadata} or fewer in length.`,
  rule: `must have at most ${lobbyLimits.metadata} characters, keys and values together`,
}

/** Complete only when nothing was found wrong; so are the other results here. */
export function checkLobby(body: unknown, spot: Spot, rules: Rules): LobbyInput {
  if (!isObject(body)) spot.refuse(notObject)
  const { metadata, members, idle_timeout_seconds } = fieldsOf(body)
  return {
    metadata: checkMetadata(metadata, spot.at('metadata'), rules),
    members: checkMembers(members, spot.at('members'), rules),
    idleSeconds: checkIdle(idle_timeout_seconds, spot.at('idle_timeout_seconds')),
  }
}

export function checkJoin(body: unknown, spot: Spot, rules: Rules): JoinInput {
  if (!isObject(body)) spot.refuse(notObject)
  const { secret, idle_timeout_seconds, lobby_metadata, member_metadata } = fieldsOf(body)
  return {
    secret: isObject(body) && checkText(secret, spot.at('secret'), { largest: lobbyLimits.secret }) ? secret : '',
    idleSeconds: checkIdle(idle_timeout_seconds, spot.at('idle_timeout_seconds')),
    lobbyMetadata: checkMetadata(lobby_metadata, spot.at('lobby_metadata'), rules),
    memberMetadata: checkMetadata(member_metadata, spot.at('member_metadata'), rules),
  }
}

/** The body of one member, who may have a name of their own in the lobby. */
export function checkMember(body: unknown, spot: Spot, rules: Rules): MemberInput {
  if (!isObject(body)) spot.refuse(notObject)
  const { metadata, flags, additional_name } = fieldsOf(body)
  return {
    metadata: checkMetadata(metadata, spot.at('metadata'), rules),
    flags: checkFlags(flags, spot.at('flags')),
    additionalName: checkName(additional_name, spot.at('additional_name')),
  }
}

export function checkBulk(body: unknown, spot: Spot, rules: Rules): BulkInput[] {
  if (!Array.isArray(body)) {
    spot.refuse(notList)
    return []
  }
  if (body.length === 0) spot.refuse(empty)
  return readMembers(body, spot, (item, at) => {
    const { remove_member: remove = false } = fieldsOf(item)
    if (typeof remove !== 'boolean') at.at('remove_member').refuse(notBoolean)
    return { ...checkMember(item, at, rules), remove: remove === true }
  })
}

export function checkMetadata(value: unknown, spot: Spot, { metadataUnit }: Rules): Metadata | undefined {
  if (value === undefined || value === null) return value
  if (!isObject(value)) {
    spot.refuse(notMetadata)
    return undefined
  }
  for (const [key, text] of Object.entries(value)) if (typeof text !== 'string') spot.at(key).refuse(notText)
  if (!isTexts(value)) return undefined
  if (sizes[metadataUnit](value) > lobbyLimits.metadata) spot.refuse(metadataTooLong)
  return value
}

const sizes: Record<LobbyKnobs['metadataUnit'], (metadata: Record<string, string>) => number> = {
  characters: (metadata) => sum(Object.entries(metadata).flat(), lengthOf),
  bytes: (metadata) => sum(Object.entries(metadata).flat(), (text) => Buffer.byteLength(text)),
  json: (metadata) => JSON.stringify(metadata).length,
}

function sum(texts: string[], size: (text: string) => number): number {
  return texts.reduce((total, text) => total + size(text), 0)
}

function checkMembers(value: unknown, spot: Spot, rules: Rules): LobbyInput['members'] {
  if (value === undefined || value === null) return undefined
  if (!Array.isArray(value)) {
    spot.refuse(notList)
    return undefined
  }
  // A list gives no additional names: these are set one member at a time.
  return readMembers(value, spot, (item, at) => ({
    metadata: checkMetadata(fieldsOf(item)['metadata'], at.at('metadata'), rules),
    flags: checkFlags(fieldsOf(item)['flags'], at.at('flags')),
    additionalName: undefined,
  }))
}

function readMembers<Item>(value: unknown[], spot: Spot, read: (item: unknown, at: Spot) => Item): ({ userId: string } & Item)[] {
  if (value.length > lobbyLimits.membersInBody) spot.refuse(tooMany(lobbyLimits.membersInBody))
  const seen = new Set<unknown>()
  return value.map((item, index) => {
    const at = spot.at(index)
    const { id } = fieldsOf(item)
    if (!isObject(item)) at.refuse(notObject)
    else if (!isSnowflake(id)) at.at('id').refuse(id === undefined ? required : notSnowflake)
    else if (seen.has(id)) at.at('id').refuse(repeated)
    seen.add(id)
    return { userId: isSnowflake(id) ? id : '', ...read(item, at) }
  })
}

function checkFlags(value: unknown, spot: Spot): number | undefined {
  if (value === undefined) return undefined
  if (value === null) return 0
  if (value === 0 || value === 1) return value
  spot.refuse(Number.isInteger(value) ? oneOf([0, 1]) : notInteger)
  return undefined
}

function checkIdle(value: unknown, spot: Spot): number | null | undefined {
  if (value === undefined || value === null) return value
  const { smallest, largest } = lobbyLimits.idleSeconds
  if (typeof value !== 'number' || !Number.isInteger(value)) spot.refuse(notInteger)
  else if (value < smallest || value > largest) spot.refuse(outside(smallest, largest))
  else return value
  return undefined
}

function checkName(value: unknown, spot: Spot): string | null | undefined {
  if (value === undefined || value === null) return value
  return checkText(value, spot, { largest: lobbyLimits.additionalName }) ? value : undefined
}

function isTexts(value: Record<string, unknown>): value is Record<string, string> {
  return Object.values(value).every((text) => typeof text === 'string')
}
