/** Opens a WebSocket of the page's own host: browsers open six connections for requests and streams, in all windows together. */
export function openSocket(path: string): WebSocket {
  return new WebSocket(new URL(path, location.href.replace(/^http/, 'ws')))
}
