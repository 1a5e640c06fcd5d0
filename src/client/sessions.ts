/** The session of a client: where it is kept, when it is renewed, and what the game hears of it. Loaded with the first one. */
import { randomText } from '../foundation/encoding'
import { type FoyerError, ProtocolError } from '../foundation/errors'
import { isApplicationId, isUserId, type UserId } from '../foundation/ids'
import { loadOnce } from '../foundation/load-once'
import { steady } from '../foundation/steady-clock'
import type { Credentials } from '../http/credentials'
import { requireSession, SessionKeeper, type SessionNews } from '../tokens/keeper'
import { isExpired } from '../tokens/renewal-plan'
import type { Renew } from '../tokens/renewal'
import { type RenewalWatch, watchRenewal } from '../tokens/renewal-watch'
import type { Session } from '../tokens/session'
import type { SessionRecord } from '../tokens/session-record'
import { aloneSurroundings } from '../tokens/surroundings'
import type { Redeemed } from '../tokens/token-reader'
import type { ClientContext } from './context'
import type { ClientStatus } from './events'

export interface SignOutOptions {
  /** Ends the tokens at the service too, and with them every session of this player with this game. Default: false. */
  revoke?: boolean
  signal?: AbortSignal
}

/** `revoked`: whether the service has ended the tokens; `error`: why not, where it was asked to. The player is signed out here in any case. */
export interface SignOutResult {
  revoked: boolean
  error?: FoyerError
}

/** What a session is made of. `userId` where no claims tell. */
export type Adoptable = Redeemed & { userId?: UserId }

/** `header` and `renew` are what calls for the player are sent with. */
export interface Sessions extends Credentials {
  keeper: SessionKeeper
  adopt(redeemed: Adoptable): Promise<Session>
  restore(): Promise<Session | null>
  /** Renews now, whatever the clock says. */
  refresh(): Promise<Session | null>
  signOut(options: SignOutOptions): Promise<SignOutResult>
}

/** A token that is refused so soon after it came would be refused again, in ms. */
const JUST_NOW = 30_000

export async function createSessions(context: ClientContext): Promise<Sessions> {
  const { clock, life, tokenStore: store, holds } = context
  const surroundings = (await context.surroundings?.()) ?? aloneSurroundings()
  const own = randomText()
  const key = () => `foyer:session:${store ? `${context.profile.issuer} ${context.applicationId ?? ''} ${context.player}` : own}`
  const keeper = new SessionKeeper({
    ...{ store, surroundings, key, clock, life, log: context.log },
    tell: (news) => {
      follow(context, news)
      watch.look()
    },
  })
  const renewal = loadOnce(async () => (await import('../tokens/renewal')).createRenewal({ ...context, keeper, surroundings }))
  const renew = renewing(context, keeper, async (why) => (await renewal())(why))
  const watch: RenewalWatch = watchRenewal({
    ...{ keeper, surroundings, life, renew },
    clock: { now: () => clock.now(), after: steady(clock).idle },
    held: () => holds.size > 0,
    expiring: (session) => context.emit('tokenExpiring', { session, expiresAt: session.tokens.expiresAt }),
  })
  const begin = (session: Session | null) => {
    // Fetched now: a page that outlives a deployment, or loses its network, can still renew.
    if (session) void Promise.all([renewal(), context.reader()]).catch(() => undefined)
    watch.look()
    return session
  }
  return {
    keeper,
    ...playerCredentials(context, keeper, renew),
    async adopt(redeemed) {
      const session = await keeper.adopt(recordOf(redeemed))
      begin(session)
      return session
    },
    restore: async () => begin(await keeper.restore()),
    async refresh() {
      await renew({ dead: false })
      return keeper.session
    },
    async signOut({ revoke, signal }) {
      if (revoke) await keeper.restore()
      const tokens = keeper.record?.tokens
      const forgotten = keeper.end()
      const result = revoke && tokens ? await (await import('./revocation')).tryRevoke(context, tokens, signal) : { revoked: false }
      await forgotten
      return result
    },
  }
}

/** @throws ProtocolError `missing_id_token`: without a verified ID token nobody is signed in. */
function recordOf({ tokens, clientId, asked, obtainedAt, skew, ...given }: Adoptable): SessionRecord {
  const userId = given.userId ?? tokens.claims?.sub
  if (!isUserId(userId) || !isApplicationId(clientId)) throw new ProtocolError('missing_id_token')
  return { id: randomText(), epoch: 0, clientId, userId, tokens, asked, obtainedAt, skew }
}

function playerCredentials({ clock }: ClientContext, keeper: SessionKeeper, renew: Renew): Credentials {
  const bearer = ({ tokens }: SessionRecord) => `Bearer ${tokens.accessToken.reveal()}`
  return {
    async header() {
      const record = requireSession(keeper)
      // Without a refresh token it is sent all the same: only the service knows whether this machine's clock is right.
      const isDead = record.tokens.refreshToken && isExpired(record, clock.now())
      return bearer(isDead ? await renew({ dead: true }) : record)
    },
    async renew(refused) {
      await keeper.sync()
      const record = requireSession(keeper)
      if (bearer(record) !== refused) return true
      if (record.tokens.refreshToken && Math.abs(clock.now() - record.obtainedAt) < JUST_NOW) return false
      await renew({ dead: true })
      return true
    },
  }
}

/** Tells the game what became of the session. */
function follow(context: ClientContext, news: SessionNews): void {
  const { presence, emit } = context
  if (news.kind === 'ended') return presence.leave(news.error)
  const { session } = news
  const previous = presence.session
  presence.session = session
  if (news.kind === 'renewed' && previous) emit('tokenRefreshed', { session, previous, elsewhere: news.elsewhere })
  else if (previous !== session) emit('sessionChanged', { session, previous })
  setStatus(context, 'ready')
}

/** Tells of a token that does not work and could not be renewed, until it can. */
function renewing(context: ClientContext, keeper: SessionKeeper, renew: Renew): Renew {
  return async (why) => {
    try {
      return await renew(why)
    } catch (error) {
      if (keeper.session && (why.dead || keeper.session.state !== 'fresh')) setStatus(context, 'reconnecting')
      throw error
    }
  }
}

function setStatus({ presence, emit }: ClientContext, status: ClientStatus): void {
  const previous = presence.status
  presence.status = status
  if (previous !== status) emit('statusChanged', { status, previous })
}
