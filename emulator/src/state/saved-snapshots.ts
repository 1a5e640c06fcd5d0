/** Keeps named snapshots in memory, for the inspector. */
import { EmulatorError } from '../foundation/emulator-error.js'
import type { Snapshot } from './snapshot.js'

export interface SnapshotEntry {
  name: string
  /** Epoch milliseconds of the emulator's clock. */
  takenAt: number
}

/** The oldest one is dropped. */
const CAPACITY = 20

export class SavedSnapshots {
  readonly #saved = new Map<string, Snapshot>()

  /** Replaces the snapshot of that name. @throws EmulatorError `bad_request` for a name that is empty or longer than 100 characters. */
  save(name: string, snapshot: Snapshot): void {
    if (name.trim() === '' || name.length > 100) throw new EmulatorError('bad_request', 'A snapshot has a name of 1 to 100 characters.')
    this.#saved.delete(name)
    this.#saved.set(name, snapshot)
    const [oldest] = this.#saved.keys()
    if (this.#saved.size > CAPACITY && oldest !== undefined) this.#saved.delete(oldest)
  }

  /** @throws EmulatorError `bad_request` if there is none. */
  find(name: string): Snapshot {
    const snapshot = this.#saved.get(name)
    if (snapshot === undefined) throw new EmulatorError('bad_request', `There is no snapshot ${JSON.stringify(name)}.`)
    return snapshot
  }

  /** Newest first. */
  list(): SnapshotEntry[] {
    return [...this.#saved].map(([name, { takenAt }]) => ({ name, takenAt })).toReversed()
  }
}
