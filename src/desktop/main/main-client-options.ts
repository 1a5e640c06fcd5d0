/** Options of the main process client. */
import type { ClientOptions } from '../../client/context/client-options'
import type { TokenStore } from '../../client/session/token-store'
import type { DeepLinks } from './install-deep-links'
import type { CallbackMethod } from './system-browser'
import type { WindowRule } from './admission'

/** Options of `createMainClient`. */
export interface MainClientOptions extends Omit<ClientOptions, 'redirectUri' | 'backendSession'> {
  /** HTTP client. Default: Electron's `net.fetch`, with the proxy and the certificates of the system. Requests before `ready` wait for it. */
  fetch?: NonNullable<ClientOptions['fetch']> | undefined
  /**
   * Result of `installDeepLinks`. Default: none; callbacks then arrive by loopback only, and a sign-in does not survive a restart of the
   * app.
   */
  scheme?: DeepLinks | undefined
  /** Pages that may use the client. Default: none. */
  windows?: readonly WindowRule[] | undefined
  /**
   * Methods of a sign-in, in order of preference. `loopback` and `scheme` receive the callback: the first available one is used. `paste`
   * and `device` apply if no browser opens; see the event `browserUnavailable`. Default: `loopback`, `scheme`, `device`.
   */
  roads?: readonly CallbackMethod[] | undefined
  /** Stores the session and pending sign-ins. Default: a file per `profile` in the app's `userData`, encrypted by the system. */
  tokenStore?: TokenStore | undefined
  /**
   * Linux without a key store: stores tokens in a file that any program can read, instead of memory only. Default: false; players then sign
   * in at every start.
   */
  allowWeakStorage?: boolean | undefined
  /**
   * Talks to the service's program on this computer: `client.desktop` then shows friends what the player does, and takes accepted
   * invitations. Ask the player first, since friends see it. Default: false.
   */
  localProgram?: boolean | undefined
}
