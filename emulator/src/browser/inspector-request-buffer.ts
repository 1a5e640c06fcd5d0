/** Keeps the newest requests. */
import type { ListedRequest } from './control/inspector-data.js'

/** Requests that stay in the page. */
const CAPACITY = 5000

export function appendRequests(known: ListedRequest[], added: ListedRequest[]): ListedRequest[] {
  return [...known, ...added].slice(-CAPACITY)
}
