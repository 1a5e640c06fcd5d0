/** Content policy of the site: own files, and inline scripts by their hashes. */
import { createHash } from 'node:crypto'

const INLINE_SCRIPT = /<script(?![^>]*\ssrc=)[^>]*>(.*?)<\/script>/gs

/** Returns the policy that allows exactly the inline scripts of the pages. */
export function contentPolicy(pages: readonly string[]): string {
  const scripts = new Set(
    pages.flatMap((page) => [...page.matchAll(INLINE_SCRIPT)].map(([, code = '']) => code)),
  )
  const hashes = [...scripts].map((code) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`)
  return [
    "default-src 'self'",
    ["script-src 'self'", ...hashes.toSorted()].join(' '),
    // Icons of the theme are data URLs in its style sheet.
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "object-src 'none'",
  ].join('; ')
}
