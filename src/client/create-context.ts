/** Creates what the modules of one client share. */
import { createAuthorizationFlow } from '../shared/authorization/authorization-flow'
import { type Emitter } from '../shared/foundation/emitter'
import { runCallback } from '../shared/foundation/run-callback'
import { ConfigurationError } from '../shared/foundation/errors'
import { loadOnce } from '../shared/foundation/import-part'
import type { Log } from '../shared/foundation/log-entry'
import { ownFields } from '../shared/foundation/untrusted-values'
import { type CallLoaders, createCallLoaders } from './call-loaders'
import { AuthState } from './context/auth-state'
import type { ClientContext, ClientParts } from './context/client-context'
import type { ClientEvents, EmitEvent } from './context/client-events'
import { loadBackendMethods, loadExchange } from './parts'

export interface Created {
  readonly context: ClientContext
  readonly loaders: CallLoaders
}

/** @param closeSignal aborts when the client is closed. */
export function createContext(
  parts: ClientParts,
  emitter: Emitter<ClientEvents>,
  closeSignal: AbortSignal,
): Created {
  const emit: EmitEvent = (event, ...args) => emitter.emit(event, ...args)
  const log: Log = (level, step, data = {}) => {
    const entry = { level, step, data }
    runCallback(() => parts.logger?.(entry))
    emit('log', entry)
  }
  const flow = createAuthorizationFlow({
    ...parts,
    log,
    isLogging: () => !!parts.logger || emitter.has('log'),
    maybeClosed: () => emit('maybeClosed', { at: parts.clock.now() }),
    loadVerifier: async () => (await context.exchange()).verifyCallback,
  })
  const context: ClientContext = ownFields<ClientContext>({
    ...parts,
    flow,
    log,
    emit,
    on: (event, listener) => emitter.on(event, listener),
    closeSignal,
    requireOpen() {
      if (closeSignal.aborted) throw new ConfigurationError('closed', 'client')
    },
    authState: new AuthState(emit),
    holds: new Set(),
    lobbyStates: new Map(),
    lobbies: () => loaders.lobbies(),
    exchange: loadOnce(async () => {
      const exchange = (await loadExchange()).createExchange(context)
      return parts.adaptExchange?.(context, exchange) ?? exchange
    }),
    playerRequests: async () => (await loadBackendMethods()).createPlayerRequests(context),
    sessions: loadOnce(() => parts.loadSessions(context)),
  })
  const loaders = createCallLoaders(context)
  return { context, loaders }
}
