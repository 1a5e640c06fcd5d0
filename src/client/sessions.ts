/** The session of a client: where it is kept, when it is renewed, and what the game hears of it. Loaded with the first one. */
import { afterIdle } from '../foundation/clock'
import { randomText } from '../foundation/random'
import { AuthorizationError, type FoyerError, ProtocolError } from '../foundation/errors'
import { isApplicationId, isUserId } from '../foundation/ids'
import { loadOnce } from '../foundation/load-once'
import { startPending } from '../foundation/pending'
import { reveal } from '../foundation/secret'
import { type KeeperOptions, requireSession, SessionKeeper, type SessionNews } from '../tokens/keeper'
import { isExpired } from '../tokens/renewal-plan'
import type { Renew } from '../tokens/renewal'
import { type RenewalWatch, watchRenewal } from '../tokens/renewal-watch'
import { refuseExtraScopes } from '../tokens/scopes'
import type { Session } from '../tokens/session'
import type { SessionRecord } from '../tokens/session-record'
import { aloneSurroundings, type Surroundings } from '../tokens/surroundings'
import type { ClientContext } from './context'
import type { Adoptable, Sessions, SignOutOptions, SignOutResult } from './session-port'

export function createSessions(context: ClientContext, surroundings: Surroundings = aloneSurroundings()): Sessions {
  const keeper: SessionKeeper = createKeeper(context, surroundings, () => begin(keeper.session))
  const renewal = loadOnce(async () => (await import('../tokens/renewal')).createRenewal({ ...context, keeper, surroundings }))
  const renew = renewing(context, keeper, renewal)
  const watch = watchFor(context, { keeper, surroundings, renew })
  const begin = <T extends Session | null>(session: T): T => {
    // Fetched now: a page that outlives a deployment, or loses its network, can still renew, and read the answer.
    if (session) void Promise.all([renewal(), context.exchange()]).catch(() => undefined)
    watch.look()
    return session
  }
  return {
    keeper,
    renew,
    prepare: renewal,
    async adopt(redeemed) {
      if (context.refuseExtraScopes) refuseExtraScopes(redeemed.tokens.scopes, redeemed.asked)
      return begin(await keeper.adopt(recordOf(context, redeemed)))
    },
    resume: () => resume(context, keeper, async () => begin(await keeper.restore())),
    async refreshToken(refreshToken, options) {
      const { signal } = { ...options }
      const own = keeper.record?.tokens.refreshToken?.reveal()
      if (refreshToken && reveal(refreshToken) !== own)
        return (await loadOnce(() => import('./token-calls'))()).redeem(context, refreshToken, signal)
      // The renewal goes on for the others; this caller is freed.
      const pending = startPending<SessionRecord>(context.clock, { signals: [signal], refuse: (code) => new AuthorizationError(code) })
      renew({ dead: false }).then(pending.succeed, pending.fail)
      return (await pending.promise).tokens
    },
    async usable() {
      const record = requireSession(keeper)
      // Without a refresh token it is sent all the same: only the service knows whether this machine's clock is right.
      return record.tokens.refreshToken && isExpired(record, context.clock.now()) ? renew({ dead: true }) : record
    },
    signOut: (options) => signOut(context, keeper, options),
  }
}

/** Silent where there is none: nobody tried to sign in. What another tab ends meanwhile does not come back. */
async function resume({ presence }: ClientContext, keeper: SessionKeeper, restore: () => Promise<unknown>): Promise<Session | null> {
  if (!presence.session) await restore()
  if (!keeper.session || presence.session) return presence.session
  return presence.enter(
    async () => undefined,
    async () => keeper.session,
  )
}

/** `changed` is called after the game was told. */
function createKeeper(context: ClientContext, surroundings: Surroundings, changed: () => void): SessionKeeper {
  const { clock, life, log, tokenStore: store } = context
  const own = randomText()
  const place: KeeperOptions['place'] = (adopted) => {
    const { issuer } = context.profile
    const clientId = context.applicationId && (adopted ?? context.applicationId)
    return { issuer, clientId, key: `foyer:session:${store ? `${issuer} ${clientId ?? ''} ${context.player}` : own}` }
  }
  const tell = (news: SessionNews) => {
    follow(context, news)
    changed()
  }
  return new SessionKeeper({ store, surroundings, place, clock, life, log, tell })
}

function watchFor(
  { clock, life, holds, emit }: ClientContext,
  parts: { keeper: SessionKeeper; surroundings: Surroundings; renew: Renew },
): RenewalWatch {
  return watchRenewal({
    ...parts,
    life,
    clock: { now: () => clock.now(), after: (delay, callback) => afterIdle(clock, delay, callback) },
    held: () => holds.size > 0,
    expiring: (session) => emit('tokenExpiring', { session, expiresAt: session.tokens.expiresAt }),
  })
}

async function signOut(context: ClientContext, keeper: SessionKeeper, { revoke, signal }: SignOutOptions): Promise<SignOutResult> {
  if (revoke) await keeper.restore()
  const { record } = keeper
  const forgotten = keeper.end()
  // Another tab's sign-in may have been taken over since the game was told.
  if (context.presence.session) context.presence.leave()
  const revoking = async () =>
    revoke && record ? (await loadOnce(() => import('./token-calls'))()).revokeSession(context, record, signal) : { revoked: false }
  const result = await revoking().catch((error: FoyerError) => ({ revoked: false, error }))
  await forgotten
  return result
}

/** @throws ProtocolError `missing_id_token`: without a verified ID token nobody is signed in. */
function recordOf(
  { profile: { issuer } }: ClientContext,
  { tokens, clientId, asked, obtainedAt, userId: owner }: Adoptable,
): SessionRecord {
  const userId = owner ?? tokens.claims?.sub
  if (!isUserId(userId) || !isApplicationId(clientId)) throw new ProtocolError('missing_id_token')
  return { id: randomText(), epoch: 0, issuer, clientId, userId, tokens, asked, obtainedAt }
}

/** Tells the game what became of the session. */
function follow({ presence, emit, life }: ClientContext, news: SessionNews): void {
  if (life.aborted) return
  if (news.kind === 'ended') return presence.leave(news.error)
  const { session } = news
  const { session: previous } = presence
  // Not there yet, or signing out.
  if (!previous && news.kind !== 'found') return
  if (previous && news.kind === 'renewed') {
    presence.session = session
    emit('tokenRefreshed', { session, previous, elsewhere: news.elsewhere })
    if (presence.session !== session) return
  }
  presence.become(session, 'ready')
}

/** Tells of a token that does not work and could not be renewed, until it can. */
function renewing({ presence }: ClientContext, keeper: SessionKeeper, renewal: () => Promise<Renew>): Renew {
  return async (why) => {
    requireSession(keeper)
    try {
      return await (
        await renewal()
      )(why)
    } catch (error) {
      if (keeper.session && (why.dead || keeper.session.state !== 'fresh')) presence.become(presence.session, 'reconnecting')
      throw error
    }
  }
}
