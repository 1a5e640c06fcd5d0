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
  const stream = new EventSource('/chat/events')
  let planned
  const plan = () => {
    planned ??= setTimeout(() => {
      planned = undefined
      changed()
    }, 60)
  }
  stream.addEventListener('change', plan)
  stream.addEventListener('open', () => {
    reached(true)
    plan()
  })
  stream.addEventListener('error', () => reached(false))
  return () => {
    stream.close()
    clearTimeout(planned)
  }
}
