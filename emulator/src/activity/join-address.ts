/** Address that the service opens when a player accepts an invitation to a game that runs as a page (assumed). */

/** @param joinUrl the game's address, in a folder of its own or at the root. */
export function joinAddress(joinUrl: string, secret: string): string {
  const url = new URL('_service/join', joinUrl.replace(/\/?$/, '/'))
  url.searchParams.set('secret', secret)
  return url.href
}
