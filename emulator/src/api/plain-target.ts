/** Normalizes the spellings that clients use for one path. */

/** Rewrites `%40me` to `@me`, and `/api/oauth2/` without a version to the current version. Expects and returns a request target. */
export function plainTarget(target: string): string {
  const [path = '', ...query] = target.split('?')
  const plain = path.replaceAll('%40', '@').replace(/^\/api\/oauth2\//, '/api/v10/oauth2/')
  return [plain, ...query].join('?')
}
