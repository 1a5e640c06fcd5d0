/** The one answer to a page that the player's browser opened and that has nothing to show: a redirect to a page of the game. Pure. */

export interface Leaving {
  /** Path of the game's own site. */
  readonly to: string
  /** Code of the error, which the page finds in the parameter `session_error`. */
  readonly reason?: string
}

export function leavePage({ to, reason }: Leaving): Response {
  return new Response(null, {
    status: 303,
    headers: {
      location: reason === undefined ? to : withReason(to, reason),
      'referrer-policy': 'no-referrer',
    },
  })
}

/** Everything else of the path stays as it was given. */
function withReason(to: string, reason: string): string {
  const { pathname, search, hash } = new URL(to, 'https://game.invalid')
  const rest = search
    .slice(1)
    .split('&')
    .filter((pair) => pair && !pair.startsWith('session_error='))
  return `${pathname}?${[...rest, `session_error=${reason}`].join('&')}${hash}`
}
