/** Lets games on any origin call the API: tokens travel in headers, never in cookies. */
import type { Context } from 'hono'
import type { ServerResponse } from 'node:http'

const always = ['X-Emulator-Rule']
const exposed = [
  ...always,
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
  response.setHeader('Access-Control-Expose-Headers', exposed.join(', '))
}

/** Sends the rate-limit headers without exposing them to pages of other origins. */
export function hideFromPages(response: ServerResponse): void {
  response.setHeader('Access-Control-Expose-Headers', always.join(', '))
}

/** Hides the whole response from pages of other origins. */
export function exposeToNobody(response: ServerResponse): void {
  response.removeHeader('Access-Control-Allow-Origin')
  response.removeHeader('Access-Control-Expose-Headers')
}

export function answerPreflight(c: Context): Response {
  return c.body(null, 204, {
    'Access-Control-Allow-Methods': 'GET, POST, PUT, PATCH, DELETE',
    'Access-Control-Allow-Headers': c.req.header('access-control-request-headers') ?? 'Authorization, Content-Type',
    'Access-Control-Max-Age': '600',
  })
}
