/** The parts that every call of one client needs: options, events, the signed-in player, and the end of the client. */
import {
  type AuthorizationFlow,
  createAuthorizationFlow,
  type AuthorizationSurface,
} from '../../shared/authorization/authorization-flow'
import { type Emitter } from '../../shared/foundation/emitter'
import { runCallback, createTyped, withTypedErrors } from '../../shared/foundation/options'
import { ConfigurationError } from '../../shared/foundation/errors'
import { loadOnce } from '../../shared/foundation/async'
import type { Log } from '../../shared/foundation/log-entry'
import { ownArguments } from '../../shared/foundation/untrusted-values'
import { loadArgumentError, loadCallbackLog, loadAfterConsent } from './capabilities'
import type { TokenClient } from '../session/token-client'
import { AuthState } from './auth-state'
import type { Caller } from '../session/caller'
import type { ClientEvents, EmitEvent, ListenToEvent } from './client-events'
import type { ResolvedOptions } from './client-options'

export class ClientBase {
  readonly options: ResolvedOptions
  /** Session and status. */
  readonly authState: AuthState
  /** Pending sign-ins. */
  readonly flow: AuthorizationFlow
  /** Aborts when the client is closed. */
  readonly closeSignal: AbortSignal
  readonly emit: EmitEvent
  readonly on: ListenToEvent
  /** One entry for each `pauseRefresh()` that was not released. */
  readonly holds = new Set<object>()
  /** Shows the authorize page. Inside an Activity, its host does. */
  surface: AuthorizationSurface | undefined
  /** Secret of the invitation that the game has taken and not used yet: a redirect brings it back. */
  invitation: string | undefined
  /** Loads what redeems codes and reads token responses. */
  readonly tokenClient: () => Promise<TokenClient>

  constructor(options: ResolvedOptions, emitter: Emitter<ClientEvents>, closeSignal: AbortSignal) {
    this.options = options
    this.surface = options.surface
    this.closeSignal = closeSignal
    this.emit = (event, ...args) => emitter.emit(event, ...args)
    this.on = (event, listener) => emitter.on(event, listener)
    this.authState = new AuthState(this.emit)
    this.flow = createAuthorizationFlow({
      ...options,
      log: this.log,
      maybeClosed: () => this.emit('maybeClosed', { at: options.clock.now() }),
      loadVerifier: loadAfterConsent,
      loadMessages: loadArgumentError,
      loadLog: () => (options.logger || emitter.has('log') ? loadCallbackLog() : undefined),
    })
    this.tokenClient = loadOnce(async () => {
      const { TokenClient } = await loadAfterConsent()
      return new TokenClient(options, this.log, closeSignal)
    })
  }

  /** Passes entries to the logger and emits `log`. One that says what to do is shown to a developer too. */
  readonly log: Log = (level, step, data = {}) => {
    const entry = { level, step, data }
    runCallback(() => this.options.logger?.(entry))
    if (data['remedy'] !== undefined) runCallback(() => this.options.showFinding?.(entry))
    this.emit('log', entry)
  }

  /** @throws ConfigurationError `closed`. */
  requireOpen(): void {
    if (this.closeSignal.aborted) throw new ConfigurationError('closed', 'client')
  }

  /**
   * Runs a public call for the player who is signed in now, with what it was given as that is now: its code may have to load first.
   * @throws FoyerError.
   */
  call<const Given extends readonly unknown[], T>(
    subject: string,
    given: Given,
    work: (caller: Caller, ...given: Given) => Promise<T>,
  ): Promise<T> {
    return withTypedErrors(subject, async () => {
      this.requireOpen()
      const own = createTyped(subject, () => ownArguments(given))
      return work(this.authState.caller, ...own)
    })
  }
}
