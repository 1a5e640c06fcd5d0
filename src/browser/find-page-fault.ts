/** Decides whether a response can arrive at a page, from what the host answers for it. Pure. */
import type { Arrival } from './probe-callback'

const PAGE_TYPES = /^(text\/html|application\/xhtml\+xml)\b/i
const SCRIPT_TYPES = /^(text|application)\/(x-)?(javascript|ecmascript)\b/i
/** Types that browsers refuse for scripts even without `nosniff` (Fetch standard, "should response be blocked due to its MIME type"). */
const NO_SCRIPT_TYPES = /^(image|audio|video)\/|^text\/csv\b/i
const SCRIPT_TAG = /<script\b[^>]*\bsrc\s*=\s*["']?([^"'\s>]*callback\.js[^"'\s>]*)[^>]*>/i
const TYPE_ATTRIBUTE = /\stype\s*=\s*["']?([^"'\s>]*)/i
const EXECUTED = /^(module|(text|application)\/(x-)?(javascript|ecmascript))?$/i

/** Second half of a sentence that begins with the path, with its remedy; undefined without a fault. */
export type Fault = string | undefined

/** Checks the page: `path` is the one of the redirect URI. */
export function findPageFault({ url, hasQuery, headers }: Arrival): Fault {
  const type = headers.get('content-type') ?? ''
  if (!hasQuery)
    return `is redirected to ${url.pathname} without its query, which is the response. Turn that redirect off (clean URLs, trailing slashes), or set redirectUri to an address that is not redirected, and register it`
  if (type ? !PAGE_TYPES.test(type) : isExact(headers))
    return `is sent as ${type || 'no type'}, which browsers do not show as a page. Send it with Content-Type: text/html`
  if (/^\s*attachment\b/i.test(headers.get('content-disposition') ?? ''))
    return 'is sent as a download. Send it without Content-Disposition'
  return isIsolated(headers.get('content-security-policy') ?? '')
    ? 'is sent with Content-Security-Policy: sandbox. Exclude it from that header, or add allow-scripts and allow-same-origin'
    : undefined
}

/** Checks the element that loads the script; a page of the game's own may load it in another way. */
export function findTagFault(text: string): Fault {
  const [tag = ''] = SCRIPT_TAG.exec(text) ?? []
  const [, type = ''] = TYPE_ATTRIBUTE.exec(tag) ?? []
  return EXECUTED.test(type)
    ? undefined
    : `has a script of type ${type.slice(0, 40)}, which an optimizer of the host has changed. Exclude the page from it, with Cloudflare by data-cfasync="false"`
}

/** Returns the address of the script, as the page names it. */
export function scriptAddress({ text, url }: Arrival): URL {
  const [, source = 'callback.js'] = SCRIPT_TAG.exec(text) ?? []
  return new URL(source, url)
}

export function findScriptFault(headers: Headers): Fault {
  const type = headers.get('content-type') ?? ''
  const isRefused = isExact(headers) ? !SCRIPT_TYPES.test(type) : NO_SCRIPT_TYPES.test(type)
  return isRefused ? `is sent as ${type || 'no type'}, which browsers do not run. Send it with Content-Type: text/javascript` : undefined
}

const isExact = (headers: Headers): boolean => /^\s*nosniff\b/i.test(headers.get('x-content-type-options') ?? '')

/** A sandbox takes the origin of the page, or its scripts. */
function isIsolated(policy: string): boolean {
  const directives = policy.split(/[;,]/).map((text) => text.trim().toLowerCase().split(/\s+/))
  return directives.some(
    ([name, ...flags]) => name === 'sandbox' && !['allow-scripts', 'allow-same-origin'].every((flag) => flags.includes(flag)),
  )
}
