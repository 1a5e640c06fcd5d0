/** The session of a client: where it is kept, when it is renewed, and what the game hears of it. Loaded with the first one. */
import { randomText } from '../foundation/encoding'
import { ProtocolError } from '../foundation/errors'
import { isApplicationId, isUserId } from '../foundation/ids'
import { steady } from '../foundation/steady-clock'
import type { Credentials } from '../http/credentials'
import { requireSession, SessionKeeper, type SessionNews } from '../tokens/keeper'
import { isExpired } from '../tokens/renewal-plan'
import { createRenewal, type Renew } from '../tokens/renewal'
import { type RenewalWatch, watchRenewal } from '../tokens/renewal-watch'
import type { Session } from '../tokens/session'
import type { SessionRecord } from '../tokens/session-record'
import { aloneSurroundings, type Surroundings } from '../tokens/surroundings'
import type { ClientContext } from './context'
import type { ClientStatus } from './events'
import type { Adoptable, Sessions, SignOutOptions, SignOutResult } from './session-port'

/** ms after a renewal for the sake of a 401 in which another 401 has other reasons than the token. */
const JUST_NOW = 30_000

export async function createSessions(context: ClientContext): Promise<Sessions> {
  const alone = aloneSurroundings()
  const surroundings = (await context.surroundings?.(alone)) ?? alone
  const keeper: SessionKeeper = createKeeper(context, surroundings, () => watch.look())
  const renew = renewing(context, keeper, createRenewal({ ...context, keeper, surroundings }))
  const watch = watchFor(context, { keeper, surroundings, renew })
  const begin = <T extends Session | null>(session: T): T => {
    // Fetched now: a page that outlives a deployment, or loses its network, can still read the answer to a renewal.
    if (session) void context.exchange().catch(() => undefined)
    watch.look()
    return session
  }
  return {
    keeper,
    ...playerCredentials(context, keeper, renew),
    adopt: async (redeemed) => begin(await keeper.adopt(recordOf(redeemed))),
    restore: async () => begin(await keeper.restore()),
    async refresh() {
      await renew({ dead: false })
      return keeper.session
    },
    signOut: (options) => signOut(context, keeper, options),
  }
}

/** `changed` is called after the game was told. */
function createKeeper(context: ClientContext, surroundings: Surroundings, changed: () => void): SessionKeeper {
  const { clock, life, log, tokenStore: store } = context
  const own = randomText()
  const key = () => `foyer:session:${store ? `${context.profile.issuer} ${context.applicationId ?? ''} ${context.player}` : own}`
  const tell = (news: SessionNews) => {
    follow(context, news)
    changed()
  }
  return new SessionKeeper({ store, surroundings, key, clock, life, log, tell })
}

function watchFor(
  { clock, life, holds, emit }: ClientContext,
  parts: { keeper: SessionKeeper; surroundings: Surroundings; renew: Renew },
): RenewalWatch {
  const steadily = steady(clock)
  return watchRenewal({
    ...parts,
    life,
    clock: { now: () => clock.now(), after: (delay, callback) => steadily.idle(delay, callback) },
    held: () => holds.size > 0,
    expiring: (session) => emit('tokenExpiring', { session, expiresAt: session.tokens.expiresAt }),
  })
}

async function signOut(context: ClientContext, keeper: SessionKeeper, { revoke, signal }: SignOutOptions): Promise<SignOutResult> {
  if (revoke) await keeper.restore()
  const tokens = keeper.record?.tokens
  const forgotten = keeper.end()
  const result = revoke && tokens ? await (await import('./revocation')).tryRevoke(context, tokens, signal) : { revoked: false }
  await forgotten
  return result
}

/** @throws ProtocolError `missing_id_token`: without a verified ID token nobody is signed in. */
function recordOf({ tokens, clientId, asked, obtainedAt, skew, ...given }: Adoptable): SessionRecord {
  const userId = given.userId ?? tokens.claims?.sub
  if (!isUserId(userId) || !isApplicationId(clientId)) throw new ProtocolError('missing_id_token')
  return { id: randomText(), epoch: 0, clientId, userId, tokens, asked, obtainedAt, skew }
}

function playerCredentials({ clock }: ClientContext, keeper: SessionKeeper, renew: Renew): Credentials {
  let renewed: string | undefined
  let renewedAt = 0
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
      if (renewed === refused && Math.abs(clock.now() - renewedAt) < JUST_NOW) return false
      renewed = bearer(await renew({ dead: true }))
      renewedAt = clock.now()
      return true
    },
  }
}

const bearer = ({ tokens }: SessionRecord): string => `Bearer ${tokens.accessToken.reveal()}`

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
