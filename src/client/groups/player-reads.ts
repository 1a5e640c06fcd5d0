/** Requests about the player's account: the membership in a guild, and purchases. */
import { requireIds } from '../lobbies/lobby-requests'
import { ProtocolError } from '../../shared/foundation/errors'
import type { Snowflake } from '../../shared/foundation/ids'
import type { CallOptions } from '../../shared/foundation/options'
import { checkResponse, type FieldRule, ID, NUMBER, TEXT } from '../../shared/http/check-response'
import type { Api } from '../../shared/http/api'

/** Membership of the player in a guild. */
export interface GuildMember {
  /** Name in the guild, or null if the player has set none there. */
  readonly nick: string | null
  /** Hash of the avatar in the guild, or null if the player has set none there. */
  readonly avatar: string | null
  /** Ids of the roles. */
  readonly roles: readonly Snowflake[]
  /** Time of joining (ISO 8601), or null if it is not known. */
  readonly joinedAt: string | null
}

/** Purchase of the player. A player can change the page: a backend asks the service itself. */
export interface PlayerPurchase {
  /** Entitlement id. */
  readonly id: Snowflake
  /** SKU that was bought. */
  readonly skuId: Snowflake
  /** 1 purchase, 2 premium subscription, 3 gift of the developer, 4 purchase in test mode, 5 free, 6 gift of a user, 7 free with premium, 8 subscription of the application. */
  readonly type: number
  /** True once a backend has consumed it. */
  readonly consumed: boolean
  /** Beginning (ISO 8601), or null for one that always was valid. */
  readonly startsAt: string | null
  /** End (ISO 8601), or null for one without. */
  readonly endsAt: string | null
  /** User who has given it, or null if it is no gift. */
  readonly gifterUserId: Snowflake | null
}

const OPTIONAL_TEXT: FieldRule = { ...TEXT, isOptional: true }

const GUILD_MEMBER: FieldRule<{
  nick?: string | null
  avatar?: string | null
  roles: Snowflake[]
  joined_at?: string | null
}> = {
  fields: { nick: OPTIONAL_TEXT, avatar: OPTIONAL_TEXT, roles: { list: ID }, joined_at: OPTIONAL_TEXT },
}
interface ReceivedPurchase {
  readonly id: Snowflake
  readonly sku_id: Snowflake
  readonly type: number
  readonly consumed?: boolean | null
  readonly starts_at?: string | null
  readonly ends_at?: string | null
  readonly gifter_user_id?: Snowflake | null
}
const ENTITLEMENTS: FieldRule<readonly ReceivedPurchase[]> = {
  list: {
    fields: {
      id: ID,
      sku_id: ID,
      type: NUMBER,
      consumed: { isOptional: true, expected: 'true or false', fits: (value) => typeof value === 'boolean' },
      starts_at: OPTIONAL_TEXT,
      ends_at: OPTIONAL_TEXT,
      gifter_user_id: { ...ID, isOptional: true },
    },
  },
}

const MEMBERSHIP = '/users/@me/guilds/{guild.id}/member'
const PURCHASES = '/users/@me/applications/{application.id}/entitlements'
/** Purchases of a page, the most that the service sends. */
const PAGE = 100

export async function readMembership(
  api: Api,
  guildId: string,
  { signal }: CallOptions,
): Promise<GuildMember> {
  requireIds({ guildId })
  const ids = { 'guild.id': guildId }
  const { body } = await api.send({ method: 'GET', route: MEMBERSHIP, ids, signal })
  const {
    nick = null,
    avatar = null,
    roles,
    joined_at: joinedAt = null,
  } = checkResponse(body, `GET ${MEMBERSHIP}`, GUILD_MEMBER)
  return { nick, avatar, roles, joinedAt }
}

/** Reads page after page, the oldest first. */
export async function readPurchases(
  api: Api,
  applicationId: string,
  { signal }: CallOptions,
): Promise<readonly PlayerPurchase[]> {
  const found: PlayerPurchase[] = []
  for (let after = '0'; ;) {
    const { body } = await api.send({
      method: 'GET',
      route: PURCHASES,
      ids: { 'application.id': applicationId },
      query: { after, limit: String(PAGE) },
      signal,
    })
    const page = [...checkResponse(body, `GET ${PURCHASES}`, ENTITLEMENTS)].sort((left, right) =>
      BigInt(left.id) < BigInt(right.id) ? -1 : 1,
    )
    found.push(...page.map(purchaseOf))
    const last = page[page.length - 1]
    if (!last || page.length < PAGE) return found
    // A service that ignores the cursor would be asked for ever.
    if (BigInt(last.id) <= BigInt(after)) throw new ProtocolError('malformed_response', `GET ${PURCHASES}`)
    after = last.id
  }
}

const purchaseOf = ({
  id,
  sku_id,
  type,
  consumed,
  starts_at,
  ends_at,
  gifter_user_id,
}: ReceivedPurchase): PlayerPurchase => ({
  id,
  skuId: sku_id,
  type,
  consumed: consumed === true,
  startsAt: starts_at ?? null,
  endsAt: ends_at ?? null,
  gifterUserId: gifter_user_id ?? null,
})
