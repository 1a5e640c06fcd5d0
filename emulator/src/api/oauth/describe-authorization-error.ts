/** Describes why an authorization request was refused. */
import { parseSeed } from '../../check/load-seed.js'
import type { AuthorizationRefusal } from '../../pages/documents/refusal-page.js'
import type { Application } from '../../state/seed/seed.js'

interface Request {
  error: string
  description: string
  parameters: Record<string, string | undefined>
}

/** True for the library's errors about PKCE. They are never redirected to the application. */
export function concernsProofKey(description: string | undefined): boolean {
  return description !== undefined && /code_challenge|PKCE/.test(description)
}

export function describeAuthorizationError(request: Request, application: Application): AuthorizationRefusal {
  const { error, description, parameters } = request
  const base = { error, description }
  if (error === 'invalid_client') return { ...base, ...unknownClient(parameters['client_id'], application) }
  if (error === 'invalid_redirect_uri')
    return { ...base, error: 'invalid_request', ...unregistered(parameters['redirect_uri'], application) }
  if (concernsProofKey(description)) return { ...base, ...proofKey(parameters) }
  const missing = /missing required parameters? (.+)/.exec(description)?.[1]
  if (missing !== undefined)
    return {
      ...base,
      rule: `required parameter missing: ${missing.replaceAll("'", '')}`,
      registered: redirectUris(missing, application),
    }
  return { ...base, rule: description }
}

function unknownClient(
  received: string | undefined,
  application: Application,
): Omit<AuthorizationRefusal, 'error' | 'description'> {
  return {
    rule: 'client_id is not the id of an application here',
    advice: `This emulator has one application: ${application.name}.`,
    ...(received === undefined ? {} : { received }),
    seed: seedWith({ id: received }),
    registered: [application.id],
  }
}

function unregistered(
  received: string | undefined,
  application: Application,
): Omit<AuthorizationRefusal, 'error' | 'description'> {
  return {
    ...redirectMismatch(received ?? '', application.redirectUris),
    received: received ?? '',
    registered: application.redirectUris,
    seed: seedWith({ redirectUris: [received] }),
  }
}

function seedWith(application: Record<string, unknown>): string | undefined {
  const seed = { application }
  try {
    parseSeed(seed)
    return JSON.stringify(seed)
  } catch {
    return undefined
  }
}

function redirectUris(missing: string, application: Application): string[] {
  return missing.includes('redirect_uri') ? application.redirectUris : []
}

function proofKey(parameters: Request['parameters']): Omit<AuthorizationRefusal, 'error' | 'description'> {
  const { code_challenge: challenge, code_challenge_method: method } = parameters
  const advice =
    'Send code_challenge = base64url(SHA-256(code_verifier)), 43 characters, and code_challenge_method=S256.'
  if (challenge === undefined) return { rule: 'code_challenge is missing: PKCE is required', advice }
  if (method === undefined) return { rule: 'code_challenge_method is missing: only S256 is accepted', advice }
  if (method !== 'S256')
    return { rule: 'code_challenge_method is not S256', advice, received: method, registered: ['S256'] }
  return { rule: 'code_challenge is malformed', advice, received: challenge }
}

interface Mismatch {
  rule: string
  advice: string
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

function redirectMismatch(received: string, registered: string[]): Mismatch {
  const url = URL.parse(received)
  if (url === null)
    return { rule: 'redirect_uri is not an absolute URL', advice: 'Write it in full, with its scheme.' }
  const candidates = registered.flatMap((uri) => URL.parse(uri) ?? [])
  const sameScheme = candidates.filter((uri) => uri.protocol === url.protocol)
  if (sameScheme.length === 0)
    return { rule: 'redirect_uri scheme is not registered', advice: schemeAdvice(url) }
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
  if (samePath.length === 0)
    return { rule: 'redirect_uri path is not the registered one', advice: pathAdvice(url, sameHost) }
  if (!samePath.some((uri) => uri.port === url.port) && !LOOPBACK.has(url.hostname)) {
    return {
      rule: 'redirect_uri port is not the registered one',
      advice: 'The port is ignored on loopback hosts only.',
    }
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

/** More would not fit into the message of an error. */
const MAX_PATHS = 4

function pathAdvice(url: URL, candidates: URL[]): string {
  const slash = candidates.some((uri) => withoutSlash(uri.pathname) === withoutSlash(url.pathname))
  if (slash) return 'They differ in the slash at the end.'
  const letters = candidates.some((uri) => uri.pathname.toLowerCase() === url.pathname.toLowerCase())
  if (letters) return 'They differ in upper and lower case.'
  const paths = [...new Set(candidates.map(({ pathname }) => pathname))].slice(0, MAX_PATHS)
  return `Registered on ${url.hostname} are ${paths.join(', ')}: use one of them, or register yours in the seed.`
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
