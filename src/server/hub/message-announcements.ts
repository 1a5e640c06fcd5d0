/** Announcements of messages to the members of a lobby, each of whom then reads at the service: bounded for each lobby. */
import { afterUnref, type Clock } from '../../shared/foundation/clock'
import type { LobbyViews } from './lobby-views'

/** Reads that the members of a lobby may cause at once, and in each further second: a quarter of the application's requests. */
const BURST = 30
const RATE = 12
const SECOND = 1000

interface Budget {
  left: number
  /** Epoch ms of the last change of `left`. */
  at: number
  /** Announced messages that wait; a read finds them all. */
  waiting: string[]
  cancel?: (() => void) | undefined
}

/** Messages of one lobby that wait for the same read. */
const MAX_WAITING = 50

export class MessageAnnouncements {
  readonly #clock: Clock
  readonly #views: Pick<LobbyViews, 'sendToMembers' | 'state'>
  readonly #budgets = new Map<string, Budget>()

  constructor(clock: Clock, views: Pick<LobbyViews, 'sendToMembers' | 'state'>) {
    this.#clock = clock
    this.#views = views
  }

  /** Sends an announcement now, or together with later ones as soon as the lobby's budget allows. */
  announce(lobbyId: string, messageIds: readonly string[]): void {
    const budget = this.#budgets.get(lobbyId) ?? { left: BURST, at: this.#clock.now(), waiting: [] }
    this.#budgets.set(lobbyId, budget)
    for (const id of messageIds)
      if (budget.waiting.length < MAX_WAITING && !budget.waiting.includes(id)) budget.waiting.push(id)
    if (!budget.cancel) this.#sendOrWait(lobbyId, budget)
  }

  sweep(): void {
    const now = this.#clock.now()
    for (const [id, { at, cancel }] of this.#budgets)
      if (!cancel && now - at > (BURST / RATE) * SECOND) this.#budgets.delete(id)
  }

  close(): void {
    for (const { cancel } of this.#budgets.values()) cancel?.()
    this.#budgets.clear()
  }

  #sendOrWait(lobbyId: string, budget: Budget): void {
    const now = this.#clock.now()
    budget.left = Math.min(BURST, budget.left + ((now - budget.at) / SECOND) * RATE)
    budget.at = now
    // A lobby with more members than the budget waits until it is full.
    const cost = Math.min(Math.max(0, (this.#views.state(lobbyId)?.lobby?.members.length ?? 0) - 1), BURST)
    if (budget.left >= cost) {
      budget.left -= cost
      const pending = budget.waiting.splice(0).map((id) => ({ lobby_id: lobbyId, message_id: id }))
      // In one part: a client that receives several reads once.
      this.#views.sendToMembers(lobbyId, 'lobby.message_pending', ...pending)
    } else {
      budget.cancel = afterUnref(this.#clock, Math.ceil(((cost - budget.left) / RATE) * SECOND), () => {
        budget.cancel = undefined
        this.#sendOrWait(lobbyId, budget)
      })
    }
  }
}
