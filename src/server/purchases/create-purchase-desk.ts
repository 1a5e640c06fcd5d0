/** Desk that grants what players have bought, each purchase exactly once, whenever the backend or the network fails. */
import { type Clock, systemClock } from '../../shared/foundation/clock'
import { ConfigurationError } from '../../shared/foundation/errors'
import { isSnowflake } from '../../shared/foundation/ids'
import { type Wait } from '../../shared/foundation/in-time'
import { takeCall, takePort, takeOptions } from '../../shared/foundation/take-options'
import { type Log, warnInConsole, withoutExceptions } from '../../shared/foundation/log-entry'
import { requireNumber, createTyped, withTypedErrors } from '../../shared/foundation/options'
import { ownFields } from '../../shared/foundation/untrusted-values'
import type { Entitlement } from '../../shared/wire/purchase'
import { storeReport } from '../keys/store-report'
import type { Purchase, PurchaseDesk, PurchaseDeskOptions } from './purchase-desk'
import { PurchaseRedeemer } from './purchase-redeemer'
import { PURCHASE_STORE, type PurchaseStore } from './purchase-store'

const OPTIONS: readonly (keyof PurchaseDeskOptions)[] = [
  'purchases',
  'grant',
  'revoke',
  'store',
  'allowTest',
  'grantTimeout',
  'onError',
  'logger',
  'clock',
]
const PURCHASES = {
  name: 'purchases',
  methods: ['skus', 'list', 'get', 'consume'],
  remedy: 'Pass the purchases of an ApplicationClient: client.purchases',
}
const NO_GRANT = 'Pass a function that takes a purchase, for example ({ userId, skuId, entitlementId }) => …'
const NO_STORE =
  'Pass redisPurchaseStore(redis), or memoryPurchaseStore() in development: a restart empties it, and durable products are granted again'
/** ms. */
const GRANT_TIMEOUT = 10_000
/** ms for which a claim lasts beyond the work under it, so that its end is recorded before somebody else takes over. */
const SETTLE_TIME = 2000

/**
 * Creates the desk that grants purchases. It asks the service, never a page. It claims the entitlement in the store, calls `grant`, records
 * that it has, and consumes the entitlement if it is a consumable. Of any number of calls, at once, in several processes, and for one purchase of events that come
 * before the page's call, after it, twice or never, one grants it.
 *
 * A process may end at any point:
 *
 * 1. Before the service was asked: nothing has happened. The next call grants.
 * 2. After the service has answered: the same.
 * 3. After the claim: it ends 2 s after `grantTimeout`. The next call waits for that, and grants with `isRepeated`.
 * 4. After `grant`, before it is recorded: the next call cannot know, and calls `grant` with the same id and `isRepeated`. A database that has the id
 *    in a unique column makes it exactly once. After it is recorded: the next call only consumes.
 * 5. After the entitlement was consumed: everything is done. The next call finds nothing.
 *
 * A refund calls `revoke` in the same way, and a purchase that was refunded is never granted afterwards. Subscriptions and what belongs to a
 * guild are not granted: ask `purchases.owns` whenever it matters.
 *
 * @throws ConfigurationError `invalid_argument`.
 * @example
 * ```ts
 * const desk = createPurchaseDesk({
 *   purchases: client.purchases,
 *   store: redisPurchaseStore(redis),
 *   grant: ({ userId, skuId, entitlementId }) => db.addRolls(userId, ROLLS[skuId], entitlementId),
 *   revoke: ({ entitlementId }) => db.removeRolls(entitlementId),
 * })
 * const redeem = (entitlement: Entitlement) => desk.redeemEvent(entitlement)
 * createEventHandler({ publicKey, on: { ENTITLEMENT_CREATE: redeem, ENTITLEMENT_DELETE: redeem } })
 * ```
 */
export function createPurchaseDesk(options: PurchaseDeskOptions): PurchaseDesk {
  return createTyped('createPurchaseDesk', () => {
    const given = takeOptions(options, OPTIONS)
    const { clock = systemClock, grantTimeout = GRANT_TIMEOUT, onError = printError } = given
    requireNumber(grantTimeout, 'grantTimeout', { kind: 'ms', min: 1, example: '10_000' })
    const waitFor = (name: string) => ({ name, clock, timeout: grantTimeout })
    const grant = takeWork(given.grant, waitFor('grant'))
    if (!grant) throw new ConfigurationError('invalid_argument', 'grant', { remedy: NO_GRANT })
    const purchases = requirePurchases(given.purchases)
    const log = withoutExceptions(given.logger ?? warnInConsole)
    const work = new PurchaseRedeemer({
      purchases,
      store: requireStore(given.store, { clock, log }),
      grant,
      revoke: takeWork(given.revoke, waitFor('revoke')),
      allowsTest: readAllowTest(given),
      claimTime: grantTimeout + SETTLE_TIME,
      report: reportTo(onError),
      log,
      clock,
    })
    return {
      redeem: (playerId, call) =>
        withTypedErrors('redeem', () => work.redeem(requirePlayer(playerId), ownFields({ ...call }))),
      redeemEvent: (entitlement) => withTypedErrors('redeemEvent', () => work.redeemEvent(entitlement)),
    }
  })
}

/** @throws ConfigurationError `invalid_argument`. */
function requirePlayer(playerId: unknown): string {
  if (typeof playerId === 'string') return playerId
  throw new ConfigurationError('invalid_argument', `redeem: the id of a player, and not ${typeof playerId}`, {
    remedy: 'Pass the id of the verified player: redeem(player.id)',
  })
}

/** @throws ConfigurationError `invalid_argument`. */
function readAllowTest({ allowTest = false }: PurchaseDeskOptions): boolean {
  if (typeof allowTest === 'boolean') return allowTest
  throw new ConfigurationError('invalid_argument', 'allowTest', { remedy: 'Pass true or false' })
}

/** Without one, a restart would grant durable products again. @throws ConfigurationError `invalid_argument`. */
function requireStore(
  given: PurchaseStore | undefined,
  { clock, log }: { clock: Clock; log: Log },
): PurchaseStore {
  const onFailure = storeReport('store of createPurchaseDesk', log)
  const store = takePort(given, { ...PURCHASE_STORE, onFailure }, clock)
  if (store) return store
  throw new ConfigurationError('invalid_argument', 'store', { remedy: NO_STORE })
}

/** @throws ConfigurationError `invalid_argument`. */
function requirePurchases(given: PurchaseDeskOptions['purchases']): PurchaseDeskOptions['purchases'] {
  const { applicationId }: { applicationId?: unknown } = Object(given)
  const isComplete = PURCHASES.methods.every((name) => typeof Reflect.get(Object(given), name) === 'function')
  if (isComplete && isSnowflake(applicationId)) return given
  throw new ConfigurationError('invalid_argument', PURCHASES.name, { remedy: PURCHASES.remedy })
}

/** A function of the game with an end. Undefined stays undefined. @throws ConfigurationError `invalid_argument`. */
function takeWork<Given extends Purchase>(
  given: ((purchase: Given) => unknown) | undefined,
  wait: Wait,
): ((purchase: Given) => Promise<unknown>) | undefined {
  if (given === undefined) return undefined
  if (typeof given !== 'function')
    throw new ConfigurationError('invalid_argument', wait.name, { remedy: NO_GRANT })
  return takeCall(async (purchase: Given) => given(purchase), wait)
}

/** Its own exceptions and rejections are ignored. */
function reportTo(onError: (error: unknown, entitlement: Entitlement) => unknown) {
  return async (error: unknown, entitlement: Entitlement): Promise<void> => {
    try {
      await onError(error, entitlement)
    } catch {
      // The purchase is in the result, and comes again.
    }
  }
}

const printError = (error: unknown): void => console.error(error)
