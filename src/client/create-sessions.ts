/** Sessions of a client, in memory or in a store: refresh schedule and events. Loaded with the first session. */
import type { CallOptions } from '../shared/foundation/options'
import { afterUnref } from '../shared/foundation/clock'
import { loadOnce } from '../shared/foundation/import-part'
import { loadTokenMethods } from './parts'
import { randomText } from '../shared/foundation/crypto'
import {
  AuthorizationError,
  ConfigurationError,
  type FoyerError,
  SessionError,
} from '../shared/foundation/errors'
import { isApplicationId } from '../shared/foundation/ids'
import { createDeferred } from '../shared/foundation/deferred'
import { reveal, type Secret } from '../shared/foundation/secret'
import { type CurrentSessionOptions, CurrentSession } from './session/current-session'
import type { SessionChange, Session } from './session/session'
import type { Persist } from './session/session-persistence'
import { isExpired } from './session/refresh-policy'
import type { Refresh } from './session/create-refresher'
import type { RenewTokens } from './session/renew-session'
import { type RefreshScheduler, startRefreshScheduler } from './session/refresh-scheduler'
import { refuseExtraScopes } from './session/extra-scopes'
import type { TokenSet } from '../shared/tokens/token-set'
import type { SessionRecord } from './session/session-record'
import type { SessionEnvironment } from './session/session-environment'
import type { Caller } from './context/caller'
import type { ClientContext } from './context/client-context'
import type { IdentifiedTokens } from '../shared/tokens/requests/identify-player'
import { createUserFiller, identifySignIn } from './identify-sign-in'
import type { Sessions, SignOutOptions, SignOutResult } from './context/sessions'

/** Time in ms after a refresh that a 401 has caused, in which another 401 is not attributed to the token: a refresh would not help. */
const RECENT_REFRESH = 30_000

/** `persist`: connects the session to a token store (`persistIn`). Default: it lives in memory. */
export function createSessions(
  context: ClientContext,
  environment: SessionEnvironment,
  persist?: Persist,
): Sessions {
  const currentSession: CurrentSession = createCurrentSession(context, { environment, persist }, () =>
    activate(currentSession.session),
  )
  const renew = context.getToken && renewWith(context)
  const refresher = loadOnce(async () =>
    (await context.exchange()).createRefresher({ ...context, currentSession, environment, renew }),
  )
  const refresh = reportingFailures(context, currentSession, refresher)
  const scheduler = startScheduler(context, { currentSession, environment, refresh })
  const fillUser = createUserFiller(context, currentSession)
  const activate = <T extends Session | null>(session: T): T => {
    // Preloaded, so that a page can still refresh after a new deployment or a network failure.
    if (session) void refresher().catch(() => undefined)
    scheduler.reschedule()
    fillUser()
    return session
  }
  return {
    currentSession,
    refresh,
    prepare: refresher,
    methods: (caller) => ({
      resume: () =>
        resumeWithLobbies(context, currentSession, async () => activate(await currentSession.restore())),
      refreshToken: (refreshToken, options) =>
        refreshNow({ context, caller, currentSession, refresh }, refreshToken, options),
    }),
    identify: (verified, signal) => identifySignIn(context, verified, signal),
    async adopt(identified) {
      context.invitation = undefined
      if (context.refuseExtraScopes) refuseExtraScopes(identified.tokens.scopes, identified.asked)
      return activate(await currentSession.adopt(toRecord(context, identified)))
    },
    async getUsableRecord(caller) {
      const record = requireCaller(currentSession, caller)
      // Without a refresh token, the expired token is sent anyway: this machine's clock may be wrong.
      if (!(record.tokens.refreshToken ?? context.getToken) || !isExpired(record, context.clock.now()))
        return record
      return caller.requireOwn(await refresh(record))
    },
    ...createReplacement(context, { currentSession, refresh }),
    signOut: (options, caller) => signOut(context, currentSession, { ...options, caller }),
  }
}

const renewWith =
  (context: ClientContext): RenewTokens =>
  async (record) =>
    (await loadTokenMethods()).askForTokens(context, record)

/** @throws SessionError `signed_out` if the caller is not the current player, or the error that ended the session. */
function requireCaller(currentSession: CurrentSession, caller: Caller): SessionRecord {
  return caller.requireOwn(currentSession.requireRecord())
}

/** Replaces tokens that a 401 has refused. */
function createReplacement(
  { clock }: ClientContext,
  { currentSession, refresh }: Pick<Sessions, 'currentSession' | 'refresh'>,
): Pick<Sessions, 'replaceRefused' | 'confirmReplacement'> {
  /** The record whose token the last such refresh replaced. */
  let replaced: { id: string; epoch: number; at: number } | undefined
  return {
    async replaceRefused(caller, { isOf, why }) {
      await currentSession.sync()
      const record = requireCaller(currentSession, caller)
      if (!isOf(record)) return record
      const now = clock.now()
      const { id, epoch } = record
      const last =
        replaced?.id === id && Math.abs(now - replaced.at) < RECENT_REFRESH ? replaced.epoch : undefined
      // The refused token is the one that the last refresh brought.
      if (last !== undefined && epoch === last + 1) return undefined
      if (last !== epoch) replaced = { id, epoch, at: now }
      return caller.requireOwn(await refresh(record, why))
    },
    confirmReplacement: () => (replaced = undefined),
  }
}

interface RefreshParts {
  context: ClientContext
  caller: Caller
  currentSession: CurrentSession
  refresh: Refresh
}

/** Refreshes the caller's session, or redeems a refresh token of its own. */
async function refreshNow(
  { context, caller, currentSession, refresh }: RefreshParts,
  refreshToken?: Secret | string | null,
  options?: CallOptions,
): Promise<TokenSet> {
  const { signal } = { ...options }
  const own = currentSession.record?.tokens.refreshToken?.reveal()
  if (refreshToken && reveal(refreshToken) !== own)
    return (await loadTokenMethods()).redeem(context, refreshToken, signal)
  // Other callers share the refresh; an abort releases this caller only.
  const pending = createDeferred<SessionRecord>(context.clock, {
    signals: [signal],
    makeError: (code) => new AuthorizationError(code),
  })
  const record = requireCaller(currentSession, caller)
  refresh(record).then(pending.resolve, pending.reject)
  const { userId, tokens } = await pending.promise
  if (userId !== record.userId) throw new SessionError('signed_out')
  return tokens
}

/** Lobbies of the player come back, if any are kept beside the session: their code is loaded then. */
async function resumeWithLobbies(...given: Parameters<typeof resume>): Promise<Session | null> {
  const [context, currentSession] = given
  const session = await resume(...given)
  if (!session || context.keepLobbies === false) return session
  const read = (text: string | undefined) => (context.keptLobbies = text)
  await currentSession.changeLobbies(session.userId, read).catch(() => undefined)
  const { caller } = context.authState
  if (context.keptLobbies !== undefined)
    await context.lobbies().then((calls) => calls(caller).restore(), ignore)
  return session
}

const ignore = (): void => undefined

/** Emits no events if there is no session. A session that another tab ends meanwhile is not restored. */
async function resume(
  context: ClientContext,
  currentSession: CurrentSession,
  restore: () => Promise<unknown>,
): Promise<Session | null> {
  const { authState, unidentified } = context
  if (unidentified && !authState.session)
    return authState.runSignIn(
      async () => identifySignIn(context, unidentified),
      async (identified) => (await context.sessions()).adopt(identified),
    )
  if (!authState.session) await restore()
  if (!currentSession.session || authState.session) return authState.session
  return authState.runSignIn(
    async () => undefined,
    async () => currentSession.session,
  )
}

/** `afterChange` is called after the client's events. */
function createCurrentSession(
  context: ClientContext,
  parts: Pick<CurrentSessionOptions, 'environment' | 'persist'>,
  afterChange: () => void,
): CurrentSession {
  const { clock, closeSignal, log, tokenStore: store } = context
  const own = randomText()
  const storageKey: CurrentSessionOptions['storageKey'] = (adopted) => {
    const { issuer } = context.service
    const clientId = context.applicationId && (adopted ?? context.applicationId)
    return {
      issuer,
      clientId,
      key: `foyer:session:${store ? `${issuer} ${clientId ?? ''} ${context.profile}` : own}`,
    }
  }
  const onChange = (change: SessionChange) => {
    applyChange(context, change)
    afterChange()
  }
  return new CurrentSession({ ...parts, storageKey, clock, closeSignal, log, onChange })
}

function startScheduler(
  context: ClientContext,
  parts: { currentSession: CurrentSession; environment: SessionEnvironment; refresh: Refresh },
): RefreshScheduler {
  const { clock, closeSignal, holds, emit } = context
  return startRefreshScheduler({
    ...parts,
    canRefresh: ({ tokens }) => !!(tokens.refreshToken ?? context.getToken),
    closeSignal: closeSignal,
    clock: { now: () => clock.now(), after: (delay, callback) => afterUnref(clock, delay, callback) },
    held: () => holds.size > 0,
    expiring: (session) => emit('tokenExpiring', { session, expiresAt: session.tokens.expiresAt }),
  })
}

async function signOut(
  context: ClientContext,
  currentSession: CurrentSession,
  { revoke, signal, caller }: SignOutOptions & { caller: Caller },
): Promise<SignOutResult> {
  context.unidentified = undefined
  if (revoke) await currentSession.restore()
  const { record: current } = currentSession
  // The session of another player, who signed in meanwhile, is not revoked.
  const record = caller.userId === undefined || caller.userId === current?.userId ? current : null
  const deleted = currentSession.end()
  // A sign-in of another tab may have been adopted since the last event.
  if (context.authState.session) context.authState.clear()
  const revoking = async () =>
    revoke && record ? (await loadTokenMethods()).revokeSession(context, record, signal) : { revoked: false }
  const [result] = await Promise.all([
    revoking().catch((error: FoyerError) => ({ revoked: false, error })),
    deleted,
  ])
  return result
}

function toRecord({ service: { issuer } }: ClientContext, identified: IdentifiedTokens): SessionRecord {
  const { tokens, clientId, asked, obtainedAt, userId, user } = identified
  if (!isApplicationId(clientId)) throw new ConfigurationError('missing_application_id')
  return {
    id: randomText(),
    epoch: 0,
    issuer,
    clientId,
    userId,
    tokens,
    asked,
    obtainedAt,
    ...(user && { user }),
  }
}

/** Applies a change of the session to the client's state and emits its events. */
function applyChange({ authState, emit, closeSignal }: ClientContext, change: SessionChange): void {
  if (closeSignal.aborted) return
  if (change.kind === 'ended') return authState.clear(change.error)
  const { session } = change
  const { session: previous } = authState
  if (change.kind === 'named') return previous ? authState.set(session, authState.status) : undefined
  // Before the first sign-in, or during a sign-out.
  if (!previous && change.kind !== 'found') return
  if (previous && change.kind === 'refreshed') {
    authState.session = session
    emit('tokenRefreshed', { session, previous, elsewhere: change.elsewhere })
    if (authState.session !== session) return
  }
  authState.set(session, 'ready')
}

/** Sets the status `reconnecting` while an unusable token cannot be refreshed. */
function reportingFailures(
  { authState }: ClientContext,
  currentSession: CurrentSession,
  loadRefresh: () => Promise<Refresh>,
): Refresh {
  return async (record, why) => {
    if (why?.dead) currentSession.refused = record.tokens
    try {
      return await (
        await loadRefresh()
      )(record, why)
    } catch (error) {
      const { session, record: current } = currentSession
      if (session && current?.id === record.id && (why?.dead || session.state !== 'fresh'))
        authState.set(authState.session, 'reconnecting')
      throw error
    }
  }
}
