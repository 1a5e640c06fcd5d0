/** Reports whether the emulator answers, to a page that needs nothing else of it. */

export interface Reached {
  answers: boolean
}

/** Milliseconds between two attempts to connect. */
const RETRY = 1000

/**
 * Calls `reached` when the emulator stops and when it is back. Only a page in view holds a stream: browsers allow six to one host.
 *
 * @param events address of a stream of the page's own origin.
 */
export function watchEmulator(events: string, reached: (state: Reached) => void): () => void {
  let stream: EventSource | undefined
  let again: number | undefined
  const disconnect = () => {
    stream?.close()
    clearTimeout(again)
  }
  const connect = () => {
    disconnect()
    if (document.visibilityState === 'hidden') return
    const source = new EventSource(events)
    stream = source
    source.addEventListener('open', () => reached({ answers: true }))
    source.addEventListener('error', () => {
      source.close()
      reached({ answers: false })
      again = window.setTimeout(connect, RETRY)
    })
  }
  document.addEventListener('visibilitychange', connect)
  connect()
  return () => {
    document.removeEventListener('visibilitychange', connect)
    disconnect()
  }
}

/** Opens a WebSocket of the page's own host: browsers open six connections for requests and streams, in all windows together. */
export function openSocket(path: string): WebSocket {
  return new WebSocket(new URL(path, location.href.replace(/^http/, 'ws')))
}
