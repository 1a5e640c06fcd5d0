/** Checks from outside why a frame of the host page may stay silent. */

export interface Framing {
  /** URL of the game. */
  game: URL
  /** Origin of the host page, which frames the game. */
  host: string
  /** Origin from which the frame loads the game. */
  frame: string
  /** Origin of the chat page, if that frames the host page: browsers ask the game to admit each page around it. */
  chat?: string | undefined
}

/** Milliseconds. A local server responds sooner, or not at all. */
const PATIENCE = 3000

/** One sentence on what prevents framing, and what to do; undefined if the server's response shows no problem. */
export async function findFrameProblem(framing: Framing): Promise<string | undefined> {
  const { game } = framing
  const answer = await fetch(game, { signal: AbortSignal.timeout(PATIENCE), headers: { accept: 'text/html' } }).catch(() => undefined)
  await answer?.body?.cancel()
  if (answer === undefined) return `Nothing answers at ${game.origin}. Start the game’s own server, or set the address of the game anew.`
  if (!answer.ok) return `The game’s server answers ${answer.status} for ${game.href}. Check the address of the game.`
  return framingProblem(answer.headers, framing)
}

function framingProblem(headers: Headers, { game, host, frame, chat }: Framing): string | undefined {
  const ancestors = /(?:^|;)\s*frame-ancestors\s+([^;]*)/i.exec(headers.get('content-security-policy') ?? '')?.[1]
  const around = chat === undefined ? [host] : [host, chat]
  const allow = `Let ${around.join(' and ')} frame it.`
  if (ancestors !== undefined)
    return around.every((page) => admits(ancestors, { host: page, frame }))
      ? undefined
      : `The game’s Content-Security-Policy forbids this page to frame it. ${allow}`
  const option = headers.get('x-frame-options')?.trim().toLowerCase()
  if (option === 'deny' || (option === 'sameorigin' && around.some((page) => page !== frame)))
    return `The game’s X-Frame-Options header forbids this page to frame ${game.origin}. ${allow}`
  return undefined
}

/** Matches a CSP source list leniently: a wrong warning would mislead more than none. */
function admits(sources: string, { host, frame }: Pick<Framing, 'host' | 'frame'>): boolean {
  const words = sources.trim().toLowerCase().split(/\s+/)
  const fits = (word: string) =>
    word === '*' || word === 'http:' || (word.includes('localhost:*') && host.includes('//localhost')) || host === word.replace(/\/$/, '')
  return words.some(fits) || (words.includes("'self'") && host === frame)
}
