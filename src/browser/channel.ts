/** Carries words between the game's page and its callback page, on every road a browser leaves open; the first to arrive counts. */

/** What travels. It is only a hint to look: the receiver checks the URL as if it had come from anyone. */
export type ChannelMessage = { type: 'answer'; url: string } | { type: 'received' }

export interface Channel {
  post(message: ChannelMessage): void
  /** Ends the channel: no listener is left. */
  close(): void
}

export interface ChannelOptions {
  /** The state of the attempt: whoever does not know it finds no channel. */
  state: string
  /** The other window, where it can be reached: opener or popup. Messages from any other window are not heard. */
  peer: () => Window | null | undefined
  onMessage: (message: ChannelMessage) => void
}

/**
 * Opens all three roads. `BroadcastChannel` survives `Cross-Origin-Opener-Policy`; the opener survives partitioned storage; the storage
 * event survives shells without `BroadcastChannel`.
 */
export function openChannel({ state, peer, onMessage }: ChannelOptions): Channel {
  const name = `foyer:${state}`
  const hear = (data: unknown) => {
    const message = parseMessage(data, name)
    if (message) onMessage(message)
  }
  const onWindowMessage = (event: MessageEvent) => {
    if (event.origin === location.origin && event.source === peer()) hear(event.data)
  }
  const onStorage = (event: StorageEvent) => {
    if (event.key === name && event.newValue) hear(event.newValue)
  }
  const broadcast = typeof BroadcastChannel === 'function' ? new BroadcastChannel(name) : undefined
  broadcast?.addEventListener('message', (event) => hear(event.data))
  window.addEventListener('message', onWindowMessage)
  window.addEventListener('storage', onStorage)
  return {
    post(message) {
      const text = JSON.stringify({ channel: name, ...message })
      broadcast?.postMessage(text)
      // A fixed target: a foreign opener gets nothing.
      peer()?.postMessage(text, location.origin)
      flashInStorage(name, text)
    },
    close() {
      broadcast?.close()
      window.removeEventListener('message', onWindowMessage)
      window.removeEventListener('storage', onStorage)
    },
  }
}

function parseMessage(data: unknown, name: string): ChannelMessage | undefined {
  try {
    const message: unknown = JSON.parse(String(data))
    if (typeof message !== 'object' || message === null || !('channel' in message) || message.channel !== name || !('type' in message))
      return undefined
    if (message.type === 'received') return { type: 'received' }
    if (message.type === 'answer' && 'url' in message && typeof message.url === 'string') return { type: 'answer', url: message.url }
  } catch {
    // Not ours.
  }
  return undefined
}

/** Other documents of the origin see the change; nothing stays. */
function flashInStorage(name: string, text: string): void {
  try {
    localStorage.setItem(name, text)
    localStorage.removeItem(name)
  } catch {
    // Blocked or full: the other roads remain.
  }
}
