/** Runs attempts to sign in: begins them, keeps them apart, and lets each end exactly once. No HTTP. */
import type { Clock } from '../foundation/clock'
import { ownFields } from '../foundation/encoding'
import { AuthorizationError, ConfigurationError, FoyerError } from '../foundation/errors'
import { type ApplicationId, toApplicationId } from '../foundation/ids'
import type { Log } from '../foundation/log'
import { type Deferred, createDeferred } from '../foundation/deferred'
import type { ServiceConfig } from '../service/config'
import type { AuthorizationArgsFields } from './args'
import { findInvalidArguments } from './validate-args'
import { argumentFault } from './argument-fault'
import { type Callback, callbackState, judgeCallback, readCallback, type Verdict } from './callback'
import { type Attempt, beginAttempt, customSchemeRedirectUri } from './request'
import { type AuthorizationResult, mintResult } from './result'
import type { AuthorizationSurface } from './surface'

/** Attempts that may wait at once; one more ends the oldest. */
const MAX_WAITING = 8
/** 128 bits in base64url: a state of the caller's own that is shorter may be guessed. */
const SAFE_STATE = 22

export interface FlowOptions {
  service: ServiceConfig
  clock: Clock
  log: Log
  maybeClosed: () => void
}

export interface BeginOptions {
  surface: AuthorizationSurface
  /** ms until the attempt ends as `timed_out`. */
  timeout: number
  signal?: AbortSignal | undefined
  applicationId: ApplicationId | undefined
  /** The client that the attempt and its result belong to. */
  owner: string
}

export interface AuthorizationFlow {
  /** Begins an attempt. Synchronous up to the surface's `open` when the redirect URI is known at once. */
  authorize(args: AuthorizationArgsFields, options: BeginOptions): Promise<AuthorizationResult>
  /** Hands a callback to the attempt that waits for it, if one does. */
  answer(callback: Callback): Promise<AuthorizationResult> | undefined
  /** The result of a callback to an attempt. Rejects with the first check that fails. */
  verifyCallback(callback: Callback, attempt: Attempt): Promise<AuthorizationResult>
  /** Ends every attempt as `aborted`. */
  abortAll(): void
}

interface PendingAttempt {
  attempt: Attempt
  pending: Deferred<AuthorizationResult>
}

/** What the functions below share. */
interface FlowContext extends FlowOptions {
  waiting: Map<string, PendingAttempt>
}

export function createAuthorizationFlow(options: FlowOptions): AuthorizationFlow {
  const context: FlowContext = { ...options, waiting: new Map() }
  let all = new AbortController()
  return {
    authorize(args, begin) {
      const pending = createDeferred<AuthorizationResult>(options.clock, {
        timeout: begin.timeout,
        signals: [begin.signal, all.signal],
        makeError: (code) => new AuthorizationError(code),
      })
      start(context, args, { ...begin, pending }).catch((error: unknown) => {
        // What a surface throws is its own affair; the caller gets one of our errors.
        pending.reject(error instanceof FoyerError ? error : new AuthorizationError('surface_failed', { cause: error }))
      })
      return pending.promise
    },
    answer(callback) {
      const entry = context.waiting.get(callback.parameters.get('state') ?? '')
      return entry && complete(context, entry, callback)
    },
    verifyCallback: (callback, attempt) => verifyCallback(context, callback, attempt),
    abortAll() {
      all.abort()
      all = new AbortController()
    },
  }
}

async function start(
  context: FlowContext,
  args: AuthorizationArgsFields,
  begin: BeginOptions & { pending: Deferred<AuthorizationResult> },
): Promise<void> {
  const { surface, applicationId, owner, pending } = begin
  const { service, clock } = context
  const fields = findInvalidArguments(args)
  const own = ownFields(args)
  // Awaited only where it must be: the player's click does not survive an `await`.
  const uri = fields.length > 0 || own.customSchemeParam ? undefined : surface.redirectUri?.()
  const given = typeof uri === 'object' ? await uri : uri
  // Only now: another attempt may have begun meanwhile.
  if (own.state && context.waiting.has(own.state)) fields.push('state')
  if (fields.length > 0) throw await argumentFault(fields)
  const clientId = toApplicationId(own.clientId) ?? applicationId
  if (!clientId) throw new ConfigurationError('missing_application_id')
  const checked = Object.assign(own, { clientId, scopes: own.scopes ?? '' })
  const { attempt, url } = beginAttempt(checked, given ?? customSchemeRedirectUri(service, checked), { service, owner, now: clock.now() })
  if (!pending.signal.aborted) await showSurface(context, { attempt, pending }, { surface, url })
}

async function showSurface(
  context: FlowContext,
  entry: PendingAttempt,
  { surface, url }: { surface: AuthorizationSurface; url: string },
): Promise<void> {
  const { log, maybeClosed, waiting } = context
  const { state, redirectUri, scopes } = entry.attempt
  const { signal } = entry.pending
  const [oldest] = waiting.values()
  if (oldest && waiting.size >= MAX_WAITING) oldest.pending.reject(new AuthorizationError('superseded'))
  waiting.set(state, entry)
  signal.addEventListener('abort', () => waiting.delete(state))
  if (state.length < SAFE_STATE) log('warn', 'authorization.weak_state')
  log('info', 'authorization.started', { redirectUri, scopes })
  if (surface.ask) return entry.pending.resolve(await surface.ask(url, entry.attempt, signal))
  surface.keep?.(entry.attempt, signal)
  const answer = await surface.open(url, { state, signal, belongs: (other) => callbackState(other) === state, maybeClosed })
  await complete(context, entry, readCallback(answer))
}

function complete(context: FlowContext, { attempt, pending }: PendingAttempt, callback: Callback): Promise<AuthorizationResult> {
  verifyCallback(context, callback, attempt).then(pending.resolve, pending.reject)
  return pending.promise
}

async function verifyCallback(context: FlowContext, callback: Callback, attempt: Attempt): Promise<AuthorizationResult> {
  const { code, error = '' } = judge(context, callback, attempt)
  if (!code) throw await toAuthorizationError(error, callback.parameters.get('error_description'))
  context.log('info', 'authorization.answered')
  return mintResult(code, attempt)
}

/** The error for a refusal of the service. Its code does not depend on whether the part that words it can be loaded. */
async function toAuthorizationError(error: string, description: string | undefined): Promise<AuthorizationError> {
  try {
    return (await import('../foundation/oauth-errors')).authorizationErrorFrom(error, description)
  } catch {
    return new AuthorizationError(error === 'access_denied' ? error : 'authorization_failed')
  }
}

/** Judges a callback, and logs each check. The report is made by code that loads by itself: nothing waits for it. */
function judge({ service, log }: FlowContext, callback: Callback, attempt: Attempt): Verdict {
  let fault: string | undefined = 'malformed_callback'
  try {
    const verdict = judgeCallback(callback, attempt, service)
    fault = undefined
    return verdict
  } catch (error) {
    if (error instanceof AuthorizationError) fault = error.code
    throw error
  } finally {
    void import('./report-callback-checks').then(
      ({ callbackChecks }) => log('info', 'authorization.checked', { checks: callbackChecks({ callback, attempt, service, fault }) }),
      () => undefined,
    )
  }
}
