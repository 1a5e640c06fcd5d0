/** Removes an authorization response from the address bar, so that it does not reach history, referrer or analytics. */
import { isText } from '../foundation/guard-untrusted-values'
import { readRecord } from './get-attempt-from-session-storage'

/** Every authorization response has a `state`. A `code` alone belongs to the game, for example in an invitation link. */
const RESPONSE = /[?#&](state|access_token|id_token)=/
/** On a page for callbacks only, a response without `state` counts too. */
export const ANY_RESPONSE = /[?#&](code|error|state|access_token|id_token)=/
/** Parameters of a response. This client requests no tokens in callbacks, but removes them because they are secrets. */
const PARAMETERS = ['code', 'state', 'iss', 'error', 'error_description', 'error_uri', 'access_token', 'id_token', 'refresh_token']

export interface TakeOptions {
  /** Client that takes the response. Default: none, for a callback page, which forwards every response. */
  owner?: string
  pattern?: RegExp
}

/**
 * Returns the URL of the page if it contains an authorization response, otherwise undefined. Cleans the address bar synchronously, and
 * restores query and fragment of the page that was left, if known. With an `owner`, a response to another client's attempt stays in the
 * address bar, and the function returns null.
 */
export function takeCallbackUrl({ owner, pattern = RESPONSE }: TakeOptions = {}): string | undefined | null {
  if (typeof document !== 'object') return undefined
  const { href, hash } = location
  const state = responseState(href, pattern)
  if (state === undefined) return undefined
  const { owner: pending, page } = owner === undefined ? {} : readRecord(state)
  if (pending !== undefined && pending !== owner) return null
  history.replaceState(history.state, '', isText(page, /^[?#]/) ? pageAddress(page) : withoutResponse(href, pattern))
  // A restored fragment belongs to the page, not to the response.
  return isText(page, /#/) && page.endsWith(hash) ? href.slice(0, href.length - hash.length) : href
}

/** Returns the `state` of the response in a URL; undefined without a response, empty for a response without `state`. */
export function responseState(address: string, pattern = RESPONSE): string | undefined {
  const { searchParams, search, hash } = new URL(address)
  return pattern.test(search + hash) ? (searchParams.get('state') ?? '') : undefined
}

/** Returns a URL without its authorization response. */
export function withoutResponse(address: string, pattern = RESPONSE): URL {
  const url = new URL(address)
  const { search, hash } = url
  if (pattern.test(search + hash)) for (const name of PARAMETERS) url.searchParams.delete(name)
  if (pattern.test(hash)) url.hash = ''
  return url
}

/** Returns the URL of this page with another query and fragment. */
export function pageAddress(page: string): URL {
  return new URL(page, location.origin + location.pathname)
}
