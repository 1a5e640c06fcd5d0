/** Requests the redirect URI as the browser will after the consent: with a query, and following redirects. */
import { pageOrigin } from './redirect-address'

/** Response of the host at the redirect URI. */
export interface Arrival {
  /** Address after all redirects. */
  url: URL
  /** False if a redirect has lost the query, and with it the response. */
  hasQuery: boolean
  status: number
  headers: Headers
  text: string
}

const PROBE = 'foyer-check'

/** Resolves with undefined if a redirect leads where this page cannot read. Rejects if nothing answers. */
export async function probeCallback(redirectUri: string, signal?: AbortSignal): Promise<Arrival | undefined> {
  const address = new URL(redirectUri)
  for (const name of ['code', 'state']) address.searchParams.set(name, PROBE)
  // Servers choose a page by `Accept`, as for a navigation.
  const request: RequestInit = {
    credentials: 'same-origin',
    headers: { accept: 'text/html,*/*' },
    ...(signal && { signal }),
  }
  try {
    const response = await fetch(address, request)
    const url = new URL(response.url || address)
    const { status, headers } = response
    return {
      url,
      hasQuery: url.searchParams.get('state') === PROBE,
      status,
      headers,
      text: await response.text(),
    }
  } catch (error) {
    const { type } = await fetch(address, { ...request, redirect: 'manual' })
    if (type === 'opaqueredirect') return undefined
    throw error
  }
}

/**
 * Returns a callback URL with the registered redirect URI, if this host redirects that one to where the response has arrived, as with
 * `/callback.html` and `/callback`. Otherwise returns it unchanged, and the check of the redirect URI fails.
 */
export async function toRegisteredUrl(url: string, redirectUri: string): Promise<string> {
  const arrived = new URL(url)
  const [registered = ''] = redirectUri.split('?')
  if (isSamePlace(arrived, new URL(redirectUri)) || !url.startsWith(pageOrigin())) return url
  const probe = await probeCallback(redirectUri).catch(() => undefined)
  return probe?.hasQuery && isSamePlace(arrived, probe.url) ? registered + arrived.search + arrived.hash : url
}

const isSamePlace = (one: URL, other: URL): boolean =>
  one.origin === other.origin && one.pathname === other.pathname
