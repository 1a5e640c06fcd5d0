/** Lets games on any origin call the API: tokens travel in headers, never in cookies. */
import type { Context } from 'hono'
import type { ServerResponse } from 'node:http'

const ALWAYS = ['X-Emulator-Rule']
const EXPOSED = [
  ...ALWAYS,
  'Retry-After',
  'X-RateLimit-Bucket',
  'X-RateLimit-Global',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-RateLimit-Reset-After',
  'X-RateLimit-Scope',
]

/** Sets the headers of every response, including those of faults. */
export function allowAnyOrigin(response: ServerResponse): void {
  response.setHeader('Access-Control-Allow-Origin', '*')
  response.setHeader('Access-Control-Expose-Headers', EXPOSED.join(', '))
}

/** Sends the rate-limit headers without exposing them to pages of other origins. */
export function hideFromPages(response: ServerResponse): void {
  response.setHeader('Access-Control-Expose-Headers', ALWAYS.join(', '))
}

/** Hides the whole response from pages of other origins. */
export function exposeToNobody(response: ServerResponse): void {
  response.removeHeader('Access-Control-Allow-Origin')
  response.removeHeader('Access-Control-Expose-Headers')
}

/**
 * Headers that pages may send, by the recorded preflight responses of services of this kind. `User-Agent` is not among them. Neither is
 * `Accept`, which needs no permission.
 */
const ALLOWED = [
  'Content-Type',
  'Authorization',
  'X-Audit-Log-Reason',
  'X-Track',
  'X-Super-Properties',
  'X-Context-Properties',
  'X-Failed-Requests',
  'X-Fingerprint',
  'X-RPC-Proxy',
  'X-Service-Locale',
  'X-Service-Timezone',
  'X-Debug-Options',
  'X-Client-Trace-ID',
  'If-None-Match',
  'Range',
  'X-RateLimit-Precision',
]

/** The stream of lobbies stands in for a game's backend, which allows what the SDK sends. */
const ALLOWED_OF_STREAM = ['Authorization', 'Content-Type', 'Last-Event-ID']

/** Answers a preflight of a page. `requested`: allows any header. */
export function answerPreflight(
  c: Context,
  { allowedHeaders }: { allowedHeaders: 'fixed' | 'requested' },
): Response {
  const requested =
    allowedHeaders === 'requested' ? c.req.header('access-control-request-headers') : undefined
  const list =
    c.req.path.startsWith('/api/') || c.req.path.startsWith('/.well-known/') ? ALLOWED : ALLOWED_OF_STREAM
  return c.body(null, 204, {
    'Access-Control-Allow-Methods': 'GET, POST, PUT, PATCH, DELETE',
    'Access-Control-Allow-Headers': requested ?? list.join(', '),
    'Access-Control-Max-Age': '600',
  })
}
