/** Sends a call of a page without tokens to the service, with the token that the backend keeps. */
import { FoyerError, RateLimitError, SessionError, ValidationError } from '../../shared/foundation/errors'
import type { ApiAnswer, Credentials } from '../../shared/http/api'
import { CheckedBody } from '../../shared/http/checked-body'
import { checkObject, collectIssues } from '../../shared/foundation/rules'
import { LobbyIssues } from '../../shared/lobbies/lobby-issues'
import { PLAYER_BODIES, type PlayerBody } from '../../shared/lobbies/player-bodies'
import type { BackendSessionRecord } from './backend-session-record'
import type { BackendSessions, FoundSession } from './backend-sessions'
import { findRelayedCall } from './find-relayed-call'
import { findSession } from './find-session'
import type { SessionRequestParts } from './session-request-parts'
import { keepCookie } from './answer-cookies'
import { answer, readFields } from './session-response'

/** Maximum bytes of a body: a lobby and a member with all metadata that the service takes. */
const MAX_BODY = 131_072
/** As the service refuses a body that breaks a rule. */
const INVALID_BODY = { message: 'invalid body', code: 50_035 }
/** Headers of the service that reach the page. */
const HEADERS = [
  'retry-after',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset-after',
  'x-ratelimit-scope',
  'x-ratelimit-global',
  'x-emulator-rule',
]
/** Allows a page of another origin to read them. */
export const exposedHeaders = (): string => HEADERS.join(', ')

/** @param path of the service's API, without its base address. */
export async function relayCall(
  request: Request,
  path: string,
  parts: SessionRequestParts,
): Promise<Response> {
  const { isRelaying, sessions, serviceFor } = parts
  const call = findRelayedCall(request.method, path, new URL(request.url).searchParams)
  if (!isRelaying || !call) return answer({ error: 'not_found' }, 404)
  const session = await findSession(request, parts)
  if (!session) throw new SessionError('signed_out')
  const tokens = new KeptTokens(sessions, session)
  try {
    const { body: shape, ...rest } = call
    const body = shape && (await checkedBody(request, shape, parts))
    const api = serviceFor({ kind: 'player', id: session.record.userId }).apiAs(tokens.credentials)
    return await tokens.withCookie(
      toResponse(await api.exchange({ ...rest, body, signal: request.signal })),
      parts,
    )
  } catch (error) {
    // The new cookie of a refresh must not be lost with the call.
    if (error instanceof ValidationError) return tokens.withCookie(answer(INVALID_BODY, 400), parts)
    if (error instanceof RateLimitError) return tokens.withCookie(refuseByLimit(error), parts)
    if (error instanceof FoyerError && error.code === 'connection_failed')
      return tokens.withCookie(answer({ error: error.code }, 503, { 'retry-after': '1' }), parts)
    throw error
  }
}

/** Nothing but the fields of the shape: the service takes more of a player's token than a page is meant to send. @throws ConfigurationError, ValidationError. */
const checkedBody = async (
  request: Request,
  shape: PlayerBody,
  parts: SessionRequestParts,
): Promise<CheckedBody> =>
  CheckedBody.of(await readFields(request, parts, MAX_BODY), {
    check: (body) =>
      collectIssues(new LobbyIssues(), (at) => void checkObject(body, PLAYER_BODIES[shape], at)),
  })

/** The tokens of a session during one call. */
class KeptTokens {
  readonly #sessions: BackendSessions
  #session: FoundSession

  constructor(sessions: BackendSessions, session: FoundSession) {
    this.#sessions = sessions
    this.#session = session
  }

  /** Unexpired tokens, and other ones once the service refused them. */
  get credentials(): Credentials {
    const renew = async (isRefused: (record: BackendSessionRecord) => boolean) => {
      this.#session = {
        turn: this.#session.turn,
        ...(await this.#sessions.renewed(this.#session, isRefused)),
      }
    }
    return {
      userId: this.#session.record.userId,
      header: async () => {
        await renew(() => false)
        return bearer(this.#session.record)
      },
      renew: async (refused) => {
        try {
          await renew((record) => bearer(record) === refused)
          return true
        } catch (error) {
          // Tokens that last were refused too often: the page gets the service's refusal.
          if (error instanceof RateLimitError) return false
          throw error
        }
      },
    }
  }

  /** Only if the page's cookie is not the newest. @throws SessionError `signed_out` if the session has ended meanwhile: its answer is nobody's. */
  async withCookie(response: Response, parts: SessionRequestParts): Promise<Response> {
    const { turn, record } = this.#session
    if (turn !== record.turn && !(await keepCookie(response, this.#session, parts)))
      throw new SessionError('signed_out')
    return response
  }
}

const bearer = ({ tokens }: BackendSessionRecord): string => `Bearer ${tokens.accessToken.reveal()}`

/** Status and JSON of the service, and the listed headers. A page of a proxy is not passed on. */
function toResponse({ status, body, header, isEmpty }: ApiAnswer): Response {
  const headers = new Headers()
  for (const name of HEADERS) {
    const value = header(name)
    if (value !== null) headers.set(name, value)
  }
  if (status < 400 && isEmpty) return new Response(null, { status: 204, headers })
  if (status < 400 && body === undefined) return answer({ error: 'malformed_response' }, 502)
  return Response.json(body ?? {}, { status, headers })
}

/** As the service would say it, so that the page's own limits learn from it. */
function refuseByLimit({ retryAfter, scope }: RateLimitError): Response {
  const seconds = Math.max(1, Math.ceil(retryAfter / 1000))
  const body = { message: 'rate limited', retry_after: retryAfter / 1000, global: scope === 'global' }
  return answer(body, 429, { 'retry-after': String(seconds), 'x-ratelimit-scope': scope })
}
