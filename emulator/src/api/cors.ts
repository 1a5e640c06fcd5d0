/** Lets games on any origin call the API: tokens travel in headers, never in cookies. */
import type { IncomingMessage, ServerResponse } from 'node:http'

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

/** For every answer, also for one that a fault gives. */
export function allowAnyOrigin(response: ServerResponse): void {
  response.setHeader('Access-Control-Allow-Origin', '*')
  response.setHeader('Access-Control-Expose-Headers', exposed.join(', '))
}

/** Headers about limits are sent, but pages of other origins cannot read them. */
export function hideFromPages(response: ServerResponse): void {
  response.setHeader('Access-Control-Expose-Headers', always.join(', '))
}

/** Pages of other origins cannot read any of it. */
export function exposeToNobody(response: ServerResponse): void {
  response.removeHeader('Access-Control-Allow-Origin')
  response.removeHeader('Access-Control-Expose-Headers')
}

export function answerPreflight(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('Access-Control-Allow-Methods', 'GET, POST, PUT, PATCH, DELETE')
  response.setHeader('Access-Control-Allow-Headers', request.headers['access-control-request-headers'] ?? 'Authorization, Content-Type')
  response.setHeader('Access-Control-Max-Age', '600')
  response.writeHead(204).end()
}
