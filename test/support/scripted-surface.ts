/** Surfaces without a window, whose callback the test chooses. */
import type { AuthorizationSurface } from 'foyer-sdk'

export const REDIRECT_URI = 'http://127.0.0.1:7777/callback'

export interface ScriptedSurface extends AuthorizationSurface {
  /** Every authorize URL that was opened. */
  readonly opened: URL[]
}

/** Completes each authorize URL with the callback URL that `respond` returns. */
export function scriptedSurface(
  respond: (url: URL) => string | Promise<string>,
  redirectUri: string = REDIRECT_URI,
): ScriptedSurface {
  const opened: URL[] = []
  return {
    opened,
    redirectUri: () => redirectUri,
    async open(url) {
      opened.push(new URL(url))
      return respond(new URL(url))
    },
  }
}

/** Never completes: the attempt waits for `handleCallback`, a cancel or its deadline. */
export function silentSurface(extra: Partial<AuthorizationSurface> = {}): ScriptedSurface {
  return { ...scriptedSurface(() => new Promise<string>(() => undefined)), ...extra }
}

/** Returns the callback URL for an authorize URL as the service would, with some parameters changed or (undefined) omitted. */
export function callbackTo(url: URL, changes: Record<string, string | undefined> = {}): string {
  const parameters = {
    code: 'the-code',
    state: url.searchParams.get('state') ?? '',
    iss: 'https://service.test',
    ...changes,
  }
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, value)
  return `${url.searchParams.get('redirect_uri')}?${query}`
}
