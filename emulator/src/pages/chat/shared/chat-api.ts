/** Client of the emulator's chat API. */
import { openSocket } from '../../shared/watch-emulator.js'
import type { ActionResult, Place, Start, View } from './chat-data.js'

export type ActionName =
  | 'use'
  | 'press'
  | 'submit'
  | 'say'
  | 'type'
  | 'join'
  | 'accept'
  | 'connect'
  | 'game'
  | 'ask'
  | 'accept-program'
  | 'quit'

const BASE = '/chat/api/'

/** Failed request for data. */
export class ChatApiError extends Error {
  /** Status of the response; 0 without one. */
  readonly status: number

  constructor(status: number) {
    super(`status ${status}`)
    this.status = status
  }
}

/** @throws ChatApiError */
export async function loadStart(): Promise<Start> {
  const start: Start = await (await request('start')).json()
  return start
}

/** @throws ChatApiError */
export async function loadView({ as, channel }: Place): Promise<View> {
  const parameters = new URLSearchParams(channel === undefined ? { as } : { as, channel })
  const view: View = await (await request(`view?${parameters}`)).json()
  return view
}

async function request(path: string): Promise<Response> {
  const response = await fetch(BASE + path).catch(() => undefined)
  if (response?.ok !== true) throw new ChatApiError(response?.status ?? 0)
  return response
}

/** Result of a request. `problem` is set when the emulator refused the input; `unreachable` also when there was no response. */
export async function post(name: ActionName, body: object): Promise<ActionResult> {
  const headers = { 'Content-Type': 'application/json' }
  try {
    const response = await fetch(BASE + name, { method: 'POST', headers, body: JSON.stringify(body) })
    if (response.ok) {
      const answer: ActionResult = await response.json()
      return answer
    }
    const { message = `status ${response.status}` }: { message?: string } = await response.json()
    return { problem: message }
  } catch {
    return { problem: 'The emulator does not answer.', unreachable: true }
  }
}

/** Calls back on changes, throttled, and when the connection to the emulator is lost or restored. Returns an unsubscribe function. */
export function listen(changed: () => void, reached: (state: { answers: boolean }) => void): () => void {
  let stream: WebSocket | undefined
  let planned: number | undefined
  let again: number | undefined
  let isStopped = false
  const plan = () => {
    planned ??= window.setTimeout(() => {
      planned = undefined
      changed()
    }, 60)
  }
  const connect = () => {
    const source = openSocket('/chat/events')
    stream = source
    source.addEventListener('message', plan)
    source.addEventListener('open', () => {
      reached({ answers: true })
      plan()
    })
    source.addEventListener('close', () => {
      if (isStopped) return
      reached({ answers: false })
      again = window.setTimeout(connect, 1000)
    })
  }
  connect()
  return () => {
    isStopped = true
    stream?.close()
    clearTimeout(planned)
    clearTimeout(again)
  }
}
