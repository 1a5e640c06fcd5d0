/** Decides what the gateway does with a frame of a bot. Nothing here changes a session. */
import { fieldsOf, isObject, textOf } from '../../foundation/values.js'
import { areIntents, INTENT, PRIVILEGED_INTENTS, type PrivilegedIntent } from '../../model/intent.js'
import { CLOSE, OPCODE, type Closing } from './gateway-protocol.js'

/** Bytes of a frame that a client may send. */
const LARGEST_FRAME = 4096

/** Facts about the connection and its application. */
export interface GatewayFacts {
  /** True after an accepted IDENTIFY or RESUME. */
  identified: boolean
  isBotToken: (token: string) => boolean
  /** Privileged intents that the application's portal grants. */
  granted: readonly PrivilegedIntent[]
}

/** A request for members of a guild. */
export interface MemberRequest {
  guildId: string
  /** Ids, or undefined to search by name. */
  users: readonly string[] | undefined
  /** Beginning of a user name. */
  query: string
  /** At most so many; 0 for all. */
  limit: number
  nonce: string | undefined
}

export type GatewayAnswer =
  | { kind: 'close'; closing: Closing }
  | { kind: 'acknowledge' }
  | { kind: 'identify'; intents: number }
  | { kind: 'resume'; sessionId: string; sequence: number }
  | { kind: 'members'; request: MemberRequest }
  | { kind: 'ignore' }

/** @param data bytes of one message; undefined for a message that is no text. */
export function decideAnswer(data: Buffer | undefined, facts: GatewayFacts): GatewayAnswer {
  if (data === undefined) return close(CLOSE.decodeError, 'a frame is text: encoding=json')
  if (data.length > LARGEST_FRAME)
    return close(CLOSE.decodeError, `a frame has at most ${LARGEST_FRAME} bytes`)
  const frame = parse(data.toString())
  if (!isObject(frame)) return close(CLOSE.decodeError, 'a frame is a JSON object')
  const { op, d } = frame
  switch (op) {
    case OPCODE.heartbeat:
      return { kind: 'acknowledge' }
    case OPCODE.identify:
      return facts.identified ? ALREADY_AUTHENTICATED : decideIdentify(d, facts)
    case OPCODE.resume:
      return facts.identified ? ALREADY_AUTHENTICATED : decideResume(d, facts)
    case OPCODE.requestMembers:
      return facts.identified ? decideMembers(d) : NOT_AUTHENTICATED
    case OPCODE.presence:
    case OPCODE.voiceState:
    case OPCODE.requestSounds:
    case OPCODE.requestChannels:
      return facts.identified ? { kind: 'ignore' } : NOT_AUTHENTICATED
    default:
      return close(CLOSE.unknownOpcode, `a client sends no opcode ${JSON.stringify(op)?.slice(0, 20)}`)
  }
}

/** Why a connection is refused before its first frame. */
export function refusalOfQuery(query: URLSearchParams): Closing | undefined {
  const [version, encoding] = [query.get('v'), query.get('encoding')]
  if (version !== null && version !== '10')
    return { code: CLOSE.invalidVersion, reason: `v=${version.slice(0, 20)}: the version here is 10` }
  if (encoding !== null && encoding !== 'json')
    return { code: CLOSE.decodeError, reason: `encoding=${encoding.slice(0, 20)}: only json is emulated` }
  return undefined
}

function decideIdentify(data: unknown, { isBotToken, granted }: GatewayFacts): GatewayAnswer {
  const { token, intents, shard } = fieldsOf(data)
  if (typeof token !== 'string') return close(CLOSE.decodeError, 'IDENTIFY has no token')
  if (!isBotToken(bareToken(token))) return WRONG_TOKEN
  if (!areIntents(intents))
    return close(CLOSE.invalidIntents, 'intents must be the sum of intents, without unknown bits')
  const refused = PRIVILEGED_INTENTS.filter((name) => (intents & INTENT[name]) !== 0).find(
    (name) => !granted.includes(name),
  )
  if (refused !== undefined)
    return close(CLOSE.disallowedIntents, `${refused} is not granted: seed application.privilegedIntents`)
  if (shard !== undefined && shard !== null && !isOnlyShard(shard))
    return close(CLOSE.invalidShard, 'shard must be [0, 1]: the emulator has one shard')
  return { kind: 'identify', intents }
}

function decideResume(data: unknown, { isBotToken }: GatewayFacts): GatewayAnswer {
  const { token, session_id: sessionId, seq: sequence } = fieldsOf(data)
  if (typeof token !== 'string' || typeof sessionId !== 'string')
    return close(CLOSE.decodeError, 'RESUME has a token and a session_id')
  if (!isBotToken(bareToken(token))) return WRONG_TOKEN
  if (typeof sequence !== 'number' || !Number.isSafeInteger(sequence) || sequence < 0)
    return close(CLOSE.invalidSequence, 'seq must be the number of the last event that was received')
  return { kind: 'resume', sessionId, sequence }
}

function decideMembers(data: unknown): GatewayAnswer {
  const { guild_id: guildId, user_ids: users, query, limit, nonce } = fieldsOf(data)
  if (typeof guildId !== 'string') return close(CLOSE.decodeError, 'guild_id must be the id of a guild')
  return {
    kind: 'members',
    request: {
      guildId,
      users: users === undefined || users === null ? undefined : [users].flat().map(String),
      query: textOf(query) ?? '',
      limit: typeof limit === 'number' && limit > 0 ? Math.floor(limit) : 0,
      nonce: textOf(nonce),
    },
  }
}

/** Some libraries send the token as they send it in a header. */
const bareToken = (token: string): string => token.replace(/^Bot /, '')

const isOnlyShard = (shard: unknown): boolean =>
  Array.isArray(shard) && shard.length === 2 && shard[0] === 0 && shard[1] === 1

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function close(code: number, reason: string): GatewayAnswer {
  return { kind: 'close', closing: { code, reason } }
}

const ALREADY_AUTHENTICATED: GatewayAnswer = {
  kind: 'close',
  closing: { code: CLOSE.alreadyAuthenticated, reason: 'this connection has its session already' },
}
const NOT_AUTHENTICATED: GatewayAnswer = {
  kind: 'close',
  closing: { code: CLOSE.notAuthenticated, reason: 'IDENTIFY or RESUME comes first' },
}
const WRONG_TOKEN: GatewayAnswer = {
  kind: 'close',
  closing: {
    code: CLOSE.authenticationFailed,
    reason: 'the token is not the bot token of the application here',
  },
}
