/** Where windows come to the client of the main process: every message is looked at here, and what goes back is sealed here. */
import { type IpcMainEvent, type IpcMainInvokeEvent, ipcMain } from 'electron'
import type { CoreClient } from '../../client/client'
import type { ClientEvents } from '../../client/events'
import { ConfigurationError } from '../../foundation/errors'
import { type Answer, CHANNELS, EVENTS } from '../contract'
import { dispatchCall, toFoyerError } from './dispatch-call'
import { serialize } from './serialize'
import { createConnectedWindows, type WindowConnection, type ConnectedWindows } from './connected-windows'
import { type AuthStateTracker, trackAuthState } from './auth-state-snapshot'
import { WindowHandles } from './window-handles'
import { admit, admitted, type WindowRule } from './windows'

interface IpcContext {
  client: CoreClient
  rules: readonly WindowRule[]
  windows: ConnectedWindows
  authState: AuthStateTracker
}

/** The result closes it. @throws ConfigurationError `unsupported` for a second client with windows in one app. */
export function serveWindows(client: CoreClient, rules: readonly WindowRule[]): () => void {
  const windows = createConnectedWindows(rules)
  const onCancel = (event: IpcMainEvent, id: unknown) => {
    // An error that is thrown in a listener ends in a dialog of Electron's.
    if (typeof id === 'string' && admitted(() => event, rules)) windows.find(event.sender)?.handles.cancel(id)
  }
  try {
    ipcMain.handle(CHANNELS.call, (event, text: unknown) => answer(context, event, text))
  } catch (error) {
    throw new ConfigurationError('unsupported', 'a second client with windows', { cause: error })
  }
  ipcMain.on(CHANNELS.cancel, onCancel)
  // Who is signed in goes first: events are about it.
  const authState = trackAuthState(client, () =>
    windows.broadcast((sealing) => ({ kind: 'presence', presence: authState.serialize(sealing) })),
  )
  const context: IpcContext = { client, rules, windows, authState }
  const undo = forwardEvents(client, windows)
  return () => {
    ipcMain.removeHandler(CHANNELS.call)
    ipcMain.off(CHANNELS.cancel, onCancel)
    authState.close()
    for (const step of undo) step()
    windows.close()
  }
}

/** Always resolves: an error that is thrown through IPC loses its class, and keeps its stack. */
async function answer({ client, rules, windows, authState }: IpcContext, event: IpcMainInvokeEvent, text: unknown): Promise<string> {
  try {
    admit(event, rules)
    const connection = windows.connect(event.sender)
    const callBack = (id: string, args: readonly unknown[]) =>
      windows.tell(connection, (sealing) => ({ kind: 'callback', id, args: serialize(args, sealing) }))
    const outcome = await dispatchCall(text, { client, connection, callBack })
    // Asked again: the window may have gone elsewhere while the call was made.
    const sealing = { ...admit(event, rules), handles: connection.handles }
    const whole = { ...sealing, session: client.session }
    const news = noticeFor(connection, authState) ? { presence: authState.serialize(sealing) } : {}
    return serializeFor(
      'error' in outcome ? { ...news, error: serialize(outcome.error, whole) } : { ...news, value: serialize(outcome.value, whole) },
    )
  } catch (error) {
    return serializeFor({ error: serialize(toFoyerError(error), { handles: new WindowHandles(), tokens: false }) })
  }
}

const serializeFor = (message: Answer): string => JSON.stringify(message)

/** Whether something has changed since the last answer to this page. */
function noticeFor(connection: WindowConnection, authState: AuthStateTracker): boolean {
  const sequence = authState.sequence()
  const isNews = connection.answered < sequence
  connection.answered = sequence
  return isNews
}

function forwardEvents(client: CoreClient, windows: ConnectedWindows): (() => void)[] {
  const names = Object.keys(EVENTS).filter(isEvent)
  return names
    .filter((name) => EVENTS[name])
    .map((name) =>
      // With its session whole: an answer that says who is signed in since may overtake it.
      client.subscribe(name, (data: unknown) => windows.broadcast((sealing) => ({ kind: 'event', name, data: serialize(data, sealing) }))),
    )
}

function isEvent(name: string): name is keyof ClientEvents {
  return name in EVENTS
}
