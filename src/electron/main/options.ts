/** What the client of a main process is made from. */
import type { ClientOptions } from '../../client/options'
import type { TokenStore } from '../../tokens/session/token-store'
import type { DeepLinks } from './deep-links'
import type { CallbackMethod } from './system-browser'
import type { WindowRule } from './windows'

/** Options of `createMainClient`. */
export interface MainClientOptions extends Omit<ClientOptions, 'redirectUri'> {
  /** What `installDeepLinks` gave. Without it answers come by loopback only, and a sign-in does not survive a new start of the app. */
  scheme?: DeepLinks
  /** The pages that may use the client. Default: none. */
  windows?: readonly WindowRule[]
  /**
   * How a sign-in goes, in this order. `loopback` and `scheme` say where the answer arrives: the first that works here is used. `paste` or
   * `device` say what happens where no browser opens: see the event `browserUnavailable`. Default: `loopback`, `scheme`, `device`.
   */
  roads?: readonly CallbackMethod[]
  /** Where the session and sign-ins under way are kept. Default: a file in the app's `userData`, one for each `profile`, encrypted by the system. */
  tokenStore?: TokenStore
  /**
   * Linux without a key store: whether a file that any program can read is better than signing in at every start. Default: false, then
   * tokens are kept in memory only.
   */
  allowWeakStorage?: boolean
}
