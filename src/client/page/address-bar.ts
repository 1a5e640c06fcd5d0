/** Removes an authorization response from the address bar, so that it does not reach history, referrer or analytics. */
import { isText, isRecord } from '../../shared/foundation/untrusted-values'
import { readRecord } from './stored-attempt'

/** Every authorization response has a `state`. A `code` alone belongs to the game, for example in an invitation link. */
const RESPONSE = /[?#&](state|access_token|id_token)=/
/** On a page for callbacks only, a response without `state` counts too. */
const ANY_RESPONSE = /[?#&](code|error|state|access_token|id_token)=/
/** Parameters of a response. This client requests no tokens in callbacks, but removes them because they are secrets. */
const PARAMETERS = [
  'code',
  'state',
  'iss',
  'error',
  'error_description',
  'error_uri',
  'access_token',
  'id_token',
  'refresh_token',
]

/** Response in the address bar. */
export interface OwnResponse {
  /** URL of the page with the response. */
  url: string
  /** Redirect URI that was sent. */
  redirectUri: string
}

/** Other clients that may be asked for the response in the address bar. */
export type Elsewhere = 'other client' | 'other window'

/**
 * Returns the response in the address bar if its attempt belongs to this client, and removes it there synchronously. The record of the
 * attempt decides, not the names of parameters: other services use them too. `other
 * client`: it belongs to another client of this browser. `other window`: perhaps to the game that has opened this window. Undefined: nobody's response, which stays in the address bar, or one that was used before, which is removed.
 */
export function takeOwnResponse(owner: string): OwnResponse | Elsewhere | undefined {
  if (typeof document !== 'object') return undefined
  const { href, search, hash, origin, pathname } = location
  const state = responseState(href)
  if (state === undefined) return undefined
  const { owner: pending, isUsed, isPopup, page, redirectUri, returnTo } = readRecord(state)
  if (isPopup || (pending === undefined && hasOwnOpener())) return 'other window'
  if (pending === undefined) return undefined
  if (pending !== owner) return 'other client'
  const isRestored = isText(page, /^[?#]/)
  replaceAddress(isRestored ? pageAddress(page) : withoutResponse(href))
  if (isUsed || !isText(redirectUri, /./)) return undefined
  // The callback page has passed the response on, because no window waited for it.
  if (returnTo === origin + pathname) return { url: new URL(search, redirectUri).href, redirectUri }
  // A restored fragment belongs to the page, not to the response.
  return {
    url:
      isRestored && isText(page, /#/) && page.endsWith(hash)
        ? href.slice(0, href.length - hash.length)
        : href,
    redirectUri,
  }
}

/** Returns the URL of a callback page if it contains any response, and removes that from the address bar. */
export function takeAnyResponse(): string | undefined {
  const { href, search, hash } = location
  if (!ANY_RESPONSE.test(search + hash)) return undefined
  replaceAddress(withoutResponse(href, ANY_RESPONSE))
  return href
}

/** Removes the response from the address bar. */
export function removeResponse(): void {
  replaceAddress(withoutResponse(location.href))
}

/** Pages of other origins cannot be read. */
function hasOwnOpener(): boolean {
  try {
    const opener: Window | null = window.opener
    return opener?.location.origin === location.origin
  } catch {
    return false
  }
}

/** Returns the `state` of the response in a URL; undefined without one. */
export function responseState(address: string): string | undefined {
  const { search, hash } = new URL(address)
  const texts = [search, hash].filter((text) => RESPONSE.test(text))
  return (
    texts.map((text) => new URLSearchParams(text.slice(1)).get('state')).find((state) => state !== null) ??
    undefined
  )
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

/** Replaces the address, and tells routers, which have read it when they were created: they would write the response back. */
export function replaceAddress(url: URL): void {
  const response = location.search + location.hash
  const state = mapTexts(history.state, (text) => text.split(response).join(url.search + url.hash))
  history.replaceState(state, '', url)
  window.dispatchEvent(new PopStateEvent('popstate', { state: history.state }))
}

/** A state may contain itself. */
const MAX_DEPTH = 8

/** Returns a copy of the state with other texts. Only plain objects and lists are copied; everything else stays. */
function mapTexts(state: unknown, change: (text: string) => string, depth = 0): unknown {
  if (typeof state === 'string') return change(state)
  if (depth > MAX_DEPTH) return state
  const changed = (value: unknown) => mapTexts(value, change, depth + 1)
  if (Array.isArray(state)) return state.map(changed)
  if (!isRecord(state) || Object.getPrototypeOf(state) !== Object.prototype) return state
  return Object.fromEntries(Object.entries(state).map(([name, value]) => [name, changed(value)]))
}
