/** Describes why a redirect URI matches none of the registered ones. */

export interface Mismatch {
  rule: string
  advice: string
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

export function redirectMismatch(received: string, registered: string[]): Mismatch {
  const url = URL.parse(received)
  if (url === null) return { rule: 'redirect_uri is not an absolute URL', advice: 'Write it in full, with its scheme.' }
  const candidates = registered.flatMap((uri) => URL.parse(uri) ?? [])
  const sameScheme = candidates.filter((uri) => uri.protocol === url.protocol)
  if (sameScheme.length === 0) return { rule: 'redirect_uri scheme is not registered', advice: schemeAdvice(url) }
  return isWeb(url) ? webMismatch(url, sameScheme) : schemeMismatch(url, sameScheme)
}

function webMismatch(url: URL, candidates: URL[]): Mismatch {
  const sameHost = candidates.filter((uri) => uri.hostname === url.hostname)
  if (sameHost.length === 0)
    return {
      rule: 'redirect_uri host is not registered',
      advice: `No registered redirect URI is on ${url.hostname}; localhost and 127.0.0.1 are two hosts. Open the game as http://localhost:PORT on this machine, or register its address as below.`,
    }
  const samePath = sameHost.filter((uri) => uri.pathname === url.pathname)
  if (samePath.length === 0) return { rule: 'redirect_uri path is not the registered one', advice: pathAdvice(url, sameHost) }
  if (!samePath.some((uri) => uri.port === url.port) && !LOOPBACK.has(url.hostname)) {
    return { rule: 'redirect_uri port is not the registered one', advice: 'The port is ignored on loopback hosts only.' }
  }
  return {
    rule: 'redirect_uri is not equal to the registered one',
    advice: 'It is compared character by character: look at the query, the case and the encoding.',
  }
}

function schemeAdvice({ protocol }: URL): string {
  const hint = `No registered redirect URI begins with ${protocol}`
  return protocol === 'file:'
    ? `${hint}. Serve the game by a web server, for example with npx vite, and open it as http://localhost:PORT.`
    : hint
}

function schemeMismatch(url: URL, candidates: URL[]): Mismatch {
  const slashes = candidates.some((uri) => bare(uri) === bare(url))
  if (slashes)
    return {
      rule: 'redirect_uri has another number of slashes than the registered one',
      advice: `Write it with one slash after the colon: ${url.protocol}/authorize/callback`,
    }
  return {
    rule: 'redirect_uri path is not the registered one',
    advice: 'A redirect URI of a custom scheme is compared character by character.',
  }
}

function pathAdvice(url: URL, candidates: URL[]): string {
  const slash = candidates.some((uri) => withoutSlash(uri.pathname) === withoutSlash(url.pathname))
  if (slash) return 'They differ in the slash at the end.'
  const letters = candidates.some((uri) => uri.pathname.toLowerCase() === url.pathname.toLowerCase())
  return letters ? 'They differ in upper and lower case.' : 'The path is compared character by character.'
}

function isWeb(url: URL): boolean {
  return url.protocol === 'http:' || url.protocol === 'https:'
}

function withoutSlash(path: string): string {
  return path.replace(/\/$/, '')
}

function bare(url: URL): string {
  return url.href.slice(url.protocol.length).replace(/^\/+/, '')
}
