/** Links to the manual. */

/** A path in the package. Put an absolute address here once there is a site. */
const ERRORS = 'docs/errors.md'

/** The address of an error's entry. Codes that only repeat an HTTP status share one. */
export function docsLink(code: string): string {
  return `${ERRORS}#${code.replace(/^http_\d+$/, 'http_status')}`
}
