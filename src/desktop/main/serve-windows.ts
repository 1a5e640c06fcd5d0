/** IPC endpoint of the main process: checks every message of a window and serializes every response. */
import { type IpcMainEvent, type IpcMainInvokeEvent, ipcMain } from 'electron'
import type { CoreClient } from '../../client/core-client'
import type { ClientEvents } from '../../client/context/client-events'
import { ConfigurationError } from '../../shared/foundation/errors'
import type { Log } from '../../shared/foundation/log-entry'
import { type CallResult, CHANNELS, DESKTOP, EVENTS } from '../contract/ipc-contract'
import { dispatchCall, toFoyerError } from './dispatch-call'
import { serialize } from './ipc-value-codec'
import { createConnectedWindows, type WindowConnection, type ConnectedWindows } from './connected-windows'
import { type AuthStateTracker, trackAuthState } from './auth-state-tracker'
import { WindowHandles } from './window-handles'
import { admit, admitted, type WindowRule } from './admission'

/** Strangers may cause some. */
const MAX_TOLD = 50

interface IpcContext {
  /** Logs a call that was refused. */
  refused: (error: unknown) => void
  client: CoreClient
  rules: readonly WindowRule[]
  windows: ConnectedWindows
  authState: AuthStateTracker
}

interface ServedWindows {
  rules: readonly WindowRule[]
  log: Log
  inviteAddress: string | undefined
}

/** Returns a function that stops serving. @throws ConfigurationError `unsupported` for a second client with windows in one app. */
export function serveWindows(client: CoreClient, { rules, log, inviteAddress }: ServedWindows): () => void {
  const windows = createConnectedWindows(rules)
  const onCancel = (event: IpcMainEvent, id: unknown) => {
    // Electron shows a dialog for exceptions in listeners.
    if (typeof id === 'string' && admitted(() => event, rules)) windows.find(event.sender)?.handles.cancel(id)
  }
  try {
    ipcMain.handle(CHANNELS.call, (event, text: unknown) => handleCall(context, event, text))
  } catch (error) {
    throw new ConfigurationError('unsupported', 'a second client with windows', { cause: error })
  }
  ipcMain.on(CHANNELS.cancel, onCancel)
  // The authentication state is sent before the events that refer to it.
  const notify = () =>
    windows.broadcast((serializing) => ({ kind: 'authState', authState: authState.serialize(serializing) }))
  const authState = trackAuthState(client, notify, inviteAddress)
  const context: IpcContext = { refused: onceEach(log), client, rules, windows, authState }
  const undo = forwardEvents(client, windows)
  return () => {
    ipcMain.removeHandler(CHANNELS.call)
    ipcMain.off(CHANNELS.cancel, onCancel)
    authState.close()
    for (const step of undo) step()
    windows.close()
  }
}

/** Always resolves, because errors thrown through IPC lose their class and expose their stack. */
async function handleCall(
  { refused, client, rules, windows, authState }: IpcContext,
  event: IpcMainInvokeEvent,
  text: unknown,
): Promise<string> {
  try {
    admit(event, rules)
    const connection = windows.connect(event.sender)
    const callBack = (id: string, args: readonly unknown[]) =>
      windows.send(connection, (serializing) => ({
        kind: 'callback',
        id,
        args: serialize(args, serializing),
      }))
    const outcome = await dispatchCall(text, {
      client,
      connection,
      playerRevision: () => authState.playerRevision(),
      callBack,
    })
    // Checked again, because the window may have navigated during the call.
    const serializing = { ...admit(event, rules), handles: connection.handles }
    const withSession = { ...serializing, session: client.session }
    const changes: CallResult = noticeFor(connection, authState)
      ? { authState: authState.serialize(serializing) }
      : {}
    return serializeFor(
      'error' in outcome
        ? { ...changes, error: serialize(outcome.error, withSession) }
        : { ...changes, value: serialize(outcome.value, withSession) },
    )
  } catch (error) {
    refused(error)
    return serializeFor({
      error: serialize(toFoyerError(error), { handles: new WindowHandles(), tokens: false }),
    })
  }
}

/** The developer looks at the terminal. A page asks again and again, so that each refusal is told once. */
function onceEach(log: Log): (error: unknown) => void {
  const told = new Set<string>()
  return (error) => {
    if (!(error instanceof ConfigurationError) || told.has(error.message) || told.size >= MAX_TOLD) return
    told.add(error.message)
    log('warn', 'window.refused', { code: error.code, remedy: error.message })
  }
}

const serializeFor = (message: CallResult): string => JSON.stringify(message)

/** Returns true if the state changed since the last response to this page. */
function noticeFor(connection: WindowConnection, authState: AuthStateTracker): boolean {
  const sequence = authState.sequence()
  const isChanged = connection.sentSequence < sequence
  connection.sentSequence = sequence
  return isChanged
}

function forwardEvents(client: CoreClient, windows: ConnectedWindows): (() => void)[] {
  // Contains the full session, because a response with a later state may overtake the event.
  const forward = (name: string, data: unknown) =>
    windows.broadcast((serializing) => ({ kind: 'event', name, data: serialize(data, serializing) }))
  const { desktop } = client
  return [
    ...Object.keys(EVENTS)
      .filter(isEvent)
      .filter((name) => EVENTS[name])
      .map((name) => client.on(name, (data: unknown) => forward(name, data))),
    // A window answers a request by a call of its own.
    ...(desktop
      ? [
          desktop.on('joinRequested', ({ user }) => forward(`${DESKTOP}joinRequested`, { user })),
          desktop.on('invited', ({ user }) => forward(`${DESKTOP}invited`, { user })),
        ]
      : []),
  ]
}

function isEvent(name: string): name is keyof ClientEvents {
  return name in EVENTS
}
