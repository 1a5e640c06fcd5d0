/** Talks to the emulator. */

const base = '/chat/api/'

export async function ask(name, query = {}) {
  const parameters = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== undefined))
  const response = await fetch(`${base}${name}?${parameters}`)
  if (!response.ok) throw new Error(`status ${response.status}`)
  return response.json()
}

/** What came of it; `problem` when the emulator could not make sense of it. */
export async function order(name, body) {
  const headers = { 'Content-Type': 'application/json' }
  try {
    const response = await fetch(base + name, { method: 'POST', headers, body: JSON.stringify(body) })
    const answer = await response.json()
    return response.ok ? answer : { problem: answer.message ?? `status ${response.status}` }
  } catch {
    return { problem: 'The emulator does not answer.' }
  }
}

/** Calls back when something is new, at most once in a while. Returns the undo. */
export function listen(changed) {
  const stream = new EventSource('/chat/events')
  let planned
  const plan = () => {
    planned ??= setTimeout(() => {
      planned = undefined
      changed()
    }, 60)
  }
  stream.addEventListener('change', plan)
  stream.addEventListener('open', plan)
  return () => {
    stream.close()
    clearTimeout(planned)
  }
}
