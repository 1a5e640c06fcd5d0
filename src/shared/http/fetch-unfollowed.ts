/** Sends a request to its address and nowhere else: no redirect is followed, and no cookie is brought. A failure of the platform becomes an error of the SDK. */
import { cleanCause } from '../foundation/error-text'
import { NetworkError, type ErrorDetails, FoyerError } from '../foundation/errors'
import { isPage } from '../foundation/platform'
import { ownFields, isRecord } from '../foundation/untrusted-values'

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

// Failures of the platform's `fetch`.

/** Browsers do not tell a page why a request failed. */
const IN_PAGE = 'Is the service running, and do the Content Security Policy (connect-src) and CORS allow it?'
/** Codes of Node, Bun, Deno and Electron, and what to do. */
const BY_CODE: readonly (readonly [RegExp, string])[] = [
  [
    /^(ENOTFOUND|EAI_AGAIN|ERR_NAME_NOT_RESOLVED)$/,
    'The host name has no address: check service.host, and the DNS of this machine',
  ],
  [
    /^(ECONNREFUSED|ConnectionRefused|ERR_CONNECTION_REFUSED)$/,
    'Nothing listens there: start the service, or correct the port of service.host',
  ],
  [
    /^ERR_CERT/,
    "The service's certificate is not trusted: check the host, or add its authority to those of the system",
  ],
  [/^ERR_(PROXY|TUNNEL)/, "The system's proxy does not connect: check its settings"],
  [
    /CERT|SELF_SIGNED|^UNABLE_TO_|^ERR_TLS/,
    "The service's certificate is not trusted: check the host, or give its authority in NODE_EXTRA_CA_CERTS",
  ],
]

/**
 * Wraps an unknown failure in NetworkError `connection_failed`. Errors of the SDK are returned as they are. `route` is a method and a path,
 * never a full URL.
 */
export function toNetworkError(
  error: unknown,
  route: string,
  details?: Pick<ErrorDetails, 'remedy'>,
): FoyerError {
  if (error instanceof FoyerError) return error
  return new NetworkError('connection_failed', route, { cause: error, remedy: remedyFor(error), ...details })
}

function remedyFor(error: unknown): string {
  const code = systemCode(error)
  if (code === undefined) return isPage() ? IN_PAGE : `Is the service running? (${reasonOf(error)})`
  return `${BY_CODE.find(([pattern]) => pattern.test(code))?.[1] ?? 'Is the service running?'} (${code})`
}

/** The innermost cause in one line, for example what a runtime does not support. */
function reasonOf(error: unknown): string {
  let reason = cleanCause(error)
  while (reason instanceof Error && reason.cause instanceof Error) reason = reason.cause
  return String(reason)
}

/** `fetch` of Node reports the code in the cause. */
function systemCode(error: unknown, depth = 0): string | undefined {
  if (!isRecord(error) || depth > 3) return undefined
  const { code, cause } = error
  return typeof code === 'string' && /^[\w-]{3,64}$/.test(code) ? code : systemCode(cause, depth + 1)
}
