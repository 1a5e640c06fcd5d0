/** Commands about the player's device and the host window: settings, orientation, purchases and quests. */
import { invalidPayload, requireText, type CommandContext } from './check-access.js'
import { DEFAULT_QUEST } from './activity-stores.js'
import { ERROR_CODE, RpcError } from './rpc-messages.js'

/** Milliseconds for which a proxy ticket is valid (assumed). */
const TICKET_LIFETIME = 600_000
const LOCK_STATES = new Set<unknown>([1, 2, 3])

export async function encourageHardwareAcceleration(_args: unknown, { session, rpc }: CommandContext) {
  const device = rpc.stores.devices.of(session.place.player.id)
  const { hardwareAcceleration: enabled } = device
  if (!enabled) void askToEnable()
  return { enabled }

  async function askToEnable(): Promise<void> {
    const { action } = await rpc.ask(session, {
      title: 'Turn on hardware acceleration?',
      text: 'This game draws faster with it.',
      actions: [
        { value: 'enable', label: 'Turn on' },
        { value: 'cancel', label: 'Not now' },
      ],
    })
    if (action === 'enable') device.hardwareAcceleration = true
  }
}

export function setConfig(
  { use_interactive_pip: interactive }: Record<string, unknown>,
  { session, rpc }: CommandContext,
) {
  if (typeof interactive !== 'boolean') throw invalidPayload('use_interactive_pip must be true or false')
  rpc.stores.devices.of(session.place.player.id).interactivePip = interactive
  return { use_interactive_pip: interactive }
}

export function setOrientationLockState(
  args: Record<string, unknown>,
  { session, rpc }: CommandContext,
): null {
  const { lock_state: lock, picture_in_picture_lock_state: pip, grid_lock_state: grid } = args
  if (!LOCK_STATES.has(lock)) throw invalidPayload('lock_state must be 1, 2 or 3')
  for (const optional of [pip, grid])
    if (optional !== undefined && optional !== null && !LOCK_STATES.has(optional))
      throw invalidPayload('a lock state must be 1, 2 or 3')
  rpc.stores.devices.of(session.place.player.id).orientationLock = args
  return null
}

/** Form of the ticket is assumed: the public documentation does not describe it. */
export function requestProxyTicketRefresh(_args: unknown, { session, context }: CommandContext) {
  const { player, instance } = session.place
  const now = context.clock.now()
  const claims = {
    user_id: player.id,
    instance_id: instance.id,
    created_at: now,
    expires_at: now + TICKET_LIFETIME,
  }
  return { ticket: Buffer.from(JSON.stringify(claims)).toString('base64url') }
}

export async function startPurchase(args: Record<string, unknown>, { session, rpc }: CommandContext) {
  const skuId = requireText(args, 'sku_id', 64)
  const { purchases } = rpc.stores
  const sku = purchases.sku(skuId)
  if (sku === undefined) throw invalidPayload('sku_id is no SKU of the application')
  const { action } = await rpc.ask(session, {
    title: `Buy ${sku.name}`,
    text: `A test purchase for ${(sku.price.amount / 100).toFixed(2)} ${sku.price.currency.toUpperCase()}: nothing is paid.`,
    actions: [
      { value: 'buy', label: 'Buy' },
      { value: 'cancel', label: 'Cancel' },
    ],
  })
  if (action !== 'buy') throw new RpcError(ERROR_CODE.unknown, 'the player canceled the purchase')
  return [purchases.add({ userId: session.place.player.id, skuId })]
}

export function getQuest(args: Record<string, unknown>, { session, rpc, context }: CommandContext) {
  const quest = typeof args['quest_id'] === 'string' ? args['quest_id'] : DEFAULT_QUEST
  const { quest_id: questId, enrolled_at: enrolledAt } = rpc.stores.quests.status(
    session.place.player.id,
    quest,
  )
  return {
    quest_id: questId,
    enrolled_at: enrolledAt,
    completed_at: null,
    external_cta_url: `${context.url}/`,
  }
}
