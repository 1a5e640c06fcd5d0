/** Brings the lobbies of a player back after a reload: by the stream of updates, or by joining them again. */
import { createDeferred } from '../../shared/foundation/async'
import { ApiError, FoyerError, RateLimitError } from '../../shared/foundation/errors'
import { type KeptLobby, readKept } from '../lobbies/kept-lobby'
import type { LobbyCache } from '../lobbies/lobby-cache'
import type { LobbyCalls } from '../lobbies/lobby-calls'
import type { Caller } from '../session/caller'
import type { ClientContext } from '../sign-in/sign-in-client'

/** ms in which a stream shows the lobbies of the player. */
const STREAM_WAIT = 3000
/** ms after which `resume` waits no longer. */
const RESUME_WAIT = 5000
/** Codes with which the service says that the player cannot return. */
const OVER: ReadonlySet<string> = new Set(['unknown_lobby', 'missing_access'])

interface Parts {
  readonly context: ClientContext
  readonly cache: LobbyCache
  readonly calls: LobbyCalls
}

export class ReturningLobbies {
  readonly #parts: Parts
  /** Cancel functions of waits for a rate limit, by lobby. */
  readonly #waiting = new Map<string, () => void>()
  /** Lobbies that are back and that no join has asked for since, by secret. */
  readonly #back = new Map<string, string>()
  /** Called after each update of the stream. */
  #check: () => void = () => undefined

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Takes the kept list: its lobbies are named to the stream. */
  expect({ userId }: Caller, text: string | undefined): readonly KeptLobby[] {
    const { context, cache } = this.#parts
    const { applicationId } = context.options
    if (userId === undefined) return []
    const kept = readKept(text, { userId, applicationId })
    for (const { id, secret } of kept) cache.expect(id, secret)
    // The newest first: more than the limit allows follow later.
    return kept.filter(({ id }) => !cache.get(id)).sort((a, b) => kept.indexOf(b) - kept.indexOf(a))
  }

  /** Resolves when the lobbies are back, at the latest after 5 s: the others follow. Never rejects. */
  async restore(caller: Caller, text: string | undefined): Promise<void> {
    const { options, closeSignal } = this.#parts.context
    const missing = this.expect(caller, text)
    const waiting = createDeferred<void>(options.clock, {
      timeout: RESUME_WAIT,
      signals: [closeSignal],
      makeError,
    })
    this.#bringBack(caller, missing).then(waiting.resolve, waiting.resolve)
    await waiting.promise.catch(() => undefined)
  }

  /** A stream has shown something. */
  received(): void {
    this.#check()
  }

  /** The lobby of a secret that is back, for the first join with it: no request is needed. */
  take(secret: string): string | undefined {
    const id = this.#back.get(secret)
    this.#back.delete(secret)
    return id
  }

  clear(): void {
    for (const cancel of this.#waiting.values()) cancel()
    this.#waiting.clear()
    this.#back.clear()
  }

  async #bringBack(caller: Caller, missing: readonly KeptLobby[]): Promise<void> {
    const { context, cache } = this.#parts
    if (context.options.lobbyUpdates && missing.length > 0) await this.#untilShown(missing)
    for (const { id, secret } of missing) if (cache.get(id)) this.#back.set(secret, id)
    await Promise.all(missing.map((lobby) => this.#rejoin(caller, lobby)))
  }

  /** Resolves when the stream has shown each lobby or its end, at the latest after 3 s. */
  async #untilShown(missing: readonly KeptLobby[]): Promise<void> {
    const { context, cache } = this.#parts
    const shown = createDeferred<void>(context.options.clock, {
      timeout: STREAM_WAIT,
      signals: [context.closeSignal],
      makeError,
    })
    this.#check = () => {
      if (missing.every(({ id }) => cache.get(id) ?? !cache.isExpected(id))) shown.resolve()
    }
    this.#check()
    await shown.promise.catch(() => undefined)
    this.#check = () => undefined
  }

  async #rejoin(caller: Caller, lobby: KeptLobby): Promise<void> {
    const { context, cache, calls } = this.#parts
    const { id, secret } = lobby
    const isMissing = () => caller.isCurrent && !context.closeSignal.aborted && !cache.get(id)
    this.#waiting.get(id)?.()
    this.#waiting.delete(id)
    if (!isMissing() || !cache.isExpected(id)) return
    const requests = calls.requests(caller)
    try {
      // Only members may read: a join alone would create a lobby that has ended, and return to one that the player was removed from.
      await requests.messages(id, 1, { priority: 'low' })
      if (isMissing()) await requests.join(secret, { only: id })
      this.#back.set(secret, id)
    } catch (error) {
      if (isMissing()) this.#failed(caller, lobby, error)
    }
  }

  /** A lobby that has ended is forgotten. After any other failure, the next `resume` tries again. */
  #failed(caller: Caller, lobby: KeptLobby, error: unknown): void {
    const { context, cache } = this.#parts
    const code = error instanceof FoyerError ? error.code : 'unknown'
    context.log('warn', 'lobbies.not_back', { lobbyId: lobby.id, code })
    if (error instanceof ApiError && OVER.has(code)) return cache.drop(lobby.id, 'unknown')
    if (error instanceof RateLimitError)
      this.#waiting.set(
        lobby.id,
        context.options.clock.after(error.retryAfter, () => void this.#rejoin(caller, lobby)),
      )
  }
}

const makeError = (code: string): Error => new Error(code)
