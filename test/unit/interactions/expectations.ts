/** What players see, and how a test waits without sleeping. */
import { APPLICATION, type Sender, slash, TOKEN } from './sender'

export const message = (content: string) => ({ status: 200, body: { type: 4, data: { content } } })
export const SORRY = { status: 200, body: { type: 4, data: { content: 'Something went wrong. Please try again.', flags: 64 } } }
export const UNAVAILABLE = { status: 200, body: { type: 4, data: { content: 'This command is not available.', flags: 64 } } }
export const ORIGINAL = `/api/v10/webhooks/${APPLICATION}/${TOKEN}/messages/@original`

/** Holds a handler until the test lets it go on. */
export function hold() {
  const door = new AbortController()
  const held = new Promise<void>((resolve) => door.signal.addEventListener('abort', () => resolve()))
  return { held, letGo: () => door.abort() }
}

/** Lets everything run that waits for nothing but its turn. */
export const settle = () => new Promise((resolve) => void setImmediate(resolve))

/** Delivers, and moves the clock on once the handler is running. */
export async function deliverAfter(sender: Sender, payload: unknown, ms: number) {
  const answer = sender.deliver(payload)
  while (sender.clock.waiting === 0) await settle()
  await settle()
  sender.clock.advance(ms)
  return answer
}

export const fail = () => {
  throw new Error('password is hunter2')
}
export const callback = (id: string) => `/api/v10/interactions/${id}/${TOKEN}/callback?with_response=true`
export const typing = (options: readonly object[]) => ({ ...slash('airhorn', options, { version: '8' }), type: 4 })
