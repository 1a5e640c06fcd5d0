/** The lobby screen's state: two seats at one service, the secret that brings them together, and a meter of their limits. */
import { type ClientOptions, indexedDbStore, lobbyStream, sessionStorageStore } from 'foyer-sdk'
import { Store } from '../store'
import { LimitsMeter } from './limits-meter'
import { PlayerSlot } from './player-slot'
import { FAULT_CONTROL_EVENTS } from './fault-controls'

export interface Workbench {
  readonly seats: readonly [PlayerSlot, PlayerSlot]
  readonly secret: Store<string>
  readonly meter: LimitsMeter
}

/** Each player has a client of its own, with a store and a profile of its own: they never mix. */
const KEEPING = [
  { profile: 'left', makeStore: sessionStorageStore },
  { profile: 'right', makeStore: indexedDbStore },
] as const

export function createWorkbench(): Workbench {
  const seats = [new PlayerSlot(), new PlayerSlot()] as const
  return { seats: [...seats], secret: new Store(newSecret()), meter: new LimitsMeter(seats) }
}

/** `hasStage`: somebody tells what happens in lobbies. */
export async function seatPlayers({ seats }: Workbench, options: ClientOptions, hasStage: boolean): Promise<void> {
  const restored = seats.map((seat, index) => {
    const { profile, makeStore } = KEEPING[index === 0 ? 0 : 1]
    seat.use({ ...options, profile, tokenStore: makeStore(), ...(hasStage && { lobbyUpdates: lobbyStream(FAULT_CONTROL_EVENTS) }) })
    return seat.restore()
  })
  await Promise.all(restored)
}

/** Hard to guess: whoever has it gets in. */
export function newSecret(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(36).padStart(2, '0')).join('')
}
