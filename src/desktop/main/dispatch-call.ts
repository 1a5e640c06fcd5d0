/** Executes one call of a page, if it is allowed, and always returns an outcome. */
import { callAt, type CallOwner, findCall } from '../../client/call-paths'
import type { Desktop } from '../../client/desktop/desktop'
import { DESKTOP } from '../contract/ipc-contract'
import type { CoreClient } from '../../client/core-client'
import { isRecord } from '../../shared/foundation/untrusted-values'
import { ApiError, ConfigurationError, FoyerError, SessionError } from '../../shared/foundation/errors'
import { Secret } from '../../shared/foundation/secret'
import { isUndo, reviveTag, readMessage } from './ipc-value-codec'
import type { WindowConnection } from './connected-windows'

export type Outcome = { value: unknown } | { error: FoyerError }

export interface DispatchOptions {
  client: CoreClient
  connection: WindowConnection
  /** Increases when another player, or nobody, is signed in. */
  playerRevision: () => number
  /** Calls a function that the page passed. */
  callBack: (id: string, args: readonly unknown[]) => void
}

/** Never rejects. */
export async function dispatchCall(
  text: unknown,
  { client, connection, playerRevision, callBack }: DispatchOptions,
): Promise<Outcome> {
  const { handles } = connection
  const call = new AbortController()
  try {
    const opening = { handles, signal: call.signal, call: callBack }
    const {
      id,
      path,
      args,
      playerRevision: shown = playerRevision(),
    } = requireCall(readMessage(text, (tag) => reviveTag(tag, opening)))
    if (!handles.begin(id, call)) throw new ConfigurationError('invalid_argument', 'calls')
    try {
      const value = await perform(client, connection, {
        path,
        args,
        signal: call.signal,
        isOutdated: shown !== playerRevision(),
      })
      if (isUndo(value)) handles.addDisposer(id, value)
      // Cancelled meanwhile: dispose of the result.
      if (call.signal.aborted) handles.dispose(id)
      return { value }
    } finally {
      handles.end(id)
    }
  } catch (error) {
    return { error: toFoyerError(error) }
  }
}

interface RequestedCall {
  path: string
  args: readonly unknown[]
  signal: AbortSignal
  /** True if the window showed another player, or nobody, when the game called. */
  isOutdated: boolean
}

async function perform(
  client: CoreClient,
  connection: WindowConnection,
  { path, args, signal, isOutdated }: RequestedCall,
): Promise<unknown> {
  if (path === 'connect') return undefined
  if (path === 'rateLimits') return client.rateLimits
  if (path === 'pauseRefresh') return held(client.pauseRefresh(), signal)
  if (path === 'desktop.followInvitations') return held(requireDesktop(client).followInvitations(), signal)
  if (path.startsWith(DESKTOP)) requireDesktop(client)
  if (path === 'undo') return connection.handles.dispose(String(args[0]))
  const [owner] = callAt(path) ?? ['none']
  if (owner === 'none') throw new ConfigurationError('invalid_argument', 'path')
  // A surface would receive the verifier and control the callback.
  if (args.some((value) => isRecord(value) && value['surface'] !== undefined))
    throw new ConfigurationError('invalid_argument', 'surface')
  // In other calls, an access token is an option beside others.
  const given = path === 'updateToken' ? args.map((value) => connection.handles.fullTokenSet(value)) : args
  if (isOutdated && isOfPlayer(owner, given)) return refuseOutdated(path)
  const found = findCall(client, path, given)
  // The lobby ended in the main process, which the window learns next.
  if (!found) throw new ApiError('unknown_lobby', path, { status: 0 })
  const value: unknown = await found.call(given)
  return value
}

/** @throws ConfigurationError `unsupported`. */
function requireDesktop({ desktop }: CoreClient): Desktop {
  if (desktop) return desktop
  throw new ConfigurationError('unsupported', 'client.desktop', {
    remedy: 'Ask the player, then pass localProgram: true to createMainClient',
  })
}

/** A call with a token of its own acts for the owner of that token. */
function isOfPlayer(owner: CallOwner, [first]: readonly unknown[]): boolean {
  const token = isRecord(first) && !(first instanceof Secret) ? first['accessToken'] : first
  return owner === 'player' || (owner === 'token' && (token === undefined || token === null))
}

/** The player of a sign-out is signed out already; nobody else is. @throws SessionError `signed_out` for every other call. */
function refuseOutdated(path: string): unknown {
  if (path === 'signOut') return { revoked: false }
  throw new SessionError('signed_out')
}

/** Resolves when the window releases the hold or closes. */
function held(release: () => void, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => {
      release()
      resolve()
    })
  })
}

function requireCall(message: unknown): {
  id: string
  path: string
  args: readonly unknown[]
  playerRevision: unknown
} {
  const { id, path, args, playerRevision } = isRecord(message) ? message : {}
  if (typeof id === 'string' && typeof path === 'string' && Array.isArray(args))
    return { id, path, args, playerRevision }
  throw new ConfigurationError('invalid_argument', 'message')
}

/** Arguments of a wrong type may cause exceptions in the client. Their messages are not passed to the page. */
export function toFoyerError(error: unknown): FoyerError {
  return error instanceof FoyerError ? error : new ConfigurationError('invalid_argument', 'call')
}
