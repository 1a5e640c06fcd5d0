/** Lists in the broker which players each process removes when they stay away, so that others do it when the process has died. */
import type { LobbyBroker } from './lobby-broker'

/** ms for which a process counts as running after its last renewal, four of which fit into it. */
const RUNNING_TTL = 60_000
/** ms for which a process that takes over has the time to do so; then another one may. */
const CLAIM_TTL = 60_000
/** ms for which the lists are stored: longer than a stream can last. */
const LIST_TTL = 24 * 3_600_000
/** Players in one request to the broker. */
const CHUNK = 500
/** Set of all processes of the last day. */
const PROCESSES = 'processes'

const runningKey = (processId: string): string => `running:${processId}`
const playersKey = (processId: string): string => `removes:${processId}`

export interface TakeoverParts {
  readonly broker: LobbyBroker
  readonly processId: string
  /** Called with players of a process that has ended: they may be away, or come back to another one. */
  readonly onTakenOver: (playerIds: readonly string[]) => void
}

export class PlayerTakeover {
  readonly #parts: TakeoverParts
  readonly #processId: string
  readonly #broker: LobbyBroker

  constructor(parts: TakeoverParts) {
    this.#parts = parts
    this.#processId = parts.processId
    this.#broker = parts.broker
  }

  /** Makes this process the one that removes the players. */
  async add(playerIds: readonly string[]): Promise<void> {
    const sets = [playersKey(this.#processId)]
    for (let at = 0; at < playerIds.length; at += CHUNK) {
      await Promise.all(
        playerIds.slice(at, at + CHUNK).map((id) => this.#broker.addMember(sets, id, LIST_TTL)),
      )
    }
  }

  /** The player was removed, or is connected to another process, which has the player in its own list. */
  async remove(playerId: string): Promise<void> {
    await this.#broker.removeMember(playersKey(this.#processId), playerId)
  }

  /** Shows that this process is running, and takes over the players of those that no longer are. Called every 15 s. */
  async renew(): Promise<void> {
    const broker = this.#broker
    await broker.put(runningKey(this.#processId), '1', RUNNING_TTL)
    await broker.addMember([PROCESSES], this.#processId, LIST_TTL)
    const [all = []] = await broker.membersOf([PROCESSES])
    const others = all.filter((id) => id !== this.#processId)
    const running = others.length === 0 ? [] : await broker.getAll(others.map(runningKey))
    for (const [index, id] of others.entries()) if (running[index] === undefined) await this.#takeOver(id)
  }

  /** The process ends: others take over its players without waiting until it counts as dead. */
  async end(): Promise<void> {
    await this.#broker.take(runningKey(this.#processId))
  }

  async #takeOver(processId: string): Promise<void> {
    // The first one wins: a text is not replaced by one of a smaller version.
    const claim = {
      version: Number.MAX_SAFE_INTEGER - (await this.#broker.nextVersion(0)),
      text: this.#processId,
    }
    if (!(await this.#broker.putNewest(`claim:${processId}`, claim, CLAIM_TTL))) return
    const [players = []] = await this.#broker.membersOf([playersKey(processId)])
    await this.add(players)
    await this.#broker.removeMember(PROCESSES, processId)
    this.#parts.onTakenOver(players)
  }
}
