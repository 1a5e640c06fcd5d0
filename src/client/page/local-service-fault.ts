/** Detects that a service on this machine is down or refuses the request. Loaded by pages of this machine only, during development. */
import { systemClock } from '../../shared/foundation/clock'
import { isRecord } from '../../shared/foundation/untrusted-values'
import type { FoyerError } from '../../shared/foundation/errors'
import { authorizationErrorFrom, ruleOf } from '../../shared/foundation/oauth-errors'
import { toNetworkError } from '../../shared/http/http-client'

export interface LocalCheck {
  /** Authorize URL of the popup. */
  url: string
  /** Aborts when the attempt has ended. */
  signal: AbortSignal
}

/** Path of the authorize page at the emulator, and by default. */
const OWN_PAGE = '/oauth2/authorize'

/** Returns undefined if the service runs and accepts the request. */
export async function findLocalServiceFault({ url, signal }: LocalCheck): Promise<FoyerError | undefined> {
  const { origin, pathname, search } = new URL(url)
  const request: RequestInit = {
    signal,
    credentials: 'omit',
    redirect: 'manual',
    referrerPolicy: 'no-referrer',
  }
  // Another service has another page, and no such check.
  if (pathname === OWN_PAGE) {
    const checked = await fetch(`${origin}/.well-known/authorize-check${search}`, request)
      .then(readRefusal)
      .catch(() => undefined)
    if (checked) return checked.refusal
  }
  // The service is another one, is down, or allows no cross-origin reads. Browsers reject `no-cors` without `follow`.
  const wasBlocked = watchPolicy(origin)
  const isThere = await fetch(origin, { ...request, mode: 'no-cors', redirect: 'follow' }).then(
    () => true,
    () => false,
  )
  const isBlocked = await wasBlocked()
  if (isThere) return undefined
  return toNetworkError(undefined, `GET ${pathname}`, {
    remedy: isBlocked
      ? `The Content Security Policy of this page forbids it: add ${origin} to connect-src`
      : `Nothing answers at ${origin}: start the emulator`,
  })
}

/** Returns a function that stops watching, and resolves with true if the page's own policy has refused a request to the origin. */
function watchPolicy(origin: string): () => Promise<boolean> {
  let isBlocked = false
  const note = ({ blockedURI }: { blockedURI: string }): void => {
    isBlocked ||= `${blockedURI}/`.startsWith(`${origin}/`)
  }
  document.addEventListener('securitypolicyviolation', note)
  return async () => {
    // The request fails first, and the browser reports its reason in the next task.
    await new Promise<void>((resolve) => systemClock.after(0, resolve))
    document.removeEventListener('securitypolicyviolation', note)
    return isBlocked
  }
}

async function readRefusal(response: Response): Promise<{ refusal?: FoyerError }> {
  if (response.status < 400 || response.status > 403) return {}
  const body: unknown = await response.json()
  if (!isRecord(body) || typeof body['error'] !== 'string') return {}
  const { error, rule, advice, error_description: description } = body
  const reason = [rule, description].find((text) => typeof text === 'string')
  const full = [rule, advice].filter((text) => typeof text === 'string').join('. ')
  return { refusal: authorizationErrorFrom(error, reason, ruleOf(full)) }
}
