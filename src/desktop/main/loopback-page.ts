/** Page shown in the system browser after the callback: fixed content, no script, no request data. */

export const RESPONSE_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
} as const

/** A page cannot close a tab that it did not open; the text asks the player to do it. */
const MESSAGES = {
  received: 'Go back to the game. This page can be closed.',
  ended:
    'This sign-in is over. If the game still asks for one, start it again there. This page can be closed.',
} as const

export function loopbackPage(which: keyof typeof MESSAGES): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>Sign-in</title><style>body{font:1.2rem system-ui,sans-serif;display:grid;place-content:center;min-height:90vh;padding:0 2rem;text-align:center}</style><p>${MESSAGES[which]}</p></html>`
}
