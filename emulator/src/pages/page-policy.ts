/** Content security policies of the pages: no foreign scripts, resources or frames. */

export const STYLE_PATH = '/assets/pages.css'
export const LOOK_PATH = '/assets/look.css'
export const TOKENS_PATH = '/assets/tokens.css'
export const CONSENT_SCRIPT = '/assets/consent.js'
export const CONNECTION_SCRIPT = '/assets/lost-connection.js'

/** @param target source that a form's response redirects to: browsers apply `form-action` to redirects as well. */
export function pagePolicy(target?: string): string {
  const formAction = target === undefined ? "'self'" : `'self' ${target}`
  return `default-src 'none'; style-src 'self'; img-src 'self'; form-action ${formAction}; frame-ancestors 'none'; base-uri 'none'; script-src 'self'; connect-src 'self'`
}

/** Policy of the consent page: its script checks, through the emulator and directly, whether the redirect target can be reached. */
export function consentPolicy(target?: string): string {
  const connect = target?.startsWith('http') === true ? `'self' ${target}` : "'self'"
  return pagePolicy(target).replace("connect-src 'self'", `connect-src ${connect}`)
}

/** CSP source of a redirect URI: its origin, or the custom scheme. */
export function policySource(redirectUri: string): string | undefined {
  const url = URL.parse(redirectUri)
  if (url === null) return undefined
  return url.protocol === 'http:' || url.protocol === 'https:' ? url.origin : url.protocol
}
