/** The pages that have spoken to the client of the main process. Each is a guest of its own, and gone when its window goes elsewhere. */
import type { EventEmitter } from 'node:events'
import type { WebContents } from 'electron'
import { CHANNELS, type Notice } from '../contract'
import type { Sealing } from './crossing'
import { WindowMemory } from './window-memory'
import { admitted, type WindowRule } from './windows'

/** What ends a page, as its window tells it. */
const ENDS = ['did-navigate', 'render-process-gone', 'destroyed'] as const

/** A page. What a call of it does after its end changes nothing for the next page of the window. */
export interface Guest {
  readonly window: WebContents
  readonly memory: WindowMemory
  /** The last change of presence that one of its answers brought. */
  answered: number
}

export interface Guests {
  /** The page of a window that was let in. */
  welcome(window: WebContents): Guest
  /** The page of a window, if it has spoken. */
  find(window: WebContents): Guest | undefined
  /** To a page that is still there, and still one that may. */
  tell(guest: Guest, write: (sealing: Sealing) => Notice): void
  tellAll(write: (sealing: Sealing) => Notice): void
  close(): void
}

interface Here {
  guest: Guest
  leave: () => void
}

export function createGuests(rules: readonly WindowRule[]): Guests {
  const here = new Map<WebContents, Here>()
  const tell: Guests['tell'] = (guest, write) => {
    const { window, memory } = guest
    if (here.get(window)?.guest !== guest || window.isDestroyed()) return
    const admission = admitted(() => ({ sender: window, senderFrame: window.mainFrame }), rules)
    if (admission) window.send(CHANNELS.tell, JSON.stringify(write({ ...admission, memory })))
  }
  return {
    welcome: (window) => (here.get(window) ?? enter(here, window)).guest,
    find: (window) => here.get(window)?.guest,
    tell,
    tellAll(write) {
      for (const { guest } of here.values()) tell(guest, write)
    },
    close() {
      for (const { leave } of here.values()) leave()
    },
  }
}

function enter(here: Map<WebContents, Here>, window: WebContents): Here {
  const guest: Guest = { window, memory: new WindowMemory(), answered: 0 }
  const events: EventEmitter = window
  const leave = () => {
    here.delete(window)
    for (const end of ENDS) events.off(end, leave)
    guest.memory.forget()
  }
  for (const end of ENDS) events.on(end, leave)
  const entry = { guest, leave }
  here.set(window, entry)
  return entry
}
