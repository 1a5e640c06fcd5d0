/** Talks to the emulator. */

const base = '/chat/api/'

/** Rejects with an error whose `status` is 0 when nothing answers. */
export async function ask(name, query = {}) {
  const parameters = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== undefined))
  const response = await fetch(`${base}${name}?${parameters}`).catch(() => ({ ok: false, status: 0 }))
  if (!response.ok) throw Object.assign(new Error(`status ${response.status}`), { status: response.status })
  return response.json()
}

/** What came of it; `problem` when the emulator could not make sense of it, with `unreachable` when nothing answered. */
export async function order(name, body) {
  const headers = { 'Content-Type': 'application/json' }
  try {
    const response = await fetch(base + name, { method: 'POST', headers, body: JSON.stringify(body) })
    const answer = await response.json()
    return response.ok ? answer : { problem: answer.message ?? `status ${response.status}` }
  } catch {
    return { problem: 'The emulator does not answer.', unreachable: true }
  }
}

/** Calls back when something is new, at most once in a while, and when the emulator goes away and is back. Returns the undo. */
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
