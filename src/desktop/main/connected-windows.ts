/** Pages connected to the client of the main process. A connection ends when its window navigates or closes. */
import type { EventEmitter } from 'node:events'
import type { WebContents } from 'electron'
import { CHANNELS, type Notice } from '../contract/ipc-contract'
import type { SerializeContext } from './ipc-value-codec'
import { WindowHandles } from './window-handles'
import { admitted, type WindowRule } from './admission'

/** Window events that end a connection. */
const ENDS = ['did-navigate', 'render-process-gone', 'destroyed'] as const

/** Connection of one page. Its calls never affect the next page of the window. */
export interface WindowConnection {
  readonly window: WebContents
  readonly handles: WindowHandles
  /** Sequence number of the last authentication state sent in a response. */
  sentSequence: number
}

export interface ConnectedWindows {
  /** Returns the connection of an admitted window; creates it if necessary. */
  connect(window: WebContents): WindowConnection
  /** Returns the connection of a window, if there is one. */
  find(window: WebContents): WindowConnection | undefined
  /** Sends a notice, if the page is still open and admitted. */
  send(connection: WindowConnection, write: (serializing: SerializeContext) => Notice): void
  broadcast(write: (serializing: SerializeContext) => Notice): void
  close(): void
}

interface OpenConnection {
  connection: WindowConnection
  leave: () => void
}

export function createConnectedWindows(rules: readonly WindowRule[]): ConnectedWindows {
  const open = new Map<WebContents, OpenConnection>()
  const send: ConnectedWindows['send'] = (connection, write) => {
    const { window, handles } = connection
    if (open.get(window)?.connection !== connection || window.isDestroyed()) return
    const admission = admitted(() => ({ sender: window, senderFrame: window.mainFrame }), rules)
    if (admission) window.send(CHANNELS.notify, JSON.stringify(write({ ...admission, handles })))
  }
  return {
    connect: (window) => (open.get(window) ?? enter(open, window)).connection,
    find: (window) => open.get(window)?.connection,
    send,
    broadcast(write) {
      for (const { connection } of open.values()) send(connection, write)
    },
    close() {
      for (const { leave } of open.values()) leave()
    },
  }
}

function enter(open: Map<WebContents, OpenConnection>, window: WebContents): OpenConnection {
  const connection: WindowConnection = { window, handles: new WindowHandles(), sentSequence: 0 }
  const events: EventEmitter = window
  const leave = () => {
    open.delete(window)
    for (const end of ENDS) events.off(end, leave)
    connection.handles.forget()
  }
  for (const end of ENDS) events.on(end, leave)
  const entry = { connection, leave }
  open.set(window, entry)
  return entry
}
