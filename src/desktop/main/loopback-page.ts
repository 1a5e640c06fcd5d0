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
  ended: 'If the game still asks for one, start it again there. This page can be closed.',
} as const

const HEADINGS = { received: 'The game has your answer', ended: 'This sign-in is over' } as const

/** As the pages of the emulator look, in both themes. */
const STYLE =
  ':root{color-scheme:light dark}body{font:1rem/1.5 system-ui,sans-serif;display:grid;place-items:center;min-height:100dvh;margin:0;padding:1rem;box-sizing:border-box;background:light-dark(#f3ede2,#14100c);color:light-dark(#241a11,#f4ebdd)}main{max-width:28rem;padding:1.5rem;border:1px solid light-dark(#ded2be,#392f25);border-top:4px solid light-dark(#874600,#f2b04c);border-radius:12px;background:light-dark(#fffcf6,#1d1813)}h1{font-size:1.25rem;margin:0 0 .5rem}p{margin:0}'

export function loopbackPage(which: keyof typeof MESSAGES): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>Sign-in</title><style>${STYLE}</style><main><h1>${HEADINGS[which]}</h1><p>${MESSAGES[which]}</p></main></html>`
}
