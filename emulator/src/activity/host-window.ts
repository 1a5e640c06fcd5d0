/** An open host page: its frames, and the stream of messages to post into them. */
import type { Player } from '../seed/seed.js'
import type { Instance, LaunchExtras } from './instances.js'
import type { RpcSession } from './rpc-session.js'

export interface Frame {
  readonly id: string
  readonly player: Player
  readonly extras: LaunchExtras
  readonly session: RpcSession
}

export class HostWindow {
  /** Secret: only its own page has it. */
  readonly id: string
  readonly instance: Instance
  readonly frames = new Map<string, Frame>()
  readonly #waiting: unknown[] = []
  #sink: ((data: unknown) => void) | undefined
  #ended: (() => void) | undefined

  constructor(id: string, instance: Instance) {
    this.id = id
    this.instance = instance
  }

  get listening(): boolean {
    return this.#sink !== undefined
  }

  /** Sends in order; queues until the stream is open. */
  send(data: unknown): void {
    if (this.#sink === undefined) this.#waiting.push(data)
    else this.#sink(data)
  }

  /** Sends queued messages first. */
  listen(sink: (data: unknown) => void, ended: () => void): void {
    this.#sink = sink
    this.#ended = ended
    for (const data of this.#waiting.splice(0)) sink(data)
  }

  end(): void {
    this.#ended?.()
  }
}
