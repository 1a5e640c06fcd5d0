/** The `User-Agent` header, in the format that the service requires of libraries (docs/interface/README.md#requests). */

/** Version of the package; a test compares it with package.json. */
const VERSION = '0.1.0'

/** `ServiceBot (foyer-sdk, 0.1.0)`, with the deployment's brand. */
export function userAgent(brand: string): string {
  return `${capitalized(brand)}Bot (foyer-sdk, ${VERSION})`
}

/** The brand in the form used in header names: `X-Service-Locale`. */
export function capitalized(brand: string): string {
  return brand.slice(0, 1).toUpperCase() + brand.slice(1)
}
