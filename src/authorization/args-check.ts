/** What is wrong with a sign-in's arguments: every fault at once, before a window opens. */
import type { Issue } from '../foundation/errors'
import { toApplicationId } from '../foundation/ids'
import { AuthorizationArgs, type AuthorizationArgsFields } from './args'

/** RFC 6749 appendix A.4: scope tokens divided by single spaces. */
const SCOPES = /^[!#-[\]-~]+(?: [!#-[\]-~]+)*$/
/** RFC 6749 appendix A.5, with a bound. */
const VISIBLE = /^[ -~]{1,512}$/
/** RFC 7636 section 4.2: an unpadded SHA-256 in base64url. */
const CHALLENGE = /^[\w-]{43}$/
/** RFC 3986 section 3.1 in lower case, as operating systems register them. */
const SCHEME = /^[a-z][a-z\d+.-]{1,63}$/
/** Schemes that browsers or systems act on themselves. */
const TAKEN_SCHEME =
  /^(?:about|blob|chrome|chrome-extension|content|data|devtools|edge|file|filesystem|ftp|https?|intent|jar|javascript|mailto|ms-.*|res|sms|tel|vbscript|view-source|wss?|x-.*)$/

/** Pure; never throws, whatever it is given. */
export function argumentIssues(args: AuthorizationArgsFields): Issue[] {
  if (args instanceof AuthorizationArgs && !args.isValid()) return [issue('', 'invalid_object', 'nullobj, or moved away')]
  const { clientId, scopes, state, nonce, codeChallenge, integrationType, customSchemeParam } = args
  const faults: (Issue | false)[] = [
    clientId !== undefined &&
      !toApplicationId(clientId) &&
      issue('clientId', 'invalid_id', 'must be a decimal string or a bigint below 2^64; a number loses digits'),
    !(typeof scopes === 'string' && scopes.trim()) && issue('scopes', 'required', 'name at least one scope'),
    typeof scopes === 'string' &&
      !!scopes.trim() &&
      !SCOPES.test(scopes) &&
      issue('scopes', 'invalid_scopes', 'must be scopes divided by single spaces'),
    !isText(state) && issue('state', 'invalid_text', 'must be 1 to 512 visible ASCII characters'),
    !isText(nonce) && issue('nonce', 'invalid_text', 'must be 1 to 512 visible ASCII characters'),
    codeChallenge !== undefined &&
      !(codeChallenge?.method === 'S256' && CHALLENGE.test(codeChallenge.challenge)) &&
      issue('codeChallenge', 'invalid_challenge', "must be { method: 'S256', challenge } with 43 base64url characters"),
    integrationType !== undefined &&
      integrationType !== 0 &&
      integrationType !== 1 &&
      issue('integrationType', 'unknown_value', 'must be 0 or 1'),
    customSchemeParam !== undefined &&
      !isScheme(customSchemeParam) &&
      issue('customSchemeParam', 'invalid_scheme', 'must be a URI scheme of the game alone: a-z, then a-z 0-9 + . -'),
  ]
  return faults.filter((fault) => fault !== false)
}

/** Whether a name may be a game's own URI scheme. */
export function isScheme(name: unknown): boolean {
  return typeof name === 'string' && SCHEME.test(name) && !TAKEN_SCHEME.test(name)
}

function isText(value: unknown): boolean {
  return value === undefined || (typeof value === 'string' && VISIBLE.test(value))
}

function issue(path: string, code: string, message: string): Issue {
  return { path, code, message, params: {}, level: 'error' }
}
