/** Names OAuth endpoints in errors: by the interface's path if the address ends with it, otherwise by the configured path. */

const OF_INTERFACE = /\/oauth2\/(token(\/revoke)?|device\/authorize|keys)$/

/** Path without host or query: `/oauth2/token`, or `/realms/game/token` of another service. */
export function endpointRoute(url: string): string {
  const { pathname } = new URL(url)
  return OF_INTERFACE.exec(pathname)?.[0] ?? pathname
}
