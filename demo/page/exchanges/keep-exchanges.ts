/** Keeps the exchanges over a reload or a redirect, in the storage of the tab and without any secret. */
import { keepList, takeList } from '../foundation/kept-list'
import { type Exchange, type Field, holdsSecret, type Response } from './exchange'
import type { ExchangeRecorder } from './exchange-recorder'

const KEY = 'foyer-demo:exchanges'
/** Calls of the game: names and results, which contain no secret. */
const CALLS = 'foyer-demo:calls'
/** Maximum length of a value that is stored, in characters. */
const MAX_LENGTH = 500

/** Stores the exchanges whenever the page is left, and restores them once. */
export function keepExchanges(recorder: ExchangeRecorder): void {
  recorder.list.value = takeList(KEY, [])
  recorder.calls.value = takeList(CALLS, [])
  window.addEventListener('pagehide', () => {
    keepList(KEY, recorder.list.value.map(withoutSecrets))
    keepList(CALLS, recorder.calls.value)
  })
}

/** Returns the exchange as it may be stored: secrets, long values and bodies that are no JSON are left out. */
export function withoutSecrets(exchange: Exchange): Exchange {
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
  return isSecret || holdsSecret(value) || name === '' || value.length > MAX_LENGTH
    ? { name, value: '', isSecret, isLeftOut: true }
    : field
}
