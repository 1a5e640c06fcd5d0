/** A call that lasts until the window ends it. */
import type { SendCall } from './window-lobby'

/** Returns a function that ends the call. A main process that refuses it has nothing to end. */
export function hold(send: SendCall, path: string): () => void {
  const held = new AbortController()
  send(path, [{ signal: held.signal }]).catch(() => undefined)
  return () => held.abort()
}
