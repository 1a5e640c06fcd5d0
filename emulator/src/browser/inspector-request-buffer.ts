/** Numbers requests in the order of arrival, and keeps the newest ones. */
import type { LoggedRequest } from '../server/request-log.js'
import type { ListedRequest } from './inspector-data.js'

/** Requests that stay in the page. */
const CAPACITY = 5000
let serial = 0

export function appendRequests(known: ListedRequest[], added: LoggedRequest[]): ListedRequest[] {
  return [...known, ...added.map((request) => ({ ...request, serial: ++serial }))].slice(-CAPACITY)
}
