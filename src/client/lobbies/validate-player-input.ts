/** Validates the arguments of player methods before sending, with all issues. Pure. */
import { ValidationError } from '../../shared/foundation/errors'
import type { Metadata } from './lobby-state'
import { LobbyIssues } from '../../shared/lobbies/lobby-issues'
import { IDLE_TIMEOUT } from '../../shared/lobbies/lobby-limits'
import { checkId, checkMetadata } from '../../shared/lobbies/check-member'

/** Options for creating or joining a lobby. */
export interface JoinOptions {
  /** Replaces the lobby's metadata, also of an existing lobby. Default: unchanged. */
  metadata?: Metadata | undefined
  /** Replaces the player's own metadata in the lobby. Default: unchanged. */
  member?: Metadata | undefined
  /** Time in ms until an empty lobby ends: 5,000 to 604,800,000 (docs/interface/lobbies.md#limits). Assumed default: 300,000. */
  idleTimeout?: number | undefined
}

/** Length of a secret and of a message in characters (docs/interface/lobbies.md#player-endpoints). */
const SECRET = { min: 1, max: 250 }
const CONTENT = { min: 1, max: 2000 }
/** Number of messages per request (docs/interface/lobbies.md#player-endpoints). */
const MESSAGES = { min: 1, max: 200 }

/** Builds the body of a join. @throws ValidationError `invalid_argument`. */
export function joinBody(
  secret: unknown,
  { metadata, member, idleTimeout }: JoinOptions,
): Record<string, unknown> {
  const issues = new LobbyIssues()
  checkText(issues, secret, { path: 'secret', ...SECRET })
  checkMetadata(issues, metadata, 'metadata')
  checkMetadata(issues, member, 'member')
  const seconds = idleTimeout === undefined ? undefined : idleTimeout / 1000
  if (seconds !== undefined && !isIdleTimeout(seconds)) {
    const unit = isIdleTimeout(idleTimeout)
      ? ` ms: for ${idleTimeout} seconds give ${idleTimeout * 1000}`
      : ' ms'
    issues.add('idleTimeout', 'out_of_range', {
      min: IDLE_TIMEOUT.min * 1000,
      max: IDLE_TIMEOUT.max * 1000,
      unit,
    })
  }
  refuse(issues)
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
  const issues = new LobbyIssues()
  checkText(issues, content, { path: 'content', ...CONTENT })
  checkMetadata(issues, metadata, 'metadata')
  refuse(issues)
  return { content, ...(metadata && { metadata }) }
}

/** @throws ValidationError `invalid_argument`. */
export function requireIds(ids: Readonly<Record<string, unknown>>): void {
  const issues = new LobbyIssues()
  for (const [name, id] of Object.entries(ids)) checkId(issues, id, name)
  refuse(issues)
}

/** @throws ValidationError `invalid_argument`. */
export function requireLimit(limit: unknown): void {
  const issues = new LobbyIssues()
  if (!Number.isInteger(limit) || Number(limit) < MESSAGES.min || Number(limit) > MESSAGES.max)
    issues.add('limit', 'out_of_range', MESSAGES)
  refuse(issues)
}

function checkText(
  issues: LobbyIssues,
  value: unknown,
  { path, min, max }: { path: string; min: number; max: number },
): void {
  if (typeof value !== 'string') return issues.add(path, 'wrong_type', { expected: 'a string' })
  const actual = Array.from(value).length
  if (actual < min || actual > max || !value.trim()) issues.add(path, 'length', { min, max, actual })
}

function refuse({ list }: LobbyIssues): void {
  if (list.length > 0) throw new ValidationError('invalid_argument', list)
}
