/** Keeps the exchanges over a reload or a redirect, in the storage of the tab and without any secret. */
import type { Exchange, Field, Response } from './http-exchange-fields'
import type { ExchangeRecorder } from './record-exchanges'

const KEY = 'foyer-demo:exchanges'
/** Maximum length of a value that is stored, in characters. */
const MAX_LENGTH = 500

/** Stores the exchanges whenever the page is left, and restores them once. */
export function keepExchanges(recorder: ExchangeRecorder): void {
  recorder.list.set(restore())
  window.addEventListener('pagehide', () => store(recorder.list.value))
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

function store(exchanges: readonly Exchange[]): void {
  try {
    if (exchanges.length > 0) sessionStorage.setItem(KEY, JSON.stringify(exchanges.map(withoutSecrets)))
  } catch {
    // Blocked or full: the exchanges end with the page.
  }
}

/** Reads what this page has stored, and removes it. */
function restore(): readonly Exchange[] {
  try {
    const text = sessionStorage.getItem(KEY)
    sessionStorage.removeItem(KEY)
    const stored: readonly Exchange[] = JSON.parse(text ?? '[]')
    return stored
  } catch {
    return []
  }
}
