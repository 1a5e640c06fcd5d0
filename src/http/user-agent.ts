/** How the SDK names itself to the service, in the shape that the service asks of libraries (supplement 0.3). */

/** Of the package; a test compares it with package.json. */
const VERSION = '0.1.0'

/** `ServiceBot (foyer-sdk, 0.1.0)`, with the brand word of the deployment. */
export function userAgent(brand: string): string {
  return `${capitalized(brand)}Bot (foyer-sdk, ${VERSION})`
}

/** The brand word as it stands in header names: `X-Service-Locale`. */
export function capitalized(brand: string): string {
  return brand.slice(0, 1).toUpperCase() + brand.slice(1)
}
