/** A client's base and its sessions, which load with the first call that needs them. */
import type { Emitter } from '../../shared/foundation/emitter'
import { loadOnce } from '../../shared/foundation/async'
import { ownFields } from '../../shared/foundation/untrusted-values'
import type { Sessions } from './sessions'
import { ClientBase } from '../context/client-base'
import type { ClientEvents } from '../context/client-events'
import type { ResolvedOptions } from '../context/client-options'

/** Options, and the services of the environment. */
export interface ClientParts extends ResolvedOptions {
  /** Loads the sessions with the environment's locks, broadcasts and online state. */
  loadSessions: (client: ClientBase) => Promise<Sessions>
}

export class ClientContext extends ClientBase {
  readonly sessions: () => Promise<Sessions>

  constructor(given: ClientParts, emitter: Emitter<ClientEvents>, closeSignal: AbortSignal) {
    super(ownFields(given), emitter, closeSignal)
    this.sessions = loadOnce(() => given.loadSessions(this))
  }
}
