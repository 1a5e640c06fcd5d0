/** Client of the control plane, with the control token from the link that the terminal prints. The token stays in memory. */

let token = ''

/** Takes the token from the fragment, and removes it from the address bar. Returns whether there was one. */
export function readToken() {
  const given = location.hash.slice(1)
  if (given === '') return false
  token = given
  history.replaceState(null, '', location.pathname)
  return true
}

export function setToken(text) {
  token = text.trim()
}

/** Rejects with an error; its `status` is 0 when there was no response. */
export async function control(path, body) {
  const init = { headers: { authorization: `Bearer ${token}` } }
  const request = body === undefined ? init : { ...init, method: 'POST', body: JSON.stringify(body) }
  const response = await fetch(`/_emulator/${path}`, request).catch(() => ({ ok: false, status: 0, text: async () => '' }))
  const text = await response.text()
  if (response.ok) return text === '' ? undefined : JSON.parse(text)
  throw Object.assign(new Error(reason(text) ?? `status ${response.status}`), { status: response.status })
}

function reason(text) {
  try {
    return JSON.parse(text).message
  } catch {
    return undefined
  }
}

/**
 * Calls `received(requests, isAll)` with all logged requests once, and then with each new one. Connects again after a second when the
 * emulator has stopped, and reports the connection with `connected('open' | 'lost' | 'refused')`: it is refused when the emulator was
 * started again with another control token. Returns a function that stops it.
 */
export function listenToRequests(received, connected) {
  const stop = new AbortController()
  const connect = async () => {
    let state = 'lost'
    try {
      const headers = { authorization: `Bearer ${token}` }
      const response = await fetch('/_emulator/requests/live', { headers, signal: stop.signal })
      if (response.status === 401) state = 'refused'
      if (!response.ok) throw new Error(`status ${response.status}`)
      connected('open')
      for await (const { event, data } of readEvents(response.body)) received(event === 'requests' ? data : [data], event === 'requests')
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

async function* readEvents(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const parts = (rest + value).split('\n\n')
    rest = parts.pop()
    for (const part of parts) {
      const [, event] = /^event: (.*)$/m.exec(part) ?? []
      const [, data] = /^data: (.*)$/m.exec(part) ?? []
      if (event && data) yield { event, data: JSON.parse(data) }
    }
  }
}
