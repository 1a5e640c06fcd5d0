/** The one list of what is secret in a request or a response: names of fields, and forms of values. */

/** Replaces a secret, as in the SDK's logs. */
export const MASK = '[secret]'

/** Names in lower case, without separators: `code_verifier`, `code-verifier` and `codeVerifier` are one. */
const NAMES: ReadonlySet<string> = new Set([
  'code',
  'state',
  'nonce',
  'sid',
  'sig',
  'otp',
  'pin',
  'jwt',
  'auth',
  'session',
  'totp',
  'mfa',
  'hmac',
  'bearer',
  'pwd',
  'idtokenhint',
  'connectionproof',
  'filename',
])
const ENDINGS =
  /(?:tokens?|tickets?|verifier|signature|assertion|auth|authorization|credentials?|cookies?|pass|pwd|passphrase|jwt|otp|code|(?:api|access|auth|encryption|hmac|master|private|secret|service|shared|signing)key|session(?:id|key)|ed)$/
const PARTS = /secret|password|passwd|passcode|captcha|^x?auth(?!or|en)|^mfa/
/** Names with such a part that say something about a secret, and contain none. */
const PUBLIC_ENDINGS =
  /(?:supported|endpoint|type|typehint|expiresin|expiresat|method|methods|(?:status|error|exit|close|country|language|currency|postal|zip)code)$/

/** Headers that hold no secret, or one in an address, whose fields are looked at. The values of all others are masked. */
const PUBLIC_HEADERS =
  /^(?:accept(?:-[a-z]+)*|access-control-[a-z-]+|age|allow|alt-svc|cache-control|connection|content-[a-z-]+|cross-origin-[a-z-]+|date|dnt|etag|expect|expires|forwarded|host|if-[a-z-]+|keep-alive|last-modified|link|location|origin|permissions-policy|pragma|priority|range|referer|referrer-policy|retry-after|sec-(?:ch|fetch)-[a-z-]+|sec-gpc|sec-websocket-(?:accept|extensions|key|version)|server|service-worker|strict-transport-security|te|trailer|transfer-encoding|upgrade(?:-[a-z-]+)?|user-agent|vary|via|x-[a-z]+-locale|x-content-type-options|x-emulator-[a-z-]+|x-forwarded-[a-z]+|x-frame-options|x-ratelimit-[a-z-]+|x-requested-with)$/i

/** True for a header whose value may be shown, unless a field in it is secret. */
export const isPublicHeader = (name: string): boolean => PUBLIC_HEADERS.test(name)

/** True for the name of a field, parameter, header or form part with a secret value, however it is written or encoded. */
export function isSecretName(name: string): boolean {
  const plain = decodeFully(name).toLowerCase()
  return [plain, ...plain.split(/[[\].]+/)].some((part) => isSecret(lettersOf(part)))
}

/** Without separators and a number at the end. */
const lettersOf = (name: string): string => name.replaceAll(/[^\da-z]/g, '').replace(/(?<!\d)\d{1,4}$/, '')

function isSecret(name: string): boolean {
  if (NAMES.has(name)) return true
  return (ENDINGS.test(name) || PARTS.test(name)) && !PUBLIC_ENDINGS.test(name)
}

/** A name may be encoded several times. */
function decodeFully(name: string): string {
  let text = name
  for (let pass = 0; pass < 4; pass++) {
    const decoded = text.replaceAll(/%([\da-f]{2})/gi, (_all, digits: string) =>
      String.fromCharCode(Number.parseInt(digits, 16)),
    )
    if (decoded === text) return text
    text = decoded
  }
  return text
}

/** Segments of a path that work once, of sign-ins, device codes, interactions and their webhooks. */
const ONE_TIME =
  /^(\/oauth2\/(?:authorize|sign-in)|\/activate|\/api\/v10\/(?:interactions|webhooks)\/\d+)\/[\w-]+(?=$|\/(?:callback|messages)\b)/

/** The same segments of an address in any text. */
const ONE_TIME_ANYWHERE =
  /(\/oauth2\/(?:authorize|sign-in)|\/activate|\/(?:interactions|webhooks)\/\d+)\/[\w-]{6,}/g

/** Forms of secrets, whatever their name: tokens of an emulator, JSON Web Tokens, and credentials behind their scheme. */
const FORMS: readonly (readonly [form: RegExp, replacement: string])[] = [
  [/emu_[a-z]+_[\w-]{16,}/g, MASK],
  [/eyJ[\w-]{8,}(?:(?:\.|%2e)[\w-]*)*/gi, MASK],
  [/\b(Bearer|Bot|Basic|DPoP)((?:\s|\+|%20)+)[\w.~+/=%-]{12,}/gi, `$1$2${MASK}`],
  [ONE_TIME_ANYWHERE, '$1/:id'],
]

/** Replaces the segments of a path that work once by `:id`, and other secrets by `[secret]`. */
export function maskPath(path: string): string {
  return maskForms(path.replace(ONE_TIME, '$1/:id'))
}

/** Replaces values that are recognizably secret. */
export function maskForms(text: string): string {
  return FORMS.reduce((masked, [form, replacement]) => masked.replaceAll(form, replacement), text)
}
