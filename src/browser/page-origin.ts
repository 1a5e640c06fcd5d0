/** Origin of this page. */

/** The one of the parent in a `srcdoc` frame, whose location has none. Engines before 2017 have only the location. */
export function pageOrigin(): string {
  const { origin }: { origin?: string } = window
  return origin ?? location.origin
}
