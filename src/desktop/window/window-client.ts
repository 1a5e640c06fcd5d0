/** Client for a game in an Electron window: calls run in the main process, where the tokens stay. */
import type { CoreClient } from '../../client/core-client'
import type { Desktop } from '../../client/desktop/desktop'
import type { Invitation } from '../../client/lobbies/invitation'
import { isRecord } from '../../shared/foundation/untrusted-values'
import { ConfigurationError } from '../../shared/foundation/errors'
import { type Bridge, BRIDGE, type Sealed } from '../contract/ipc-contract'
import { RemoteClient } from './remote-client'

/** Members that differ in a window. */
interface WindowCalls {
  /** Restores the previous session, or completes a sign-in that a restart interrupted. Resolves with null if there is no session. */
  resume(): Promise<CoreClient['session']>
  /** Like in a page, but without address bar: takes the URL that a player pastes after `browserUnavailable`. */
  handleCallback(url?: string): ReturnType<CoreClient['handleCallback']>
  /** Takes the invitation of the link that opened the app, once for all windows. `activityJoin` tells a game that is running. */
  takeInvitation(): Promise<Invitation | null>
  /**
   * The service's program on this computer. Its calls are `unsupported`, and its status stays `absent`, without the option `localProgram` of
   * `createMainClient`.
   */
  readonly desktop: Desktop
}

/** Members whose results contain secrets. */
type TokenMember =
  | 'session'
  | 'accounts'
  | 'signIn'
  | 'resume'
  | 'handleCallback'
  | 'getToken'
  | 'refreshToken'
  | 'updateToken'

/**
 * Client of the main process as seen by a window; compatible with `Client`. Secrets stay in the main process: results contain
 * `WithheldSecret`, whose `reveal()` has the type `never`, and methods that take a secret accept it. Surfaces and `setApplicationId` are
 * `unsupported` here. `rateLimits` is the previous response of the main process, and reading it requests a new one; it is empty the first time.
 */
export type WindowClient = Sealed<Pick<CoreClient & WindowCalls, TokenMember>> &
  Pick<WindowCalls, 'takeInvitation'> &
  CoreClient &
  WindowCalls

const PRELOAD_REMEDY =
  'In a browser use new Client(…): hasMainClient() tells them apart. In Electron give the window webPreferences: { preload }, with contextIsolation on'

/**
 * Connects a window to the client of the main process (`createMainClient` in `foyer-sdk/electron/main`). All windows share one session. The
 * session arrives asynchronously: await `resume()`, or listen to `sessionChanged`.
 *
 * @throws ConfigurationError `unsupported` in a page without the preload script `foyer-sdk/electron/preload`.
 * @example
 * ```ts
 * const client = hasMainClient() ? connectMainClient() : new Client(options)
 * const session = (await client.resume()) ?? (await client.signIn())
 * ```
 */
export function connectMainClient(): WindowClient {
  const bridge: unknown = Reflect.get(globalThis, BRIDGE)
  if (!isBridge(bridge))
    throw new ConfigurationError('unsupported', 'a window without foyer-sdk/electron/preload', {
      remedy: PRELOAD_REMEDY,
    })
  const client: unknown = connect(bridge)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its methods are made from the list that the type is made from.
  return client as WindowClient
}

/** Returns true if this page has the preload script, so that `connectMainClient()` works. */
export function hasMainClient(): boolean {
  return isBridge(Reflect.get(globalThis, BRIDGE))
}

function connect(bridge: Bridge): RemoteClient {
  const client = new RemoteClient(bridge)
  client.connect()
  return client
}

function isBridge(value: unknown): value is Bridge {
  return isRecord(value) && typeof value['call'] === 'function' && typeof value['listen'] === 'function'
}
