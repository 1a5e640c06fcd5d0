/** Client of the W3C WebDriver BiDi protocol over one WebSocket. */
import { WebSocket } from 'undici'

interface Message {
  id?: number
  type: 'success' | 'error' | 'event'
  result?: unknown
  error?: string
  message?: string
}

export interface Bidi {
  /** Sends one command. @throws Error with the browser's message. */
  send<T = unknown>(method: string, params?: object): Promise<T>
}

/** Connects to the address that the browser prints when it listens, and begins a session. */
export async function connectBidi(address: string): Promise<Bidi> {
  const socket = new WebSocket(address)
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve())
    socket.addEventListener('error', () => reject(new Error(`No connection to ${address}.`)))
  })
  const pending = new Map<number, (message: Message) => void>()
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as Message
    if (message.id !== undefined) pending.get(message.id)?.(message)
  })
  // A browser that ends answers nothing more.
  socket.addEventListener('close', () => {
    for (const settle of pending.values())
      settle({ type: 'error', error: 'closed', message: 'The browser has ended.' })
  })
  let id = 0
  const bidi: Bidi = {
    send: (method, params = {}) =>
      new Promise((resolve, reject) => {
        const own = ++id
        pending.set(own, (message) => {
          pending.delete(own)
          if (message.type === 'error') reject(new Error(`${method}: ${message.error} ${message.message}`))
          else resolve(message.result as never)
        })
        socket.send(JSON.stringify({ id: own, method, params }))
      }),
  }
  await bidi.send('session.new', { capabilities: {} })
  return bidi
}
