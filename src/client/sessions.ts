/** The session of a client: where it is kept, when it is renewed, and what the game hears of it. Loaded with the first one. */
import { afterIdle } from '../foundation/clock'
import { randomText } from '../foundation/random'
import { AuthorizationError, type FoyerError, ProtocolError } from '../foundation/errors'
import { isApplicationId, isUserId } from '../foundation/ids'
import { memoizedImport } from '../foundation/lazy'
import { createDeferred } from '../foundation/deferred'
import { reveal } from '../foundation/secret'
import { type CurrentSessionOptions, requireSession, CurrentSession, type SessionChange } from '../tokens/session/current-session'
import { isExpired } from '../tokens/session/refresh-policy'
import type { Refresh } from '../tokens/session/refresh'
import { type RefreshScheduler, startRefreshScheduler } from '../tokens/session/refresh-scheduler'
import { refuseExtraScopes } from '../tokens/scopes'
import type { Session } from '../tokens/session/session'
import type { SessionRecord } from '../tokens/session/record'
import { singleClientEnvironment, type SessionEnvironment } from '../tokens/session/environment'
import type { ClientContext } from './context'
import type { VerifiedSignIn, Sessions, SignOutOptions, SignOutResult } from './session-api'

export function createSessions(context: ClientContext, environment: SessionEnvironment = singleClientEnvironment()): Sessions {
  const currentSession: CurrentSession = createCurrentSession(context, environment, () => begin(currentSession.session))
  const refresher = memoizedImport(async () =>
    (await import('../tokens/session/refresh')).createRefresher({ ...context, currentSession, environment }),
  )
  const refresh = refreshing(context, currentSession, refresher)
  const watch = startScheduler(context, { currentSession, environment, refresh })
  const begin = <T extends Session | null>(session: T): T => {
    // Fetched now: a page that outlives a deployment, or loses its network, can still renew, and read the answer.
    if (session) void Promise.all([refresher(), context.exchange()]).catch(() => undefined)
    watch.reschedule()
    return session
  }
  return {
    currentSession,
    refresh,
    prepare: refresher,
    async adopt(redeemed) {
      if (context.refuseExtraScopes) refuseExtraScopes(redeemed.tokens.scopes, redeemed.asked)
      return begin(await currentSession.adopt(recordOf(context, redeemed)))
    },
    resume: () => resume(context, currentSession, async () => begin(await currentSession.restore())),
    async refreshToken(refreshToken, options) {
      const { signal } = { ...options }
      const own = currentSession.record?.tokens.refreshToken?.reveal()
      if (refreshToken && reveal(refreshToken) !== own)
        return (await memoizedImport(() => import('./methods/tokens'))()).redeem(context, refreshToken, signal)
      // The renewal goes on for the others; this caller is freed.
      const pending = createDeferred<SessionRecord>(context.clock, { signals: [signal], makeError: (code) => new AuthorizationError(code) })
      refresh({ dead: false }).then(pending.resolve, pending.reject)
      return (await pending.promise).tokens
    },
    async getUsableRecord() {
      const record = requireSession(currentSession)
      // Without a refresh token it is sent all the same: only the service knows whether this machine's clock is right.
      return record.tokens.refreshToken && isExpired(record, context.clock.now()) ? refresh({ dead: true }) : record
    },
    signOut: (options) => signOut(context, currentSession, options),
  }
}

/** Silent where there is none: nobody tried to sign in. What another tab ends meanwhile does not come back. */
async function resume(
  { authState }: ClientContext,
  currentSession: CurrentSession,
  restore: () => Promise<unknown>,
): Promise<Session | null> {
  if (!authState.session) await restore()
  if (!currentSession.session || authState.session) return authState.session
  return authState.runSignIn(
    async () => undefined,
    async () => currentSession.session,
  )
}

/** `changed` is called after the game was told. */
function createCurrentSession(context: ClientContext, environment: SessionEnvironment, changed: () => void): CurrentSession {
  const { clock, closeSignal, log, tokenStore: store } = context
  const own = randomText()
  const place: CurrentSessionOptions['place'] = (adopted) => {
    const { issuer } = context.service
    const clientId = context.applicationId && (adopted ?? context.applicationId)
    return { issuer, clientId, key: `foyer:session:${store ? `${issuer} ${clientId ?? ''} ${context.player}` : own}` }
  }
  const onChange = (news: SessionChange) => {
    follow(context, news)
    changed()
  }
  return new CurrentSession({ store, environment, place, clock, closeSignal, log, onChange })
}

function startScheduler(
  { clock, closeSignal, holds, emit }: ClientContext,
  parts: { currentSession: CurrentSession; environment: SessionEnvironment; refresh: Refresh },
): RefreshScheduler {
  return startRefreshScheduler({
    ...parts,
    closeSignal: closeSignal,
    clock: { now: () => clock.now(), after: (delay, callback) => afterIdle(clock, delay, callback) },
    held: () => holds.size > 0,
    expiring: (session) => emit('tokenExpiring', { session, expiresAt: session.tokens.expiresAt }),
  })
}

async function signOut(context: ClientContext, currentSession: CurrentSession, { revoke, signal }: SignOutOptions): Promise<SignOutResult> {
  if (revoke) await currentSession.restore()
  const { record } = currentSession
  const forgotten = currentSession.end()
  // Another tab's sign-in may have been taken over since the game was told.
  if (context.authState.session) context.authState.clear()
  const revoking = async () =>
    revoke && record
      ? (await memoizedImport(() => import('./methods/tokens'))()).revokeSession(context, record, signal)
      : { revoked: false }
  const result = await revoking().catch((error: FoyerError) => ({ revoked: false, error }))
  await forgotten
  return result
}

/** @throws ProtocolError `missing_id_token`: without a verified ID token nobody is signed in. */
function recordOf(
  { service: { issuer } }: ClientContext,
  { tokens, clientId, asked, obtainedAt, userId: owner }: VerifiedSignIn,
): SessionRecord {
  const userId = owner ?? tokens.claims?.sub
  if (!isUserId(userId) || !isApplicationId(clientId)) throw new ProtocolError('missing_id_token')
  return { id: randomText(), epoch: 0, issuer, clientId, userId, tokens, asked, obtainedAt }
}

/** Tells the game what became of the session. */
function follow({ authState, emit, closeSignal }: ClientContext, news: SessionChange): void {
  if (closeSignal.aborted) return
  if (news.kind === 'ended') return authState.clear(news.error)
  const { session } = news
  const { session: previous } = authState
  // Not there yet, or signing out.
  if (!previous && news.kind !== 'found') return
  if (previous && news.kind === 'renewed') {
    authState.session = session
    emit('tokenRefreshed', { session, previous, elsewhere: news.elsewhere })
    if (authState.session !== session) return
  }
  authState.set(session, 'ready')
}

/** Tells of a token that does not work and could not be renewed, until it can. */
function refreshing({ authState }: ClientContext, currentSession: CurrentSession, renewal: () => Promise<Refresh>): Refresh {
  return async (why) => {
    requireSession(currentSession)
    try {
      return await (
        await renewal()
      )(why)
    } catch (error) {
      if (currentSession.session && (why.dead || currentSession.session.state !== 'fresh')) authState.set(authState.session, 'reconnecting')
      throw error
    }
  }
}
