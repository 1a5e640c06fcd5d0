/** Closes idle lobbies when their time is over, also when nobody asks for them. */
import type { Service } from '../service.js'
import { Keeper } from './keeper.js'

/** Timers take no more. */
const longest = 2 ** 31 - 1

export class IdleWatch {
  readonly #service: Service
  readonly #keeper: Keeper
  readonly #undo: () => void
  #timer: NodeJS.Timeout | undefined

  constructor(service: Service) {
    this.#service = service
    this.#keeper = new Keeper(service)
    // Only these bring a deadline nearer; all else that happens puts it off.
    this.#undo = service.events.subscribe(({ name }) => {
      if (name === 'lobby.created' || name === 'lobby.updated') this.#arm()
    })
  }

  /** Closes those whose time is over, and waits for the next. */
  look(): void {
    this.#keeper.closeIdle()
    this.#arm()
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#undo()
  }

  #arm(): void {
    clearTimeout(this.#timer)
    const next = this.#service.state.lobbies.nextDeadline()
    if (next === undefined) return
    const wait = Math.min(Math.max(0, next - this.#service.clock.now()), longest)
    this.#timer = setTimeout(() => this.look(), Math.ceil(wait)).unref()
  }
}
