/** Sends a call of a page without tokens to the service, with the token that the backend keeps. */
import { FoyerError, RateLimitError, SessionError, ValidationError } from '../../shared/foundation/errors'
import type { Credentials } from '../../shared/http/api'
import type { HttpResponse } from '../../shared/http/http-client'
import { CheckedBody } from '../../shared/http/checked-body'
import { checkObject, collectIssues } from '../../shared/foundation/rules'
import { LobbyIssues, PLAYER_BODIES, type PlayerBody } from '../../shared/lobbies/lobby-rules'
import type { BackendSessionRecord } from './backend-session-record'
import type { FoundSession } from './backend-sessions'
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
  const { isRelaying, serviceFor } = parts
  const call = findRelayedCall(request.method, path, new URL(request.url).searchParams)
  if (!isRelaying || !call) return answer({ error: 'not_found' }, 404)
  const session = await findSession(request, parts)
  if (!session) throw new SessionError('signed_out')
  const tokens = new KeptTokens({ ...parts, isRead: call.method === 'GET' }, session)
  try {
    const { body: shape, ...rest } = call
    const body = shape && (await checkedBody(request, shape, parts))
    const caller = serviceFor({ kind: 'player', id: session.record.userId })
    const api = caller.apiAs(tokens.credentials, () => tokens.requireCurrent())
    return await tokens.answer(toResponse(await api.exchange({ ...rest, body, signal: request.signal })))
  } catch (error) {
    // The new cookie of a refresh must not be lost with the call.
    if (error instanceof ValidationError) return tokens.answer(answer(INVALID_BODY, 400))
    if (error instanceof RateLimitError) return tokens.answer(refuseByLimit(error))
    if (error instanceof FoyerError && error.code === 'connection_failed')
      return tokens.answer(answer({ error: error.code }, 503, { 'retry-after': '1' }))
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

/** ms for which a look at the session counts as one of now. */
const LOOK = 250

interface KeptTokensParts extends SessionRequestParts {
  /** True for a call that changes nothing. */
  readonly isRead: boolean
}

/** The tokens of a session during one call: the only way from a call to its tokens, its cookie and its answer. */
class KeptTokens {
  readonly #parts: KeptTokensParts
  #session: FoundSession
  #lookedAt: number

  constructor(parts: KeptTokensParts, session: FoundSession) {
    this.#parts = parts
    this.#session = session
    this.#lookedAt = parts.clock.now()
  }

  /** Unexpired tokens, and other ones once the service refused them. */
  get credentials(): Credentials {
    const renew = async (isRefused: (record: BackendSessionRecord) => boolean) => {
      this.#session = {
        turn: this.#session.turn,
        ...(await this.#parts.sessions.renewed(this.#session, isRefused)),
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

  /** Before each request to the service, which may have waited for its turn. @throws SessionError `signed_out` if the session has ended meanwhile. */
  async requireCurrent(): Promise<void> {
    const { clock, sessions } = this.#parts
    if (clock.now() - this.#lookedAt < LOOK) return
    if (!(await sessions.current(this.#session))) throw new SessionError('signed_out')
    this.#lookedAt = clock.now()
  }

  /**
   * The answer, with a cookie if the page's own is not the newest. If the session has ended meanwhile, a change has been made, and its caller
   * learns so. @throws SessionError `signed_out` for what was read: it is nobody's.
   */
  async answer(response: Response): Promise<Response> {
    const { sessions, isRead } = this.#parts
    const { turn, record } = this.#session
    const isNewest = turn === record.turn
    if (isNewest && !isRead) return response
    const isThere = isNewest
      ? await sessions.current(this.#session)
      : await keepCookie(response, this.#session, this.#parts)
    if (isRead && !isThere) throw new SessionError('signed_out')
    return response
  }
}

const bearer = ({ tokens }: BackendSessionRecord): string => `Bearer ${tokens.accessToken.reveal()}`

/** Status and JSON of the service, and the listed headers. A page of a proxy is not passed on. */
function toResponse({ status, body, header, isEmpty }: HttpResponse): Response {
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
