/** The headers of every page: no foreign script runs, nothing is loaded from elsewhere, nothing frames it. */

export const stylePath = '/assets/pages.css'
export const consentScript = '/assets/consent.js'

/** A browser applies `form-action` to the redirects that follow a form, too: the page's answer must be able to leave for `target`. */
export function pagePolicy(target?: string): string {
  const formAction = target === undefined ? "'self'" : `'self' ${target}`
  return `default-src 'none'; style-src 'self'; img-src 'self'; form-action ${formAction}; frame-ancestors 'none'; base-uri 'none'`
}

/** The consent page's script asks the emulator, and then the page itself, whether the page is there that the answer goes to. */
export function consentPolicy(target?: string): string {
  const connect = target?.startsWith('http') === true ? `'self' ${target}` : "'self'"
  return `${pagePolicy(target)}; script-src 'self'; connect-src ${connect}`
}

/** The part of a redirect URI that a content security policy can name: an origin, or the scheme of an application. */
export function policySource(redirectUri: string): string | undefined {
  const url = URL.parse(redirectUri)
  if (url === null) return undefined
  return url.protocol === 'http:' || url.protocol === 'https:' ? url.origin : url.protocol
}
