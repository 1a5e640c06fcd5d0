/** Which of a sign-in's arguments are unsound: looked at before a window opens. What is wrong with them is told by `args-error.ts`. */
import { isRecord, isText, ownFields } from '../foundation/encoding'
import { toApplicationId } from '../foundation/ids'
import type { AuthorizationArgs, AuthorizationArgsFields } from './args'

/** RFC 6749 appendix A.4: scope tokens divided by single spaces. */
const SCOPES = /^[!#-[\]-~]+( [!#-[\]-~]+)*$/
/** RFC 6749 appendix A.5, with a bound. */
const VISIBLE = /^[ -~]{1,512}$/
/** RFC 7636 section 4.2: an unpadded SHA-256 in base64url. */
const CHALLENGE = /^[\w-]{43}$/
/** RFC 3986 section 3.1 in lower case, as operating systems register them, but for those that browsers and systems act on themselves. */
const SCHEME = /^(?!(about|blob|data|file|https?|javascript|ms-.*|vbscript|wss?)$)[a-z][a-z\d+.-]{1,63}$/

/** `object` stands for the whole: it is none, or was moved away. */
export type ArgumentField = keyof AuthorizationArgsFields | 'object'

/** Pure; never throws, whatever it is given. */
export function findInvalidArguments(args: AuthorizationArgsFields): ArgumentField[] {
  if (!isRecord(args) || isInvalid(args)) return ['object']
  // What is absent counts as something sound.
  const {
    clientId = '0',
    scopes,
    state = 'any',
    nonce = 'any',
    codeChallenge,
    integrationType = 0,
    customSchemeParam = 'any',
  } = ownFields(args)
  const unsound: (ArgumentField | false)[] = [
    !toApplicationId(clientId) && 'clientId',
    !isText(scopes, SCOPES) && 'scopes',
    !isText(state, VISIBLE) && 'state',
    !isText(nonce, VISIBLE) && 'nonce',
    codeChallenge !== undefined && !isChallenge(codeChallenge) && 'codeChallenge',
    integrationType !== 0 && integrationType !== 1 && 'integrationType',
    !isText(customSchemeParam, SCHEME) && 'customSchemeParam',
  ]
  return unsound.filter((field) => field !== false)
}

/** Asked of the object, not of its class: a game without `AuthorizationArgs` need not load it. */
function isInvalid(args: AuthorizationArgsFields & Partial<Pick<AuthorizationArgs, 'isValid'>>): boolean {
  return args.isValid?.() === false
}

function isChallenge(value: unknown): boolean {
  return isRecord(value) && value['method'] === 'S256' && isText(value['challenge'], CHALLENGE)
}
