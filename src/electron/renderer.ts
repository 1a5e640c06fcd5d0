/** The client of a game in an Electron window: the same calls as in a page, made in the main process, where the tokens stay. */
import type { CoreClient } from '../client/client'
import { isRecord } from '../foundation/encoding'
import { ConfigurationError } from '../foundation/errors'
import { type Bridge, BRIDGE, type Sealed, type Verb } from './contract'
import { RemoteClient } from './renderer/remote-client'

/** What a client has in a window beside what it has everywhere: calls that a page answers by itself. */
interface WindowCalls {
  /** Signs in the player of the last time, or completes a sign-in that a new start of the game has interrupted. */
  resume(): Promise<CoreClient['session']>
  /** As in a page, but for the URL: a window has none of its own. It is what a player pastes after `browserUnavailable`. */
  handleCallback(url?: string): ReturnType<CoreClient['handleCallback']>
}

/**
 * The `Client` of the main process, as a game in a window has it: every code that takes a `Client` takes it. Secrets stay behind: where
 * one was, its type is `WithheldSecret`, whose `reveal()` gives `never`, and a call that takes the secret takes its stand-in. Surfaces and
 * `setApplicationId` belong to the main process: here they are `unsupported`. `limits()` gives what the main process answered the last time,
 * and asks again: the first time it is empty.
 */
export type WindowClient = Sealed<Pick<CoreClient & WindowCalls, Exclude<Verb, 'authorize'> | 'session'>> & CoreClient & WindowCalls

/**
 * Connects a window with the client of the main process (`createMainClient` in `foyer-sdk/electron/main`). Every window shares the one
 * session. Who is signed in is known a moment later: await `resume()`, or listen to `sessionChanged`.
 * @throws ConfigurationError `unsupported` in a page without the preload script `foyer-sdk/electron/preload`.
 */
export function connectMainClient(): WindowClient {
  const bridge: unknown = Reflect.get(globalThis, BRIDGE)
  if (!isBridge(bridge)) throw new ConfigurationError('unsupported', 'a window without foyer-sdk/electron/preload')
  const client: unknown = connect(bridge)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its methods are made from the list that the type is made from.
  return client as WindowClient
}

/** Whether this page has the preload script: whether to call `connectMainClient()` or to make a `Client` of its own. */
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
