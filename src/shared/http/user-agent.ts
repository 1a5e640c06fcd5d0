/** The `User-Agent` header, in the format that the service requires of libraries (docs/interface/README.md#requests). */
import { isPage } from '../foundation/platform'

/** Version of the package; a test compares it with package.json. */
const VERSION = '0.1.0'
const URL_OF_PACKAGE = 'https://www.npmjs.com/package/foyer-sdk'

/**
 * `ServiceBot (https://…, 0.1.0)`, with the deployment's brand. Undefined in a page: Firefox and WebKit would ask for the header in a
 * preflight, and the service's list of allowed headers does not contain it.
 */
export function userAgent(brand: string): string | undefined {
  return isPage() ? undefined : `${capitalized(brand)}Bot (${URL_OF_PACKAGE}, ${VERSION})`
}

/** The brand in the form used in header names: `X-Service-Locale`. */
export function capitalized(brand: string): string {
  return brand.slice(0, 1).toUpperCase() + brand.slice(1)
}
