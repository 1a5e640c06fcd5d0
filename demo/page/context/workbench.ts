/** Two players at one service, each with a client of their own, and the secret of their lobby. */
import { type Signal, signal } from '@preact/signals'
import { type ClientOptions, indexedDbStore, lobbyStream, sessionStorageStore } from 'foyer-sdk'
import { PlayerSlot } from '../game/player-slot'
import { FAULT_CONTROL_EVENTS } from '../game/fault-controls'

export interface Workbench {
  readonly slots: readonly [PlayerSlot, PlayerSlot]
  readonly secret: Signal<string>
}

/** Each player has a separate client, store and profile, so that they never mix. */
const PLAYER_STORES = [
  { profile: 'left', makeStore: sessionStorageStore },
  { profile: 'right', makeStore: indexedDbStore },
] as const

/** ms that a call waits for its limits. A burst takes more than the default of 5 s on a slow machine; eleven joins need a whole minute. */
const MAX_WAIT = 30_000

export function createWorkbench(): Workbench {
  return { slots: [new PlayerSlot(), new PlayerSlot()], secret: signal(newSecret()) }
}

/** `hasStream`: true if a stream of lobby events is available. */
export async function connectPlayers(
  { slots }: Workbench,
  options: ClientOptions,
  { hasStream }: { hasStream: boolean },
): Promise<void> {
  const restored = slots.map((slot, index) => {
    const { profile, makeStore } = PLAYER_STORES[index === 0 ? 0 : 1]
    const stream = hasStream && { lobbyUpdates: lobbyStream(FAULT_CONTROL_EVENTS) }
    slot.use({ ...options, profile, tokenStore: makeStore(), maxWait: MAX_WAIT, ...stream })
    return slot.restore()
  })
  await Promise.all(restored)
}

/** Random and long: anyone who has the secret can join. */
export function newSecret(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) =>
    byte.toString(36).padStart(2, '0'),
  ).join('')
}
