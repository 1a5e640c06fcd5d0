/** Messaging between the game's page and its callback page over every available transport; the first message counts. */
import { isText } from '../../shared/foundation/untrusted-values'
import { pageOrigin } from './redirect-address'

/** Acknowledgement of a callback URL by the game. Any other message is a callback URL, which the receiver verifies. */
export const RECEIVED = 'received'

export interface CallbackChannel {
  post(message: string): void
  /** Closes the channel and removes all listeners. */
  close(): void
}

export interface CallbackChannelOptions {
  /** State of the attempt. It is part of the channel name, which therefore cannot be guessed. */
  state: string
  /** Opener or popup, if reachable. Window messages from any other window are ignored. */
  peer: Window | null
  onMessage: (message: string) => void
  /** Called with messages of the peer for another state, or for none. */
  onStray?: (message: string) => void
}

/**
 * Opens all three transports: `BroadcastChannel` works despite `Cross-Origin-Opener-Policy`, window messages work with partitioned storage,
 * and storage events work in shells without `BroadcastChannel`.
 */
export function openChannel({ state, peer, onMessage, onStray }: CallbackChannelOptions): CallbackChannel {
  const name = `foyer:${state} `
  const closed = new AbortController()
  const receive = (data: unknown) => {
    if (typeof data === 'string' && data.startsWith(name)) onMessage(data.slice(name.length))
  }
  const receiveFromPeer = (data: unknown) => {
    receive(data)
    if (isText(data, /^foyer:/) && !data.startsWith(name)) onStray?.(data.slice(data.lastIndexOf(' ') + 1))
  }
  const broadcast = openBroadcast(name)
  broadcast?.addEventListener('message', ({ data }) => receive(data))
  const { signal } = closed
  window.addEventListener(
    'message',
    ({ origin, source, data }) => origin === pageOrigin() && source === peer && receiveFromPeer(data),
    {
      signal,
    },
  )
  window.addEventListener('storage', ({ key, newValue }) => key === name && receive(newValue), { signal })
  return {
    post(message) {
      broadcast?.postMessage(name + message)
      // The target origin is fixed, so a foreign opener receives nothing. A `srcdoc` frame has the origin of its parent, its location none.
      peer?.postMessage(name + message, pageOrigin())
      sendStorageEvent(name, message)
    },
    close() {
      broadcast?.close()
      closed.abort()
    },
  }
}

/** Returns undefined if `BroadcastChannel` is missing or blocked. */
export function openBroadcast(name: string): BroadcastChannel | undefined {
  try {
    return new BroadcastChannel(name)
  } catch {
    return undefined
  }
}

/** Writes and removes an item: other documents of the origin get a storage event, and nothing remains stored. */
function sendStorageEvent(name: string, message: string): void {
  try {
    localStorage.setItem(name, name + message)
    localStorage.removeItem(name)
  } catch {
    // Blocked or full: the other transports remain.
  }
}
