/** Products of the application, and what players own of them (docs/interface/activities.md#purchases). */
import { ApiError, ConfigurationError, type Issue, ProtocolError } from '../../shared/foundation/errors'
import type { ApplicationId } from '../../shared/foundation/ids'
import {
  check,
  checkObject,
  collectIssues,
  flag,
  id,
  list,
  one,
  refuse,
  type Rule,
  type Shape,
} from '../../shared/foundation/rules'
import { takeOptions } from '../../shared/foundation/take-options'
import { ownArguments, ownFields } from '../../shared/foundation/untrusted-values'
import type { ApiCall, Credentials } from '../../shared/http/api'
import { CheckedBody } from '../../shared/http/checked-body'
import type { LimitedApi } from '../../shared/http/limited-api'
import type { Entitlement, Sku, SkuSubscription } from '../../shared/wire/purchase'
import type { ServiceBudget } from '../budget/service-budget'
import type { Clock } from '../../shared/foundation/clock'
import { decodeEntitlement, decodeEntitlements, decodeSkus, decodeSubscriptions } from './decode-purchase'
import { EntitlementType } from './purchase-constants'
import { isValidAt } from './is-valid-at'
import { PurchaseIssues, type PurchasePlace } from './purchase-issues'

/** Options of every call about purchases. */
export interface PurchaseCallOptions {
  /** Aborts the call, waiting or in progress, with `aborted`. */
  signal?: AbortSignal | undefined
  /**
   * Priority among calls that wait for the same limit, with weights 8, 4 and 1. Calls with `low`, and strangers, leave three tenths of the
   * application's limit to others. Default: `normal`.
   */
  priority?: 'high' | 'normal' | 'low' | undefined
  /**
   * Id of the player who causes the call: it takes from what a player may cause, 30 calls at once and 5 in each further second, and rejects
   * with `rate_limited` beyond. A list is one call. Default: nobody, the game itself calls.
   */
  onBehalfOf?: string | undefined
}

/** Purchases that `list` reads: those of a user, or of a guild. */
export interface PurchaseQuery {
  /** Owner. */
  userId?: string | undefined
  /** Guild that owns them. */
  guildId?: string | undefined
  /** Only of these products, 1 to 100. Default: of all. */
  skuIds?: readonly string[] | undefined
  /** True leaves out those that have ended. Default: false. */
  excludeEnded?: boolean | undefined
  /** False lists those too that were refunded or withdrawn. Default: true. */
  excludeDeleted?: boolean | undefined
  /** Only those with a lower id, which are older. Default: all. */
  before?: string | undefined
  /** Only those with a higher id, which are newer. Default: all. */
  after?: string | undefined
}

/** Entitlement of a subscription that nobody pays for, made by `createTest`: give the user or the guild that gets it. */
export interface TestPurchase {
  /** Subscription to test. The service advises against it for products that are bought once: buy those in test mode. */
  skuId: string
  /** User who gets it. */
  userId?: string | undefined
  /** Guild that gets it. */
  guildId?: string | undefined
}

interface PurchasesParts extends Pick<LimitedApi, 'api'> {
  readonly applicationId: ApplicationId
  readonly clock: Clock
  readonly credentials: Credentials
  readonly budget: Pick<ServiceBudget, 'clientFor'>
}

const SKUS = '/applications/{application.id}/skus'
const ALL = '/applications/{application.id}/entitlements'
const ONE = '/applications/{application.id}/entitlements/{entitlement.id}'
const CONSUME = '/applications/{application.id}/entitlements/{entitlement.id}/consume'
const SUBSCRIPTIONS = '/skus/{sku.id}/subscriptions'

/** Entitlements of a page, the most that the service sends. */
const PAGE = 100
const GUILD_OWNER = 1
const USER_OWNER = 2
const NOT_FOUND = 404

const ID: Rule = { is: id, required: true }
const OWNER: Rule = { is: id }
const QUERY: Shape = {
  userId: OWNER,
  guildId: OWNER,
  skuIds: { is: list, of: { is: id }, min: 1, max: PAGE },
  excludeEnded: { is: flag },
  excludeDeleted: { is: flag },
  before: { is: id },
  after: { is: id },
}
const TEST: Shape = { skuId: ID, userId: OWNER, guildId: OWNER }
const OPTIONS: Shape = {
  priority: { is: one, values: ['high', 'normal', 'low'] },
  onBehalfOf: { is: id },
}

/**
 * Products and purchases of the application, as the service states them. Requires a bot token. Whatever a page says about a purchase is a
 * hint to look here. `createPurchaseDesk` grants each purchase exactly once.
 *
 * @throws ValidationError `invalid_argument` with all issues.
 * @throws RateLimitError, ApiError, NetworkError or ProtocolError.
 */
export class Purchases {
  /** Id of the application. */
  readonly applicationId: ApplicationId
  readonly #parts: PurchasesParts

  constructor(parts: PurchasesParts) {
    this.#parts = parts
    this.applicationId = parts.applicationId
  }

  /** Lists the products of the application. */
  async skus(options?: PurchaseCallOptions): Promise<readonly Sku[]> {
    return decodeSkus(await this.#send({ method: 'GET', route: SKUS, ids: {} }, options), `GET ${SKUS}`)
  }

  /**
   * Lists what a user or a guild owns, the oldest first. Reads page after page until there are no more.
   *
   * @example
   * ```ts
   * const owned = await backend.purchases.list({ userId: player.id, excludeEnded: true }, { onBehalfOf: player.id })
   * ```
   */
  async list(query: PurchaseQuery, options?: PurchaseCallOptions): Promise<readonly Entitlement[]> {
    const { before, after = '0', ...wanted } = ownFields(readQuery(query))
    const found: Entitlement[] = []
    let call = options
    for (let cursor = after; ;) {
      const body = await this.#send(
        { method: 'GET', route: ALL, ids: {}, query: { ...wanted, after: cursor, limit: String(PAGE) } },
        call,
      )
      const page = [...decodeEntitlements(body, `GET ${ALL}`)].sort(byId)
      const last = page.at(-1)
      found.push(...page.filter((each) => before === undefined || BigInt(each.id) < BigInt(before)))
      if (!last || page.length < PAGE || (before !== undefined && BigInt(last.id) >= BigInt(before)))
        return found
      // A service that ignores the cursor would be asked for ever.
      if (BigInt(last.id) <= BigInt(cursor)) throw new ProtocolError('malformed_response', `GET ${ALL}`)
      cursor = last.id
      call = { ...ownFields({ ...options }), onBehalfOf: undefined }
    }
  }

  /** Reads one purchase, also one that was refunded or consumed. Resolves with null if there is none. */
  async get(entitlementId: string, options?: PurchaseCallOptions): Promise<Entitlement | null> {
    const ids = requireIds({ 'entitlement.id': entitlementId })
    try {
      return decodeEntitlement(await this.#send({ method: 'GET', route: ONE, ids }, options), `GET ${ONE}`)
    } catch (error) {
      if (error instanceof ApiError && error.status === NOT_FOUND) return null
      throw error
    }
  }

  /**
   * True if the user owns the product now: a purchase of it that has begun, has not ended, and was neither refunded nor consumed. For subscriptions
   * and durable products. One that was bought in test mode counts only if `allowTest` is true, as at the desk.
   */
  async owns(
    userId: string,
    skuId: string,
    options?: PurchaseCallOptions & { allowTest?: boolean | undefined },
  ): Promise<boolean> {
    requireIds({ 'user.id': userId, 'sku.id': skuId })
    const { allowTest = false, ...call } = ownFields({ ...options })
    const now = this.#parts.clock.now()
    const found = await this.list({ userId, skuIds: [skuId], excludeEnded: true }, call)
    return found.some(
      (each) =>
        each.user_id === userId &&
        each.sku_id === skuId &&
        each.consumed !== true &&
        isValidAt(each, now) &&
        (allowTest || each.type !== EntitlementType.TEST_MODE_PURCHASE),
    )
  }

  /**
   * Marks a consumable as used up: the player can buy it again. Grant what it brings before. Succeeds if it was consumed already (_assumed_).
   *
   * @throws ApiError for a product that is no consumable.
   */
  async consume(entitlementId: string, options?: PurchaseCallOptions): Promise<void> {
    const ids = requireIds({ 'entitlement.id': entitlementId })
    await this.#send({ method: 'POST', route: CONSUME, ids, mayBeEmpty: true }, options)
  }

  /** Makes an entitlement of a subscription that nobody pays for, for tests. */
  async createTest(purchase: TestPurchase, options?: PurchaseCallOptions): Promise<Entitlement> {
    const body = CheckedBody.of(purchase, { check: issuesOf, code: 'invalid_argument' }).map(
      ({ skuId, userId, guildId }) => ({
        sku_id: skuId,
        owner_id: userId ?? guildId,
        owner_type: userId === undefined ? GUILD_OWNER : USER_OWNER,
      }),
    )
    return decodeEntitlement(
      await this.#send({ method: 'POST', route: ALL, ids: {}, body }, options),
      `POST ${ALL}`,
    )
  }

  /** Withdraws an entitlement that `createTest` has made. */
  async deleteTest(entitlementId: string, options?: PurchaseCallOptions): Promise<void> {
    const ids = requireIds({ 'entitlement.id': entitlementId })
    await this.#send({ method: 'DELETE', route: ONE, ids }, options)
  }

  /** Lists the newest 100 subscriptions of a user to a product. */
  async subscriptions(
    skuId: string,
    query: { userId: string },
    options?: PurchaseCallOptions,
  ): Promise<readonly SkuSubscription[]> {
    const { userId } = takeOptions({ ...query }, ['userId'])
    const { 'user.id': user, ...ids } = requireIds({ 'sku.id': skuId, 'user.id': userId })
    const asked = { user_id: user ?? userId, limit: String(PAGE) }
    const body = await this.#send({ method: 'GET', route: SUBSCRIPTIONS, ids, query: asked }, options)
    return decodeSubscriptions(body, `GET ${SUBSCRIPTIONS}`)
  }

  async #send(call: ApiCall, options?: PurchaseCallOptions): Promise<unknown> {
    const { api, applicationId, budget, credentials } = this.#parts
    const { signal, ...rest } = ownFields({ ...options })
    const given = ownFields(rest)
    refuseIssues((at) => checkObject(given, OPTIONS, at))
    if (credentials.kind === 'application')
      throw new ConfigurationError('invalid_argument', 'credentials', {
        remedy: 'Purchases need botToken(…): client credentials have no access',
      })
    const { priority, onBehalfOf } = given
    const sender =
      onBehalfOf === undefined ? api : budget.clientFor({ kind: 'player', id: onBehalfOf }, { credentials })
    const ids = { 'application.id': applicationId, ...call.ids }
    const { body } = await sender.send({ ...call, ids, signal, priority })
    return body
  }
}

/** @throws ValidationError with all issues. */
function refuseIssues(run: (at: PurchasePlace) => void): void {
  refuse('invalid_argument', collectIssues(new PurchaseIssues(), run))
}

/** Checks ids by the names of their placeholders. @throws ValidationError. */
function requireIds(given: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  refuseIssues((at) => {
    for (const [name, value] of Object.entries(given)) check(value, ID, at.field(name))
  })
  return given
}

/** A query without an owner would list the purchases of everybody. */
function checkOwner(
  { userId, guildId }: { readonly userId?: unknown; readonly guildId?: unknown },
  at: PurchasePlace,
): void {
  if ((userId === undefined) === (guildId === undefined)) at.field('userId').add('one_owner')
}

/** The query as the service names its fields. Read once. @throws ValidationError. */
function readQuery(given: PurchaseQuery): Readonly<Record<string, string>> {
  const query = ownArguments<PurchaseQuery>({ ...given })
  refuseIssues((at) => {
    if (checkObject(query, QUERY, at)) checkOwner(query, at)
  })
  const { userId, guildId, skuIds, excludeEnded, excludeDeleted, before, after } = query
  return {
    ...(userId !== undefined && { user_id: userId }),
    ...(guildId !== undefined && { guild_id: guildId }),
    ...(skuIds !== undefined && { sku_ids: skuIds.join(',') }),
    ...(excludeEnded !== undefined && { exclude_ended: String(excludeEnded) }),
    ...(excludeDeleted !== undefined && { exclude_deleted: String(excludeDeleted) }),
    ...(before !== undefined && { before }),
    ...(after !== undefined && { after }),
  }
}

const issuesOf = (given: unknown): readonly Issue[] =>
  collectIssues(new PurchaseIssues(), (at) => {
    if (checkObject(given, TEST, at)) checkOwner(given, at)
  })

const byId = (left: Entitlement, right: Entitlement): number => (BigInt(left.id) < BigInt(right.id) ? -1 : 1)
