/** Compares the lobbies of a process's players with the states that the broker stores, after notes or stored states may have been lost. */
import { afterUnref, type Clock } from '../../shared/foundation/clock'
import type { SharedLobbies } from './shared-lobbies'
import type { VersionedLobby } from './lobby-note'

/** ms in which requests of several processes cause one comparison. */
const DELAY = 500

export interface ComparisonParts {
  readonly clock: Clock
  readonly shared: SharedLobbies
  /** Returns the states of the lobbies with a connected member. */
  readonly watched: () => VersionedLobby[]
  /** Returns the ids of the connected players: one may be in a lobby whose note was lost. */
  readonly players: () => string[]
  readonly apply: (state: VersionedLobby) => void
  /** Tells players again which lobbies they are not in. */
  readonly repeatRefused: () => Promise<void>
  readonly onFailure: (error: unknown) => void
}

export class StateComparison {
  readonly #parts: ComparisonParts
  #cancel: (() => void) | undefined

  constructor(parts: ComparisonParts) {
    this.#parts = parts
  }

  /** Compares soon: several processes report a failover at the same time. */
  runLater(): void {
    this.#cancel ??= afterUnref(this.#parts.clock, DELAY, () => {
      this.#cancel = undefined
      this.run().catch(this.#parts.onFailure)
    })
  }

  /** Applies newer stored states, stores again what the broker has lost, and repeats what no stored state tells. */
  async run(): Promise<void> {
    const { shared, apply, players, repeatRefused } = this.#parts
    const indexed = await shared.lobbiesOf(players())
    const watched = this.#parts.watched()
    const stored = await shared.states([...new Set([...watched.map(({ id }) => id), ...indexed])])
    const versions = new Map(stored.flatMap((state) => (state ? [[state.id, state.version]] : [])))
    for (const state of stored) if (state) apply(state)
    const lost = watched.filter(({ id, version }) => (versions.get(id) ?? 0) < version)
    await Promise.all(lost.map((state) => shared.publishState(state, null, { isRepeated: true })))
    await repeatRefused()
  }

  close(): void {
    this.#cancel?.()
  }
}
