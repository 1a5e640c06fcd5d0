/** Finds invalid sign-in arguments before a window opens. The messages are in `argument-error.ts`. */
import { isRecord, isText, ownFields } from '../foundation/untrusted-values'
import { toApplicationId } from '../foundation/ids'
import type { AuthorizationArgs, AuthorizationArgsFields } from './authorization-args'

/** Scope tokens separated by single spaces (RFC 6749 appendix A.4). */
const SCOPES = /^[!#-[\]-~]+( [!#-[\]-~]+)*$/
/** Visible ASCII (RFC 6749 appendix A.5), with a length limit. */
const VISIBLE = /^[ -~]{1,512}$/
/** Unpadded base64url of a SHA-256 (RFC 7636 section 4.2). */
const CHALLENGE = /^[\w-]{43}$/
/** URI scheme in lower case (RFC 3986 section 3.1), except schemes that browsers and operating systems handle themselves. */
const SCHEME = /^(?!(about|blob|data|file|https?|javascript|ms-.*|vbscript|wss?)$)[a-z][a-z\d+.-]{1,63}$/

/** Field name, or `object` for arguments that are no object or were moved. */
export type ArgumentField = keyof AuthorizationArgsFields | 'object'

/** Pure. Never throws, for any value. */
export function findInvalidArguments(args: AuthorizationArgsFields): ArgumentField[] {
  if (!isRecord(args) || isInvalid(args)) return ['object']
  // Absent optional fields count as valid.
  const {
    clientId = '0',
    scopes,
    state = 'any',
    nonce = 'any',
    codeChallenge,
    integrationType = 0,
    customSchemeParam = 'any',
  } = ownFields(args)
  const invalid: (ArgumentField | false)[] = [
    !toApplicationId(clientId) && 'clientId',
    !isText(scopes, SCOPES) && 'scopes',
    !isText(state, VISIBLE) && 'state',
    !isText(nonce, VISIBLE) && 'nonce',
    codeChallenge !== undefined && !isChallenge(codeChallenge) && 'codeChallenge',
    integrationType !== 0 && integrationType !== 1 && 'integrationType',
    !isText(customSchemeParam, SCHEME) && 'customSchemeParam',
  ]
  return invalid.filter((field) => field !== false)
}

/** Checks the method instead of the class, so that games without `AuthorizationArgs` do not load it. */
function isInvalid(args: AuthorizationArgsFields & Partial<Pick<AuthorizationArgs, 'isValid'>>): boolean {
  return args.isValid?.() === false
}

function isChallenge(value: unknown): boolean {
  return isRecord(value) && value['method'] === 'S256' && isText(value['challenge'], CHALLENGE)
}
