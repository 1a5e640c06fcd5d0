/** Validates the arguments of player methods before sending, with all issues. Pure. */
import type { Issue } from '../../shared/foundation/errors'
import { check, checkRecord, collectIssues, Place, refuse } from '../../shared/foundation/rules'
import { isRecord, isText } from '../../shared/foundation/untrusted-values'
import { CheckedBody } from '../../shared/http/checked-body'
import { LobbyIssues, type LobbyPlace } from '../../shared/lobbies/lobby-issues'
import { IDLE_TIMEOUT } from '../../shared/lobbies/lobby-limits'
import { ID, METADATA } from '../../shared/lobbies/lobby-shapes'
import { SECRET, validatePlayerBody } from '../../shared/lobbies/player-bodies'
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

/** Number of messages per request (docs/interface/lobbies.md#player-endpoints). */
const LIMIT = { min: 1, max: 200 }

interface Join extends JoinOptions {
  readonly secret: unknown
}

/** Builds the body of a join. @throws ValidationError `invalid_argument`. */
export const joinBody = (secret: unknown, { metadata, member, idleTimeout }: JoinOptions): CheckedBody =>
  CheckedBody.of<Join>(
    { secret, metadata, member, idleTimeout },
    { check: checkJoin, code: 'invalid_argument' },
  ).map(writeJoin)

function checkJoin(join: unknown): readonly Issue[] {
  const at = new Place(new LobbyIssues())
  const { secret, metadata, member, idleTimeout } = isRecord(join) ? join : {}
  checkSecret(secret, at.field('secret'))
  check(metadata, METADATA, at.field('metadata'))
  check(member, METADATA, at.field('member'))
  const seconds = idleTimeout === undefined ? undefined : Number(idleTimeout) / 1000
  if (seconds !== undefined && !(typeof idleTimeout === 'number' && isIdleTimeout(seconds))) {
    const unit =
      typeof idleTimeout === 'number' && isIdleTimeout(idleTimeout)
        ? ` ms: for ${idleTimeout} seconds give ${idleTimeout * 1000}`
        : ' ms'
    at.field('idleTimeout').add(
      'out_of_range',
      { min: IDLE_TIMEOUT.min * 1000, max: IDLE_TIMEOUT.max * 1000 },
      { unit },
    )
  }
  return at.state.issues
}

const writeJoin = ({ secret, metadata, member, idleTimeout }: Join) => ({
  secret,
  ...(metadata && { lobby_metadata: metadata }),
  ...(member && { member_metadata: member }),
  ...(idleTimeout !== undefined && { idle_timeout_seconds: Math.ceil(idleTimeout / 1000) }),
})

const isIdleTimeout = (seconds: number): boolean => seconds >= IDLE_TIMEOUT.min && seconds <= IDLE_TIMEOUT.max

interface Draft {
  readonly content: unknown
  readonly metadata: Metadata | undefined
}

/** An invitation, and its link, are more than the secret. */
function checkSecret(secret: unknown, at: LobbyPlace): void {
  if (isRecord(secret) && typeof secret['secret'] === 'string')
    at.add('wrong_type', { expected: 'a string: pass invitation.secret' })
  else if (isText(secret, LINK))
    at.add('wrong_type', { expected: 'the secret in the link: client.takeInvitation() returns it' })
  else check(secret, SECRET, at)
}

const LINK = /^[a-z][a-z\d+.-]{0,30}:\/\/.*join(?:=|%3D)/i

/** Builds the body of a message. @throws ValidationError `invalid_argument`. */
export const messageBody = (content: unknown, metadata: Metadata | undefined): CheckedBody<Draft> =>
  CheckedBody.of<Draft>(
    { content, metadata },
    { check: (draft) => validatePlayerBody(draft, 'message'), code: 'invalid_argument' },
  ).map((draft) => ({ ...draft, metadata: draft.metadata ?? undefined }))

/** Builds the body of a link; without a channel it removes one. @throws ValidationError `invalid_argument`. */
export const linkBody = (channelId: string | undefined): CheckedBody =>
  CheckedBody.of(
    { channelId },
    {
      check: (link) =>
        collectIssues(
          new LobbyIssues(),
          (at) => void checkRecord(link, { channelId: { ...ID, required: false } }, at),
        ),
      code: 'invalid_argument',
    },
  ).map((link) => ({ channel_id: link.channelId }))

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
