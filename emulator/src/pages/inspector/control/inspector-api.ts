/** Client of the control plane, with the control token from the link that the terminal prints. The token stays in memory. */
import type { RequestDetails } from '../../../api/request/request-log.js'
import type { ListedRequest } from './inspector-data.js'

let token = ''

/** Takes the token from the fragment, and removes it from the address bar; the filter in the query stays. Returns whether there was one. */
export function readToken(): boolean {
  const given = location.hash.slice(1)
  if (given === '') return false
  token = given
  history.replaceState(null, '', location.pathname + location.search)
  return true
}

export function setToken(text: string): void {
  token = text.trim()
}

/** Requests a resource. Rejects with an error that has the reason. */
export async function read<Answer>(path: string): Promise<Answer> {
  const answer: Answer = await (await exchange(path, { headers: authorization() })).json()
  return answer
}

/** Requests the details of one request of the log. Rejects with an error that has the reason. */
export function readDetails(serial: number, { reveal }: { reveal: boolean }): Promise<RequestDetails> {
  return read<RequestDetails>(`requests/${serial}${reveal ? '?reveal=true' : ''}`)
}

/** Sends a change. Rejects with an error that has the reason. */
export async function change(path: string, body: object): Promise<void> {
  await exchange(path, { method: 'POST', headers: authorization(), body: JSON.stringify(body) })
}

/** Returns the text of a saved snapshot. */
export async function exportSnapshot(name: string): Promise<string> {
  return (
    await exchange('snapshots/export', {
      method: 'POST',
      headers: authorization(),
      body: JSON.stringify({ name }),
    })
  ).text()
}

const WRONG_TOKEN = 'this is not the control token that the emulator has printed'

async function exchange(path: string, init: RequestInit): Promise<Response> {
  const response = await fetch(`/_emulator/${path}`, init).catch(() => undefined)
  if (response?.ok === true) return response
  if (response === undefined) throw new Error('the emulator does not answer')
  throw new Error(response.status === 401 ? WRONG_TOKEN : await reasonOf(response))
}

function authorization(): Record<string, string> {
  return { authorization: `Bearer ${token}` }
}

async function reasonOf(response: Response): Promise<string> {
  try {
    const { message }: { message?: string } = await response.json()
    return message ?? `status ${response.status}`
  } catch {
    return `status ${response.status}`
  }
}

/** `refused`: the emulator was started again with another control token. */
export type Connection = 'open' | 'lost' | 'refused'

/**
 * Calls `received(requests, { isAll })` with all logged requests once, and then with each new one. Connects again after a second when the
 * emulator has stopped, and reports the connection. Returns a function that stops it.
 */
export function listenToRequests(
  received: (requests: ListedRequest[], part: { isAll: boolean }) => void,
  connected: (state: Connection) => void,
): () => void {
  const stop = new AbortController()
  const connect = async () => {
    let state: Connection = 'lost'
    try {
      const response = await fetch('/_emulator/requests/live', {
        headers: authorization(),
        signal: stop.signal,
      })
      if (response.status === 401) state = 'refused'
      if (!response.ok || response.body === null) throw new Error(`status ${response.status}`)
      connected('open')
      await readEvents(response.body, received)
    } catch {
      // Stopped, or the connection was lost.
    }
    if (stop.signal.aborted) return
    connected(state)
    setTimeout(() => void connect(), 1000)
  }
  void connect()
  return () => stop.abort()
}

async function readEvents(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  received: (requests: ListedRequest[], part: { isAll: boolean }) => void,
): Promise<void> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const parts = (rest + value).split('\n\n')
    rest = parts.pop() ?? ''
    const added: ListedRequest[] = []
    for (const part of parts) {
      const event = /^event: (.*)$/m.exec(part)?.[1]
      const data = /^data: (.*)$/m.exec(part)?.[1]
      if (data === undefined) continue
      const parsed: ListedRequest | ListedRequest[] = JSON.parse(data)
      if (event === 'requests') received([parsed].flat(), { isAll: true })
      else added.push(...[parsed].flat())
    }
    // One rendering for everything that arrived together.
    if (added.length > 0) received(added, { isAll: false })
  }
}
