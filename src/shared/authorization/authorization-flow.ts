/** Runs authorization attempts on a surface: starts them, keeps them separate, and settles each exactly once. No HTTP. */
import { type Deferred, createDeferred } from '../foundation/async'
import type { Clock } from '../foundation/clock'
import { AuthorizationError, ConfigurationError, type FoyerError } from '../foundation/errors'
import { type ApplicationId, toApplicationId } from '../foundation/ids'
import type { Log } from '../foundation/log-entry'
import { ownFields } from '../foundation/untrusted-values'
import type { ServiceConfig } from '../service/service-config'
import type { argumentError } from './argument-error'
import { surfaceFault } from './surface-fault'
import {
  type Attempt,
  type ArgumentField,
  findInvalidArguments,
  beginAttempt,
  customSchemeRedirectUri,
} from './attempt'
import type { AuthorizationArgsFields } from './authorization-args'
import type { AuthorizationResult } from './authorization-result'
import type { Callback } from './check-callback'
import type { LoadCallbackLog, verifyCallback } from './verify-callback'

// Port for showing the authorize page: a popup, the page itself, a system browser, or a test double.

/** Options of `AuthorizationSurface.open`. */
export interface OpenOptions {
  /** The attempt's `state`, which the callback will contain. */
  state: string
  /** Aborts when the attempt has ended: close the window and remove listeners. */
  signal: AbortSignal
  /** Returns true if a callback URL belongs to this attempt. A surface that can keep listening should ignore other URLs. */
  belongs: (url: string) => boolean
  /** Reports that the window seems to be closed. A hint only: a page with `Cross-Origin-Opener-Policy` appears closed while it is open. */
  maybeClosed: () => void
  /** @internal The attempt, for a surface that finds out in `open` that it leaves the page. It must stay on the machine. */
  attempt?: Attempt | undefined
  /** @internal Passes an entry to the client's log. */
  log?: Log | undefined
}

/** Client that takes a link, its clock, and the link that has arrived while the app runs. Without one, links have started the app. */
export type LinkReceiver = readonly [owner: string, brand: string, clock: Clock, arrived: string | undefined]

/**
 * Presents the authorize page and returns its callback URL. Built in: `popupSurface` and `redirectSurface`. Games and tests can implement
 * their own.
 */
export interface AuthorizationSurface {
  /**
   * Returns the redirect URI. A string keeps `authorize` synchronous up to `open`; a promise suits a loopback server. Default: the custom
   * scheme `<brand>-<client id>:/authorize/callback` (docs/interface/authorization.md#redirects).
   */
  redirectUri?(): string | Promise<string>
  /** Shows the page; called inside the player's gesture. Resolves with the complete callback URL, unmodified and unchecked. */
  open(url: string, options: OpenOptions): Promise<string>
  /**
   * Stores the attempt, for surfaces that leave the page; called before `open`. `handleCallback` on the next page completes the attempt.
   * The attempt contains the code verifier and must stay on the machine.
   */
  keep?(attempt: Attempt, signal: AbortSignal): void
  /** @internal Takes what the links of the app bring: returns the response to this client. `to`: see `takeOwnLink`. */
  takeLink?(to: LinkReceiver): Promise<string | undefined>
  /** @internal Replaces `open` inside an Activity: the host window shows the consent and returns the code. */
  ask?(url: string, attempt: Attempt, signal: AbortSignal): Promise<AuthorizationResult>
}

// Attempts.

/** Maximum number of pending attempts; one more rejects the oldest with `superseded`. */
const MAX_WAITING = 8
/** Length of 128 bits in base64url. A shorter state from the caller can be guessed. */
const SAFE_STATE = 22

type LoadMessages = () => Promise<{ argumentError: typeof argumentError }>

export interface FlowOptions {
  service: ServiceConfig
  clock: Clock
  log: Log
  maybeClosed: () => void
  /** Loads the code that verifies callbacks. Called when an attempt starts, and again when its callback arrives. */
  loadVerifier: () => Promise<{ verifyCallback: typeof verifyCallback }>
  /** Loads the messages for invalid arguments. */
  loadMessages: LoadMessages
  loadLog: LoadCallbackLog
}

export interface BeginOptions {
  surface: AuthorizationSurface
  /** Time in ms until the attempt rejects with `timed_out`. */
  timeout: number
  signal?: AbortSignal | undefined
  applicationId: ApplicationId | undefined
  /** Client that the attempt and its result belong to; see `ownerOf`. */
  owner: string
  /** Secret of an invitation to take along. */
  invitation?: string | undefined
}

interface PendingAttempt {
  attempt: Attempt
  pending: Deferred<AuthorizationResult>
}

/** Shared state of the functions below. */
interface FlowContext extends FlowOptions {
  waiting: Map<string, PendingAttempt>
}

export type AuthorizationFlow = ReturnType<typeof createAuthorizationFlow>

export function createAuthorizationFlow(options: FlowOptions) {
  const context: FlowContext = { ...options, waiting: new Map() }
  let all = new AbortController()
  return {
    /** Starts an attempt. Synchronous up to the surface's `open` if the redirect URI is available synchronously. */
    authorize(args: AuthorizationArgsFields, begin: BeginOptions): Promise<AuthorizationResult> {
      const pending = createDeferred<AuthorizationResult>(options.clock, {
        timeout: begin.timeout,
        signals: [begin.signal, all.signal],
        makeError: (code) => new AuthorizationError(code),
      })
      // Errors of custom surfaces are wrapped, so that callers always get a `FoyerError`.
      start(context, args, { ...begin, pending }).catch((error: unknown) =>
        pending.reject(surfaceFault(error)),
      )
      return pending.promise
    },
    /** Completes the pending attempt that matches the callback; returns undefined if there is none. */
    complete(callback: Callback): Promise<AuthorizationResult> | undefined {
      const entry = context.waiting.get(callback.parameters.get('state') ?? '')
      return entry && complete(context, entry, callback)
    },
    /** Returns the result of a callback. Rejects with the first failed check. */
    verifyCallback: (callback: Callback, attempt: Attempt): Promise<AuthorizationResult> =>
      verify(context, callback, attempt),
    /** Rejects every pending attempt with `aborted`. */
    abortAll(): void {
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
  const { surface, applicationId, owner, invitation, pending } = begin
  const { service, clock } = context
  const fields = findInvalidArguments(args)
  const own = ownFields(args)
  // Awaits only if necessary: an `await` ends the player's click.
  const uri = fields.length > 0 || own.customSchemeParam ? undefined : surface.redirectUri?.()
  const given = typeof uri === 'object' ? await uri : uri
  // Checked after the await, because another attempt may have started meanwhile.
  if (own.state && context.waiting.has(own.state)) fields.push('state')
  if (fields.length > 0) throw await argumentFault(fields, context.loadMessages)
  const clientId = toApplicationId(own.clientId) ?? applicationId
  if (!clientId) throw new ConfigurationError('missing_application_id')
  const checked = Object.assign(own, { clientId, scopes: own.scopes ?? '' })
  const { attempt, url } = beginAttempt(checked, given ?? customSchemeRedirectUri(service, checked), {
    service,
    owner,
    now: clock.now(),
  })
  if (!pending.isSettled)
    await showSurface(context, { attempt: { ...attempt, invitation }, pending }, { surface, url })
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
  // Leaving the page would abort the download.
  if (!surface.keep) context.loadVerifier().catch(entry.pending.reject)
  const callbackUrl = await surface.open(url, {
    state,
    signal,
    belongs: (other) => hasState(other, state),
    maybeClosed,
    attempt: entry.attempt,
    log,
  })
  await complete(context, entry, callbackUrl)
}

function complete(
  context: FlowContext,
  { attempt, pending }: PendingAttempt,
  callback: Callback | string,
): Promise<AuthorizationResult> {
  verify(context, callback, attempt).then(pending.resolve, pending.reject)
  return pending.promise
}

async function verify(
  context: FlowContext,
  callback: Callback | string,
  attempt: Attempt,
): Promise<AuthorizationResult> {
  return (await context.loadVerifier()).verifyCallback(context, callback, attempt)
}

/** The error for invalid arguments. If its messages cannot be loaded, it has the same code and lists the same fields. */
export async function argumentFault(
  fields: readonly ArgumentField[],
  loadMessages: LoadMessages,
): Promise<FoyerError> {
  try {
    return (await loadMessages()).argumentError(fields)
  } catch {
    return new ConfigurationError('invalid_argument', fields.join(' '))
  }
}

/** Returns true if a URL has exactly one `state`, and it is this one. The URL may be anything; its other parts are verified later. */
function hasState(url: string, state: string): boolean {
  try {
    const [only, ...more] = new URL(url).searchParams.getAll('state')
    return only === state && more.length === 0
  } catch {
    return false
  }
}
