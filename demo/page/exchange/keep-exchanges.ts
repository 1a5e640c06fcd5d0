/** Keeps the exchanges over a reload or a redirect, in the storage of the tab and without any secret. */
import type { Exchange, Field, Response } from './exchange'
import type { ExchangeRecorder, RecordedCall } from './exchange-recorder'

const KEY = 'foyer-demo:exchanges'
/** Calls of the game: names and results, which contain no secret. */
const CALLS = 'foyer-demo:calls'
/** Maximum length of a value that is stored, in characters. */
const MAX_LENGTH = 500

/** Stores the exchanges whenever the page is left, and restores them once. */
export function keepExchanges(recorder: ExchangeRecorder): void {
  recorder.list.value = take(KEY)
  recorder.calls.value = take(CALLS)
  window.addEventListener('pagehide', () => {
    store(KEY, recorder.list.value.map(withoutSecrets))
    store(CALLS, recorder.calls.value)
  })
}

/** Returns the exchange as it may be stored: secrets, long values and bodies that are no JSON are left out. */
function withoutSecrets(exchange: Exchange): Exchange {
  const { query, headers, body, response } = exchange
  return {
    ...exchange,
    query: query.map(storable),
    headers: headers.map(storable),
    body: body.map(storable),
    response: response && storableResponse(response),
  }
}

function storableResponse(response: Response): Response {
  return { ...response, headers: response.headers.map(storable), body: response.body.map(storable) }
}

function storable(field: Field): Field {
  const { name, value, isSecret } = field
  return isSecret || name === '' || value.length > MAX_LENGTH ? { name, value: '', isSecret, isLeftOut: true } : field
}

function store(key: string, entries: readonly unknown[]): void {
  try {
    if (entries.length > 0) sessionStorage.setItem(key, JSON.stringify(entries))
  } catch {
    // Blocked or full: they end with the page.
  }
}

/** Reads what this page has stored, and removes it. */
function take(key: typeof KEY): readonly Exchange[]
function take(key: typeof CALLS): readonly RecordedCall[]
function take(key: string): readonly unknown[] {
  try {
    const text = sessionStorage.getItem(key)
    sessionStorage.removeItem(key)
    const stored: readonly unknown[] = JSON.parse(text ?? '[]')
    return stored
  } catch {
    return []
  }
}
