/** Carries words between the game's page and its callback page, on every road a browser leaves open; the first to arrive counts. */

import { isText } from '../foundation/encoding'

/** The game's answer to a URL. Any other word is a callback URL, which the receiver checks as if it had come from anyone. */
export const RECEIVED = 'received'

export interface CallbackChannel {
  post(word: string): void
  /** Ends the channel: no listener is left. */
  close(): void
}

export interface CallbackChannelOptions {
  /** The state of the attempt: whoever does not know it finds no channel. */
  state: string
  /** The other window, where it can be reached: opener or popup. Words from any other window are not heard. */
  peer: Window | null
  onMessage: (word: string) => void
  /** Gets what the peer says for another state, or for none. */
  onStray?: (word: string) => void
}

/**
 * Opens all three roads. `BroadcastChannel` survives `Cross-Origin-Opener-Policy`; the opener survives partitioned storage; the storage
 * event survives shells without `BroadcastChannel`.
 */
export function openChannel({ state, peer, onMessage, onStray }: CallbackChannelOptions): CallbackChannel {
  const name = `foyer:${state} `
  const closed = new AbortController()
  const hear = (data: unknown) => {
    if (typeof data === 'string' && data.startsWith(name)) onMessage(data.slice(name.length))
  }
  const hearPeer = (data: unknown) => {
    hear(data)
    if (isText(data, /^foyer:/) && !data.startsWith(name)) onStray?.(data.slice(data.lastIndexOf(' ') + 1))
  }
  const broadcast = openBroadcast(name)
  broadcast?.addEventListener('message', ({ data }) => hear(data))
  const { signal } = closed
  window.addEventListener('message', ({ origin, source, data }) => origin === location.origin && source === peer && hearPeer(data), {
    signal,
  })
  window.addEventListener('storage', ({ key, newValue }) => key === name && hear(newValue), { signal })
  return {
    post(word) {
      broadcast?.postMessage(name + word)
      // A fixed target: a foreign opener gets nothing.
      peer?.postMessage(name + word, location.origin)
      flashInStorage(name, word)
    },
    close() {
      broadcast?.close()
      closed.abort()
    },
  }
}

/** Undefined where there is none, and where it is closed to a page whose storage is. */
export function openBroadcast(name: string): BroadcastChannel | undefined {
  try {
    return new BroadcastChannel(name)
  } catch {
    return undefined
  }
}

/** Other documents of the origin see the change; nothing stays. */
function flashInStorage(name: string, word: string): void {
  try {
    localStorage.setItem(name, name + word)
    localStorage.removeItem(name)
  } catch {
    // Blocked or full: the other roads remain.
  }
}
