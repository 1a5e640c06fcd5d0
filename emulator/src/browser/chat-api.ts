/** Client of the emulator's chat API. */

const base = '/chat/api/'

/** Rejects with an error; its `status` is 0 when there was no response. */
export async function ask(name, query = {}) {
  const parameters = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== undefined))
  const response = await fetch(`${base}${name}?${parameters}`).catch(() => ({ ok: false, status: 0 }))
  if (!response.ok) throw Object.assign(new Error(`status ${response.status}`), { status: response.status })
  return response.json()
}

/** Result of a request. `problem` is set when the emulator refused the input; `unreachable` also when there was no response. */
export async function post(name, body) {
  const headers = { 'Content-Type': 'application/json' }
  try {
    const response = await fetch(base + name, { method: 'POST', headers, body: JSON.stringify(body) })
    const answer = await response.json()
    return response.ok ? answer : { problem: answer.message ?? `status ${response.status}` }
  } catch {
    return { problem: 'The emulator does not answer.', unreachable: true }
  }
}

/** Calls back on changes, throttled, and when the connection to the emulator is lost or restored. Returns an unsubscribe function. */
export function listen(changed, reached) {
  let stream
  let planned
  let again
  const plan = () => {
    planned ??= setTimeout(() => {
      planned = undefined
      changed()
    }, 60)
  }
  const connect = () => {
    stream = new EventSource('/chat/events')
    stream.addEventListener('change', plan)
    stream.addEventListener('open', () => {
      reached(true)
      plan()
    })
    // Not left to the browser: some wait for long, and some give up when nothing listens.
    stream.addEventListener('error', () => {
      stream.close()
      reached(false)
      again = setTimeout(connect, 1000)
    })
  }
  connect()
  return () => {
    stream.close()
    clearTimeout(planned)
    clearTimeout(again)
  }
}
