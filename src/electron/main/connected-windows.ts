/** The pages that have spoken to the client of the main process. Each is a guest of its own, and gone when its window goes elsewhere. */
import type { EventEmitter } from 'node:events'
import type { WebContents } from 'electron'
import { CHANNELS, type Notice } from '../contract'
import type { SerializeContext } from './serialize'
import { WindowHandles } from './window-handles'
import { admitted, type WindowRule } from './windows'

/** What ends a page, as its window tells it. */
const ENDS = ['did-navigate', 'render-process-gone', 'destroyed'] as const

/** A page. What a call of it does after its end changes nothing for the next page of the window. */
export interface WindowConnection {
  readonly window: WebContents
  readonly handles: WindowHandles
  /** The last change of presence that one of its answers brought. */
  answered: number
}

export interface ConnectedWindows {
  /** The page of a window that was let in. */
  connect(window: WebContents): WindowConnection
  /** The page of a window, if it has spoken. */
  find(window: WebContents): WindowConnection | undefined
  /** To a page that is still there, and still one that may. */
  tell(connection: WindowConnection, write: (sealing: SerializeContext) => Notice): void
  broadcast(write: (sealing: SerializeContext) => Notice): void
  close(): void
}

interface Here {
  connection: WindowConnection
  leave: () => void
}

export function createConnectedWindows(rules: readonly WindowRule[]): ConnectedWindows {
  const here = new Map<WebContents, Here>()
  const tell: ConnectedWindows['tell'] = (connection, write) => {
    const { window, handles } = connection
    if (here.get(window)?.connection !== connection || window.isDestroyed()) return
    const admission = admitted(() => ({ sender: window, senderFrame: window.mainFrame }), rules)
    if (admission) window.send(CHANNELS.tell, JSON.stringify(write({ ...admission, handles })))
  }
  return {
    connect: (window) => (here.get(window) ?? enter(here, window)).connection,
    find: (window) => here.get(window)?.connection,
    tell,
    broadcast(write) {
      for (const { connection } of here.values()) tell(connection, write)
    },
    close() {
      for (const { leave } of here.values()) leave()
    },
  }
}

function enter(here: Map<WebContents, Here>, window: WebContents): Here {
  const connection: WindowConnection = { window, handles: new WindowHandles(), answered: 0 }
  const events: EventEmitter = window
  const leave = () => {
    here.delete(window)
    for (const end of ENDS) events.off(end, leave)
    connection.handles.forget()
  }
  for (const end of ENDS) events.on(end, leave)
  const entry = { connection, leave }
  here.set(window, entry)
  return entry
}
