/** Streams the service's events to tests and tools, as server-sent events. */
import { Hono } from 'hono'
import { streamSSE } from 'hono/streaming'
import type { EmulatorContext } from '../context/emulator-context.js'

export function createEventStream({ events }: EmulatorContext): Hono {
  const routes = new Hono()
  routes.get('/_emulator/events', (c) =>
    streamSSE(c, async (stream) => {
      await new Promise<void>((resolve) => {
        const undo = events.subscribe(({ name, data }) => void stream.writeSSE({ event: name, data: JSON.stringify(data) }))
        stream.onAbort(() => {
          undo()
          resolve()
        })
        // Headers are sent with the first byte: after receiving them, a client misses no event.
        void stream.write(': open\n\n')
      })
    }),
  )
  return routes
}
