/** Closes idle lobbies when their time is over, also when nobody asks for them. */
import type { EmulatorContext } from '../context/context.js'
import { LobbyService } from './lobby-service.js'

/** Timers take no more. */
const longest = 2 ** 31 - 1

export class IdleWatch {
  readonly #context: EmulatorContext
  readonly #lobbyService: LobbyService
  readonly #undo: () => void
  #timer: NodeJS.Timeout | undefined

  constructor(context: EmulatorContext) {
    this.#context = context
    this.#lobbyService = new LobbyService(context)
    // Only these bring a deadline nearer; all else that happens puts it off.
    this.#undo = context.events.subscribe(({ name }) => {
      if (name === 'lobby.created' || name === 'lobby.updated') this.#arm()
    })
  }

  /** Closes those whose time is over, and waits for the next. */
  look(): void {
    this.#lobbyService.closeIdle()
    this.#arm()
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#undo()
  }

  #arm(): void {
    clearTimeout(this.#timer)
    const next = this.#context.state.lobbies.nextDeadline()
    if (next === undefined) return
    const wait = Math.min(Math.max(0, next - this.#context.clock.now()), longest)
    this.#timer = setTimeout(() => this.look(), Math.ceil(wait)).unref()
  }
}
