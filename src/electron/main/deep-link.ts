/** Which texts are deep links of a sign-in, and which schemes an app may have. Pure. */
import { ConfigurationError } from '../../foundation/errors'

/** RFC 3986 section 3.1 in lower case, but for those that browsers and systems act on themselves. */
const SCHEME =
  /^(?!(about|blob|chrome|data|devtools|file|ftp|https?|javascript|mailto|ms-.*|tel|vbscript|view-source|wss?)$)[a-z][a-z\d+.-]{1,63}$/
/** As long as a callback may be. */
const MAX_LENGTH = 8192

/** @throws ConfigurationError `invalid_argument` for what is no scheme, or none that an app can have for itself. */
export function requireScheme(scheme: unknown): string {
  if (typeof scheme === 'string' && SCHEME.test(scheme)) return scheme
  throw new ConfigurationError('invalid_argument', 'scheme')
}

/** Whether a text is `<scheme>:/authorize/callback` with a query; `<scheme>:///` is understood too, any other authority is not (RFC 8252 section 7.1). */
export function isCallbackLink(text: unknown, scheme: string): text is string {
  if (typeof text !== 'string' || text.length > MAX_LENGTH) return false
  return [':/', ':///'].some((slashes) => text.startsWith(`${scheme}${slashes}authorize/callback?`))
}

/** The deep link among the arguments of a process. It need not be the last, and nothing else there is looked at. */
export function findLink(argv: readonly unknown[], scheme: string): string | undefined {
  return argv.find((argument): argument is string => isCallbackLink(argument, scheme))
}
