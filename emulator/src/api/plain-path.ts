/** Brings the spellings that clients use for one address to the one that the routes know. */

/** `%40me` is `@me`, and `/api/oauth2/` without a version is the current one. Takes and gives the target of a request line. */
export function plainTarget(target: string): string {
  const [path = '', ...query] = target.split('?')
  const plain = path.replaceAll('%40', '@').replace(/^\/api\/oauth2\//, '/api/v10/oauth2/')
  return [plain, ...query].join('?')
}
