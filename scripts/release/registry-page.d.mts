/** The types of `registry-page.mjs`, for its tests. */
export function registryPage(
  text: string,
  place: { repository: string; folder: string; files: readonly string[] },
): string
export function registryManifest(
  manifest: object,
  place: { repository: string; folder: string },
): Record<string, unknown>
export function packedPage(
  text: string,
  place: { page: string; repository: string; folder: string; files: readonly string[] },
): string
