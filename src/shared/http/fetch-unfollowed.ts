/** Sends a request to its address and nowhere else: no redirect is followed, and no cookie is brought. */
import { NetworkError } from '../foundation/errors'
import { isPage } from '../foundation/platform'
import { ownFields } from '../foundation/untrusted-values'

/** The part of `fetch` that the SDK uses. */
export type Fetch = (input: string, init: RequestInit) => Promise<Response>

const REDIRECTS: ReadonlySet<number> = new Set([0, 301, 302, 303, 307, 308])

/**
 * Calls `fetch` once. In a page, the browser refuses a redirect without its status. Everywhere else `manual` shows the status, and some runtimes
 * (Workers) know no other way.
 * @throws NetworkError `redirected`, with the status and never with the address. @throws whatever `fetch` rejects with.
 */
export async function fetchUnfollowed(
  fetch: Fetch,
  { url, route }: { url: string; route: string },
  init: RequestInit,
): Promise<Response> {
  const redirect = isPage() ? 'error' : 'manual'
  // Own fields only: the platform reads inherited ones too, such as `integrity`, `keepalive` or `mode`.
  const own = ownFields({ ...init, redirect, credentials: 'omit', referrerPolicy: 'no-referrer' } as const)
  const response = await fetch(url, own)
  try {
    refuseRedirect(response.status, route)
  } catch (error) {
    void response.body?.cancel().catch(() => undefined)
    throw error
  }
  return response
}

/** For every transport. Status 0 is a redirect whose status the runtime hides. @throws NetworkError `redirected`. */
export function refuseRedirect(status: number, route: string): void {
  if (REDIRECTS.has(status)) throw new NetworkError('redirected', `${route} ${status}`, { retryable: false })
}
