/** Finds out why a frame of the host page may stay silent, as far as the game's own server shows it. */

export interface Framing {
  /** The game's page. */
  game: URL
  /** The origin of the host page, which frames it. */
  host: string
  /** The origin under which the frame opens it. */
  frame: string
}

/** ms. A server on this machine answers sooner, or not at all. */
const patience = 3000

/** What keeps the game from being shown, as one sentence with what to do; undefined when its server shows nothing wrong. */
export async function findFrameProblem(framing: Framing): Promise<string | undefined> {
  const { game } = framing
  const answer = await fetch(game, { signal: AbortSignal.timeout(patience), headers: { accept: 'text/html' } }).catch(() => undefined)
  await answer?.body?.cancel()
  if (answer === undefined) return `Nothing answers at ${game.origin}. Start the game’s own server, or set the address of the game anew.`
  if (!answer.ok) return `The game’s server answers ${answer.status} for ${game.href}. Check the address of the game.`
  return framingProblem(answer.headers, framing)
}

function framingProblem(headers: Headers, { game, host, frame }: Framing): string | undefined {
  const ancestors = /(?:^|;)\s*frame-ancestors\s+([^;]*)/i.exec(headers.get('content-security-policy') ?? '')?.[1]
  const allow = `Let ${host} frame it.`
  if (ancestors !== undefined)
    return admits(ancestors, { host, frame }) ? undefined : `The game’s Content-Security-Policy forbids this page to frame it. ${allow}`
  const option = headers.get('x-frame-options')?.trim().toLowerCase()
  if (option === 'deny' || (option === 'sameorigin' && host !== frame))
    return `The game’s X-Frame-Options header forbids this page to frame ${game.origin}. ${allow}`
  return undefined
}

/** Reads a source list broadly: a wrong suspicion would mislead more than silence. */
function admits(sources: string, { host, frame }: Pick<Framing, 'host' | 'frame'>): boolean {
  const words = sources.trim().toLowerCase().split(/\s+/)
  const fits = (word: string) => word === '*' || word === 'http:' || word.includes('localhost:*') || host === word.replace(/\/$/, '')
  return words.some(fits) || (words.includes("'self'") && host === frame)
}
