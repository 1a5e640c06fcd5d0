/** Expected responses, and waiting in virtual time. */
import { APPLICATION, type Sender, slash, TOKEN } from './signed-sender'

export const message = (content: string) => ({ status: 200, body: { type: 4, data: { content } } })
export const SORRY = {
  status: 200,
  body: { type: 4, data: { content: 'Something went wrong. Please try again.', flags: 64 } },
}
export const UNAVAILABLE = {
  status: 200,
  body: { type: 4, data: { content: 'This command is not available.', flags: 64 } },
}
export const ORIGINAL = `/api/v10/webhooks/${APPLICATION}/${TOKEN}/messages/@original`

/** Holds a handler until the test releases it. */
export function hold() {
  const gate = new AbortController()
  const held = new Promise<void>((resolve) => gate.signal.addEventListener('abort', () => resolve()))
  return { held, release: () => gate.abort() }
}

/** Yields until all work that waits for no timer has run. */
export const settle = () => new Promise((resolve) => void setImmediate(resolve))

/** Delivers an interaction and advances the clock once the handler is running. */
export async function deliverAfter(sender: Sender, payload: unknown, ms: number) {
  const response = sender.deliver(payload)
  while (sender.clock.waiting === 0) await settle()
  await settle()
  sender.clock.advance(ms)
  return response
}

export const fail = () => {
  throw new Error('password is hunter2')
}
export const callback = (id: string) => `/api/v10/interactions/${id}/${TOKEN}/callback?with_response=true`
export const typing = (options: readonly object[]) => ({
  ...slash('airhorn', options, { version: '8' }),
  type: 4,
})
