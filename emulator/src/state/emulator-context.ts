/** Context of a running emulator, shared by all of its parts. */
import type { Credentials } from '../foundation/credentials.js'
import type { ServiceEvent } from '../model/service-event.js'
import type { Clock } from './clock.js'
import type { CommandBehavior } from './command-behavior.js'
import type { IdTokenBehavior } from './id-token-behavior.js'
import type { LobbyBehavior } from './lobby-behavior.js'
import type { State } from './open-state.js'
import type { Seed } from './seed/seed.js'
import { EventEmitter } from 'node:events'

export interface EmulatorContext {
  /** `http://127.0.0.1:PORT`: host, issuer and origin. */
  readonly url: string
  readonly port: number
  /** Accepted values of the Host header. */
  readonly hosts: ReadonlySet<string>
  /** Accepted values of the Host header for the control plane: this machine only. */
  readonly controlHosts: ReadonlySet<string>
  readonly seed: Seed
  readonly credentials: Credentials
  readonly state: State
  readonly clock: Clock
  readonly events: Events
  /** True if a refresh revokes the old access token too. */
  readonly strictRefresh: boolean
  readonly idTokens: IdTokenBehavior
  /** Headers that pages may send: the service's list, or all that they ask for. */
  readonly allowedHeaders: 'fixed' | 'requested'
  /** Mutable: changed in place while the emulator runs. */
  readonly commandBehavior: CommandBehavior
  /** Tells the developer, in one sentence, what is allowed and probably not meant. */
  readonly notice: (sentence: string) => void
  /** Mutable, like `commandBehavior`. */
  readonly lobbyBehavior: LobbyBehavior
}

export class Events {
  readonly #emitter = new EventEmitter()

  emit(event: ServiceEvent): void {
    this.#emitter.emit('event', event)
  }

  /** @returns a function that unsubscribes. */
  subscribe(listener: (event: ServiceEvent) => void): () => void {
    this.#emitter.on('event', listener)
    return () => void this.#emitter.off('event', listener)
  }
}
