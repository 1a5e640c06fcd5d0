/** Maps failures of the platform's `fetch` to errors of the SDK. */
import { cleanCause } from './error-text'
import { type ErrorDetails, FoyerError, NetworkError } from './errors'
import { isRecord } from './untrusted-values'
import { isPage } from './platform'

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
