/** Validates the arguments of player methods before sending, with all issues. Pure. */
import { check, Place, refuse, text } from '../../shared/foundation/rules'
import { LobbyIssues } from '../../shared/lobbies/lobby-issues'
import { IDLE_TIMEOUT } from '../../shared/lobbies/lobby-limits'
import { ID, type LobbyRule, METADATA } from '../../shared/lobbies/lobby-shapes'
import type { Metadata } from './lobby-state'

/** Options for creating or joining a lobby. */
export interface JoinOptions {
  /** Replaces the lobby's metadata, also of an existing lobby. Default: unchanged. */
  metadata?: Metadata | undefined
  /** Replaces the player's own metadata in the lobby. Default: unchanged. */
  member?: Metadata | undefined
  /** Time in ms until an empty lobby ends: 5,000 to 604,800,000 (docs/interface/lobbies.md#limits). Assumed default: 300,000. */
  idleTimeout?: number | undefined
}

/** Bounds in characters (docs/interface/lobbies.md#player-endpoints). */
const SECRET: LobbyRule = { is: text, min: 1, max: 250, visible: true }
const CONTENT: LobbyRule = { is: text, min: 1, max: 2000, visible: true }
/** Number of messages per request (docs/interface/lobbies.md#player-endpoints). */
const LIMIT = { min: 1, max: 200 }

/** Builds the body of a join. @throws ValidationError `invalid_argument`. */
export function joinBody(
  secret: unknown,
  { metadata, member, idleTimeout }: JoinOptions,
): Record<string, unknown> {
  const at = new Place(new LobbyIssues())
  SECRET.is(secret, at.field('secret'), SECRET)
  check(metadata, METADATA, at.field('metadata'))
  check(member, METADATA, at.field('member'))
  const seconds = idleTimeout === undefined ? undefined : idleTimeout / 1000
  if (seconds !== undefined && !isIdleTimeout(seconds)) {
    const unit = isIdleTimeout(idleTimeout)
      ? ` ms: for ${idleTimeout} seconds give ${idleTimeout * 1000}`
      : ' ms'
    at.field('idleTimeout').add(
      'out_of_range',
      { min: IDLE_TIMEOUT.min * 1000, max: IDLE_TIMEOUT.max * 1000 },
      { unit },
    )
  }
  refuse('invalid_argument', at.state.issues)
  return {
    secret,
    ...(metadata && { lobby_metadata: metadata }),
    ...(member && { member_metadata: member }),
    ...(seconds !== undefined && { idle_timeout_seconds: Math.ceil(seconds) }),
  }
}

const isIdleTimeout = (seconds: unknown): seconds is number =>
  typeof seconds === 'number' && seconds >= IDLE_TIMEOUT.min && seconds <= IDLE_TIMEOUT.max

/** Builds the body of a message. @throws ValidationError `invalid_argument`. */
export function messageBody(content: unknown, metadata: Metadata | undefined): Record<string, unknown> {
  const at = new Place(new LobbyIssues())
  CONTENT.is(content, at.field('content'), CONTENT)
  check(metadata, METADATA, at.field('metadata'))
  refuse('invalid_argument', at.state.issues)
  return { content, ...(metadata && { metadata }) }
}

/** @throws ValidationError `invalid_argument`. */
export function requireIds(ids: Readonly<Record<string, unknown>>): void {
  const at = new Place(new LobbyIssues())
  for (const [name, id] of Object.entries(ids)) check(id, ID, at.field(name))
  refuse('invalid_argument', at.state.issues)
}

/** @throws ValidationError `invalid_argument`. */
export function requireLimit(limit: unknown): void {
  const at = new Place(new LobbyIssues())
  if (!Number.isInteger(limit) || Number(limit) < LIMIT.min || Number(limit) > LIMIT.max)
    at.field('limit').add('out_of_range', LIMIT, { unit: '' })
  refuse('invalid_argument', at.state.issues)
}
