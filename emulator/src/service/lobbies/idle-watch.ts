/** Timer that closes idle lobbies on time, without a request. */
import type { EmulatorContext } from '../../state/emulator-context.js'
import { LobbyService } from './lobby-service.js'

/** Maximum delay of a timer. */
const MAX_WAIT = 2 ** 31 - 1

export class IdleWatch {
  readonly #context: EmulatorContext
  readonly #lobbyService: LobbyService
  readonly #undo: () => void
  #timer: NodeJS.Timeout | undefined

  constructor(context: EmulatorContext) {
    this.#context = context
    this.#lobbyService = new LobbyService(context)
    // Only these events bring the deadline forward; all others postpone it.
    this.#undo = context.events.subscribe(({ name }) => {
      if (name === 'lobby.created' || name === 'lobby.updated') this.#arm()
    })
  }

  /** Closes the lobbies whose deadline has passed, and schedules the next one. */
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
    // A frozen clock comes no closer; the change that lets it run looks again.
    if (next === undefined || this.#context.clock.state().frozen) return
    const wait = Math.min(Math.max(0, next - this.#context.clock.now()), MAX_WAIT)
    this.#timer = setTimeout(() => this.look(), Math.ceil(wait)).unref()
  }
}
